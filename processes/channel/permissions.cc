#include "processes/channel/permissions.h"

#include <algorithm>
#include <array>

#include "processes/channel/fields.h"
#include "processes/channel/scribe.h"

namespace reprise::channel {

namespace {

std::set<std::string> names_of(const Json& list) {
  return list.is_array() ? list.get<std::set<std::string>>() : std::set<std::string>();
}

Permissions parse_permissions(const Json& json) {
  Permissions permissions;
  permissions.restore(json);
  return permissions;
}

Role role_in(const Permissions& permissions, const Author& author) {
  if (permissions.owners.holds(author)) return Role::kOwner;
  return permissions.members.holds(author) ? Role::kMember : Role::kNone;
}

void remove(Permissions& permissions, const Json& value) {
  for (auto* list : {&permissions.owners, &permissions.members}) {
    for (const auto& user : names_of(member_of(value, "users"))) list->users.erase(user);
    for (const auto& role : names_of(member_of(value, "roles"))) list->roles.erase(role);
  }
}

void change(Scribe& scribe, const Permissions& permissions, const Json& value) {
  auto payload = permissions.to_json();
  if (payload == scribe.state().permissions.to_json()) return;
  payload["by"] = text_of(value, "by");
  scribe.emit("permission.changed", payload);
}

std::optional<Refusal> check_names(const Json& value) {
  const auto names = member_of(value, "users").size() + member_of(value, "roles").size();
  return Fields(value, "INVALID_PERMISSION")
      .texts("users")
      .texts("roles")
      .text("by")
      .refuse_if(names == 0, "nobody is named", "name users, roles, or both")
      .refusal();
}

std::optional<Refusal> check_allow(const Channel&, const Json& value, int64_t) {
  if (auto refusal = check_names(value)) return refusal;
  const auto& role = member_of(value, "role");
  const bool known = role.is_null() || role == "owner" || role == "member";
  return Fields(value, "INVALID_PERMISSION")
      .refuse_if(!known, "role must be owner or member")
      .refusal();
}

void allow(Scribe& scribe, const Json& value, uint64_t) {
  auto permissions = scribe.state().permissions;
  remove(permissions, value);
  auto& list = text_of(value, "role") == "owner" ? permissions.owners : permissions.members;
  list.users.merge(names_of(member_of(value, "users")));
  list.roles.merge(names_of(member_of(value, "roles")));
  change(scribe, permissions, value);
}

/// Lists without a name let everybody in: that must not come of taking somebody away.
std::optional<Refusal> check_deny(const Channel& channel, const Json& value, int64_t) {
  if (auto refusal = check_names(value)) return refusal;
  auto left = channel.permissions;
  remove(left, value);
  const bool opens = is_open_to_all(left, channel.settings) && !channel.permissions.is_empty();
  if (!opens) return std::nullopt;
  return Refusal{Refusal::Kind::kConflict, "LAST_PERMISSION",
                 "nobody would be left on the lists, and a channel without lists is open to all",
                 "allow somebody else first"};
}

void deny(Scribe& scribe, const Json& value, uint64_t) {
  auto permissions = scribe.state().permissions;
  remove(permissions, value);
  change(scribe, permissions, value);
}

}  // namespace

Author parse_author(const Json& json) {
  Author author{.id = text_of(json, "id"), .name = text_of(json, "name"), .roles = {}};
  if (author.name.empty()) author.name = author.id;
  for (const auto& role : member_of(json, "roles")) {
    if (role.is_string()) author.roles.push_back(role);
  }
  return author;
}

bool Permissions::List::holds(const Author& author) const {
  return users.contains(author.id) ||
         std::ranges::any_of(author.roles, [&](const auto& role) { return roles.contains(role); });
}

void Permissions::evolve(const Event& event) {
  if (event.type == "permission.changed") {
    restore(event.payload);
  } else if (event.type == "channel.created") {
    restore(member_of(event.payload, "permissions"));
  }
}

Json Permissions::to_json() const {
  const auto list = [](const List& it) { return Json{{"users", it.users}, {"roles", it.roles}}; };
  return {{"owners", list(owners)}, {"members", list(members)}};
}

void Permissions::restore(const Json& json) {
  const auto list = [&](const char* name) {
    const auto& it = member_of(json, name);
    return List{names_of(member_of(it, "users")), names_of(member_of(it, "roles"))};
  };
  owners = list("owners");
  members = list("members");
}

std::string name_of(Role role) {
  return role == Role::kOwner ? "owner" : role == Role::kMember ? "member" : "";
}

bool is_open_to_all(const Permissions& permissions, const Settings& settings) {
  return permissions.is_empty() && parse_permissions(settings.home_permissions).is_empty();
}

Role role_of(const Permissions& permissions, const Settings& settings, const Author& author) {
  if (is_open_to_all(permissions, settings)) return Role::kOwner;
  return std::max(role_in(permissions, author),
                  role_in(parse_permissions(settings.home_permissions), author));
}

Role role_of_speaker(const Permissions& permissions, const Settings& settings, const Author& author,
                     const std::string& platform) {
  if (platform == "local") return Role::kOwner;
  const auto role = role_of(permissions, settings, author);
  return author.id == settings.agent_id ? std::max(role, Role::kMember) : role;
}

std::string check_permissions(const Json& json) { return Settings::check({{"permissions", json}}); }

std::span<const SignalSpec> permission_signals() {
  static constexpr std::array kSignals = {
      SignalSpec{"channel.allow", check_allow, allow},
      SignalSpec{"channel.deny", check_deny, deny},
  };
  return kSignals;
}

}  // namespace reprise::channel
