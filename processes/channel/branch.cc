// The states of branches: a table, and the fold that follows it.
#include "processes/channel/branch.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "processes/channel/artifact.h"
#include "processes/channel/state.h"

namespace reprise::channel {

namespace {

using BranchState = Branch::State;

/// Every transition there is. What fits none changes nothing: what ended stays as it ended.
struct BranchTransition {
  BranchState from;
  std::string_view event;
  BranchState to;
};
constexpr std::array kBranchTransitions = {
    BranchTransition{BranchState::kNew, "worker.spawned", BranchState::kRecalling},
    BranchTransition{BranchState::kRecalling, "branch.spawned", BranchState::kThinking},
    BranchTransition{BranchState::kThinking, "branch.conclusion", BranchState::kConcluded},
    BranchTransition{BranchState::kRecalling, "worker.failed", BranchState::kFailed},
    BranchTransition{BranchState::kThinking, "worker.failed", BranchState::kFailed},
    BranchTransition{BranchState::kRecalling, "visor.branch.timeout", BranchState::kTimedOut},
    BranchTransition{BranchState::kThinking, "visor.branch.timeout", BranchState::kTimedOut},
};

constexpr std::array<std::string_view, 6> kBranchStateNames = {
    "new", "recalling", "thinking", "concluded", "failed", "timed_out"};

std::string_view name_of_branch_state(BranchState state) {
  return kBranchStateNames[static_cast<size_t>(state)];
}

BranchState branch_state_of(std::string_view name) {
  return static_cast<BranchState>(std::ranges::find(kBranchStateNames, name) -
                                  kBranchStateNames.begin());
}

/// 2 of "b2", 0 of what is no id of a branch.
uint64_t number_of_branch(std::string_view id) {
  if (!id.starts_with('b')) return 0;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data() + 1, id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() ? number : 0;
}

std::vector<std::string> texts_or(const Json& json, const char* name,
                                  std::vector<std::string> otherwise) {
  const auto& list = member_of(json, name);
  return list.is_array() ? list.get<std::vector<std::string>>() : std::move(otherwise);
}

/// Whatever of a branch is said, by whichever event.
void read_branch_news(Branch& branch, const Json& json) {
  branch.prompt = text_of(json, "prompt", branch.prompt);
  branch.worker_id = text_of(json, "workerId", branch.worker_id);
  branch.memory_refs = texts_or(json, "memoryRefs", std::move(branch.memory_refs));
  branch.todos = texts_or(json, "todos", std::move(branch.todos));
  branch.summary = text_of(json, "summary", branch.summary);
  branch.artifact_id = text_of(json, "artifactId", branch.artifact_id);
  branch.error = text_of(json, "error", branch.error);
  branch.reason = text_of(json, "reason", branch.reason);
  branch.code = text_of(json, "code", branch.code);
  if (json.contains("tokenUsage")) branch.token_usage = json.at("tokenUsage");
}

Json describe_branch(const Branch& branch) {
  Json json = {{"branchId", branch.id},
               {"prompt", branch.prompt},
               {"state", name_of_branch_state(branch.state)},
               {"workerId", branch.worker_id},
               {"memoryRefs", branch.memory_refs},
               {"todos", branch.todos},
               {"spawnedAt", branch.spawned_at_ms},
               {"updatedAt", branch.updated_at_ms}};
  const std::array<std::pair<const char*, const std::string*>, 5> optional = {
      {{"summary", &branch.summary},
       {"artifactId", &branch.artifact_id},
       {"error", &branch.error},
       {"reason", &branch.reason},
       {"code", &branch.code}}};
  for (const auto& [name, text] : optional) {
    if (!text->empty()) json[name] = *text;
  }
  if (!branch.token_usage.is_null()) json["tokenUsage"] = branch.token_usage;
  return json;
}

/// What ended is only looked back at: its texts are in the journal.
void shorten_branch(Branch& branch) {
  for (auto* text : {&branch.prompt, &branch.summary, &branch.error}) *text = preview_of(*text);
  branch.todos.clear();
}

Json branch_with_effect(const Channel& channel, const Branch& branch) {
  auto json = describe_branch(branch);
  const auto* worker = channel.workers.find(branch.worker_id);
  const auto effect = worker == nullptr ? 0 : effect_of(channel, *worker);
  if (effect > 0) json["effect"] = "t" + std::to_string(effect);
  return json;
}

}  // namespace

const Branch* Branches::find(const std::string& id) const {
  const auto found = known.find(number_of_branch(id));
  return found == known.end() ? nullptr : &found->second;
}

bool Branches::ever_had(const std::string& id) const {
  const auto number = number_of_branch(id);
  return number > 0 && number <= spawned;
}

void Branches::evolve(const Event& event, bool keeps_all) {
  const auto id = text_of(event.payload, "branchId");
  const auto number = number_of_branch(id);
  const bool is_new = number > spawned;
  if (number == 0 || (!is_new && !known.contains(number))) return;
  const auto from = is_new ? BranchState::kNew : known[number].state;
  const auto transition = std::ranges::find_if(kBranchTransitions, [&](const BranchTransition& it) {
    return it.from == from && it.event == event.type;
  });
  if (transition == kBranchTransitions.end()) return;
  auto& branch = known[number];
  if (is_new) {
    spawned = number;
    branch.id = id;
    branch.prompt = text_of(event.payload, "objective");
    branch.spawned_at_ms = event.at_ms;
  }
  branch.state = transition->to;
  branch.updated_at_ms = event.at_ms;
  read_branch_news(branch, event.payload);
  if (!branch.has_ended()) return;
  ended.push_back(number);
  if (keeps_all) return;
  shorten_branch(branch);
  if (ended.size() <= kRemembered) return;
  known.erase(ended.front());
  ended.pop_front();
}

Json Branches::to_json() const {
  auto list = Json::array();
  for (const auto& [number, branch] : known) list.push_back(describe_branch(branch));
  return {{"spawned", spawned}, {"known", std::move(list)}, {"ended", ended}};
}

void Branches::restore(const Json& json) {
  spawned = json.at("spawned");
  ended = json.at("ended").get<std::deque<uint64_t>>();
  known.clear();
  for (const auto& entry : json.at("known")) {
    Branch branch;
    branch.id = text_of(entry, "branchId");
    branch.state = branch_state_of(entry.at("state").get<std::string>());
    branch.spawned_at_ms = entry.at("spawnedAt");
    branch.updated_at_ms = entry.at("updatedAt");
    read_branch_news(branch, entry);
    known.emplace(number_of_branch(branch.id), std::move(branch));
  }
}

Json list_branches(const Channel& channel) {
  auto list = Json::array();
  for (const auto& [number, branch] : channel.branches.known) {
    list.push_back(branch_with_effect(channel, branch));
  }
  return list;
}

Json show_branch(const Channel& channel, const std::string& id) {
  const auto* branch = channel.branches.find(id);
  return branch == nullptr ? Json() : branch_with_effect(channel, *branch);
}

}  // namespace reprise::channel
