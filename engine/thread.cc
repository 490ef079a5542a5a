#include "engine/thread.h"

#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/run.h"
#include "engine/text.h"
#include "journal/ids.h"

namespace reprise {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kChannel = "channel";
/// Parents of parents: a loop of them, made by hand, ends here.
constexpr int kMostAncestors = 32;

OrderedJson identity_of(const Context& context, const RunHandle& channel) {
  auto identity = OrderedJson::parse(ask(*channel.dir, context, R"({"ask":"identity"})"));
  return identity.is_object() ? identity : OrderedJson::object();
}

std::optional<RunHandle> look_up(Workspace& workspace, const std::string& id) {
  if (!valid_run_id(id) || !workspace.exists() || !workspace.runs().open_dir(id)) {
    return std::nullopt;
  }
  auto run = workspace.find(id);
  if (read_state(*run.dir).state.process_id != kChannel) return std::nullopt;
  return run;
}

/// The folder of the nearest ancestor that is no worktree: what a worktree's agent calls its root.
std::string root_folder(Workspace& workspace, const Context& context, OrderedJson identity) {
  auto nearest = text_of(identity, "dir");
  for (int steps = 0; steps < kMostAncestors; ++steps) {
    if (!identity.value("worktree", false)) return text_of(identity, "dir");
    const auto above = text_of(identity, "parent");
    const auto parent = above.empty() ? std::nullopt : look_up(workspace, above);
    if (!parent) break;
    identity = identity_of(context, *parent);
  }
  return nearest;
}

}  // namespace

RunHandle find_live_channel(Workspace& workspace, const std::string& id) {
  auto channel = look_up(workspace, id);
  if (!channel && valid_run_id(id) && workspace.exists() && workspace.runs().open_dir(id)) {
    throw Error(Exit::kNotFound, "NOT_A_CHANNEL", "run " + id + " is no channel",
                "reprise channel:list shows the channels");
  }
  if (!channel) {
    throw Error(Exit::kNotFound, "CHANNEL_NOT_FOUND", "there is no channel \"" + id + "\"",
                "reprise channel:list shows them; reprise channel:create makes one");
  }
  if (read_state(*channel->dir).state.end) {
    throw Error(Exit::kConflict, "CHANNEL_DELETED", "channel " + id + " is deleted",
                "a thread needs a channel that lives");
  }
  return std::move(*channel);
}

bool is_answered(std::string_view cause) {
  return cause == "delivered" || cause == "spawned" || cause == "command";
}

std::string inherited_by_thread(Workspace& workspace, const Context& context,
                                const RunHandle& parent) {
  const auto identity = identity_of(context, parent);
  OrderedJson inputs = {{"parent", parent.name}};
  for (const char* name : {"platform", "guild", "dir"}) {
    if (const auto inherited = text_of(identity, name); !inherited.empty())
      inputs[name] = inherited;
  }
  const auto root = root_folder(workspace, context, identity);
  if (!root.empty()) inputs["parentDir"] = root;
  if (const auto session = text_of(identity, "sessionId"); !session.empty()) {
    inputs["forkFrom"] = session;
  }
  if (identity.contains("permissions")) inputs["permissions"] = identity["permissions"];
  return inputs.dump();
}

}  // namespace reprise
