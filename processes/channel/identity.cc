#include "processes/channel/identity.h"

#include "processes/channel/fields.h"
#include "processes/channel/permissions.h"
#include "processes/channel/settings.h"

namespace reprise::channel {

void Identity::evolve(const Event& event) {
  if (event.type == "channel.created") {
    restore(event.payload);
    created = true;
    created_at_ms = event.at_ms;
  } else if (event.type == "channel.configured") {
    name = text_of(event.payload, "name", name);
    dir = text_of(event.payload, "dir", dir);
  } else if (event.type == "channel.held") {
    held = true;
  } else if (event.type == "channel.released") {
    held = false;
  } else if (event.type == "channel.deleted") {
    deleted = true;
  }
}

Json Identity::to_json() const {
  return {{"id", id},
          {"name", name},
          {"platform", platform},
          {"guild", guild},
          {"dir", dir},
          {"parent", parent},
          {"parentDir", parent_dir},
          {"worktree", worktree},
          {"created", created},
          {"deleted", deleted},
          {"held", held},
          {"createdAt", created_at_ms}};
}

void Identity::restore(const Json& json) {
  id = text_of(json, "id");
  name = text_of(json, "name");
  platform = text_of(json, "platform", "local");
  guild = text_of(json, "guild");
  dir = text_of(json, "dir");
  parent = text_of(json, "parent");
  parent_dir = text_of(json, "parentDir");
  worktree = flag_of(json, "worktree");
  created = flag_of(json, "created");
  deleted = flag_of(json, "deleted");
  held = flag_of(json, "held");
  created_at_ms = number_of(json, "createdAt");
}

std::string Identity::check(const Json& inputs) {
  Fields fields(inputs, "INVALID_INPUTS");
  fields.text("id")
      .text("name")
      .text("platform")
      .text("guild")
      .text("parent")
      .text("forkFrom")
      .flag("worktree");
  for (const auto* name : {"dir", "parentDir"}) {
    const auto path = text_of(inputs, name);
    fields.text(name, kMostPathBytes)
        .refuse_if(!path.empty() && !path.starts_with('/'),
                   std::string(name) + " must be absolute");
  }
  if (const auto refusal = fields.refusal()) return refusal->message;
  if (auto wrong = check_permissions(member_of(inputs, "permissions")); !wrong.empty())
    return wrong;
  for (const auto* name : {"settings", "configured"}) {
    const auto& settings = member_of(inputs, name);
    if (settings.is_null()) continue;
    const bool own = name == std::string_view("settings");
    auto wrong = own ? Settings::check_own(settings) : Settings::check(settings);
    if (!wrong.empty()) return std::string(name) + ": " + wrong;
  }
  return {};
}

}  // namespace reprise::channel
