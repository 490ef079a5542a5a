// The states of workers: a table, and the fold that follows it.
#include "processes/channel/worker.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "processes/channel/artifact.h"
#include "processes/channel/state.h"

namespace reprise::channel {

namespace {

using WorkerState = Worker::State;

/// Every transition there is. What fits none changes nothing: what ended stays as it ended.
/// `running`, which is `queued` with a claimed effect, has the transitions of `queued`.
struct WorkerTransition {
  WorkerState from;
  std::string_view event;
  std::string_view progress;  ///< of a worker.progress
  WorkerState to;
};
constexpr std::array kWorkerTransitions = {
    WorkerTransition{WorkerState::kNew, "worker.spawned", "", WorkerState::kQueued},
    WorkerTransition{WorkerState::kQueued, "worker.progress", "received_route",
                     WorkerState::kQueued},
    WorkerTransition{WorkerState::kQueued, "worker.progress", "waiting_for_route",
                     WorkerState::kWaitingInput},
    WorkerTransition{WorkerState::kQueued, "worker.completed", "", WorkerState::kCompleted},
    WorkerTransition{WorkerState::kQueued, "worker.failed", "", WorkerState::kFailed},
    WorkerTransition{WorkerState::kWaitingInput, "worker.progress", "received_route",
                     WorkerState::kWaitingInput},
    WorkerTransition{WorkerState::kWaitingInput, "worker.progress", "continued",
                     WorkerState::kQueued},
    WorkerTransition{WorkerState::kWaitingInput, "worker.completed", "", WorkerState::kCompleted},
    WorkerTransition{WorkerState::kWaitingInput, "worker.failed", "", WorkerState::kFailed},
};

constexpr std::array<std::string_view, 5> kWorkerStateNames = {"new", "queued", "waiting_input",
                                                               "completed", "failed"};

std::string_view name_of_worker_state(WorkerState state) {
  return kWorkerStateNames[static_cast<size_t>(state)];
}

WorkerState worker_state_of(std::string_view name) {
  return static_cast<WorkerState>(std::ranges::find(kWorkerStateNames, name) -
                                  kWorkerStateNames.begin());
}

std::optional<WorkerState> next_state(WorkerState from, const Event& event) {
  const auto progress = text_of(event.payload, "progress");
  const auto found = std::ranges::find_if(kWorkerTransitions, [&](const WorkerTransition& it) {
    return it.from == from && it.event == event.type && it.progress == progress;
  });
  if (found == kWorkerTransitions.end()) return std::nullopt;
  return found->to;
}

/// 2 of "w2", 0 of what is no id of a worker.
uint64_t number_of_worker(std::string_view id) {
  if (!id.starts_with('w')) return 0;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data() + 1, id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() ? number : 0;
}

/// What is said of a worker when it is spawned.
void read_spec(Worker& worker, const Json& json) {
  worker.id = text_of(json, "workerId");
  worker.task_id = text_of(json, "taskId");
  worker.title = text_of(json, "title");
  worker.objective = text_of(json, "objective");
  worker.tools = json.value("tools", Json::array());
  worker.mode = text_of(json, "mode");
  worker.agent = text_of(json, "agent");
  worker.working_directory = text_of(json, "workingDirectory");
  worker.branch_id = text_of(json, "branchId");
  worker.entry = text_of(json, "entry");
  worker.token_budget = number_of(json, "tokenBudget");
}

/// What is said of it later.
void read_worker_news(Worker& worker, const Json& json) {
  worker.report = text_of(json, "report", worker.report);
  worker.session_id = text_of(json, "sessionId", worker.session_id);
  worker.summary = text_of(json, "summary", worker.summary);
  worker.artifact_id = text_of(json, "artifactId", worker.artifact_id);
  worker.error = text_of(json, "error", worker.error);
  worker.reason = text_of(json, "reason", worker.reason);
  worker.code = text_of(json, "code", worker.code);
}

void progress(Worker& worker, const Json& payload) {
  const auto progress = text_of(payload, "progress");
  const auto text = text_of(payload, "text");
  if (progress == "received_route" && !text.empty()) worker.arrived.push_back(text);
  if (progress != "continued") return;
  worker.cycle = static_cast<uint64_t>(number_of(payload, "cycle"));
  worker.inbox = std::move(worker.arrived);
  worker.arrived.clear();
}

Json describe_worker(const Worker& worker) {
  Json json = {{"workerId", worker.id},
               {"taskId", worker.task_id},
               {"title", worker.title},
               {"objective", worker.objective},
               {"tools", worker.tools},
               {"mode", worker.mode},
               {"state", name_of_worker_state(worker.state)},
               {"cycle", worker.cycle},
               {"spawnedAt", worker.spawned_at_ms},
               {"updatedAt", worker.updated_at_ms}};
  const std::array<std::pair<const char*, const std::string*>, 11> optional = {
      {{"agent", &worker.agent},
       {"workingDirectory", &worker.working_directory},
       {"branchId", &worker.branch_id},
       {"entry", &worker.entry},
       {"report", &worker.report},
       {"sessionId", &worker.session_id},
       {"summary", &worker.summary},
       {"artifactId", &worker.artifact_id},
       {"error", &worker.error},
       {"reason", &worker.reason},
       {"code", &worker.code}}};
  for (const auto& [name, text] : optional) {
    if (!text->empty()) json[name] = *text;
  }
  return json;
}

/// What ended is only looked back at: its texts are in the journal.
void shorten_worker(Worker& worker) {
  for (auto* text : {&worker.objective, &worker.report, &worker.summary, &worker.error}) {
    *text = preview_of(*text);
  }
  worker.inbox.clear();
  worker.arrived.clear();
}

Json worker_with_effect(const Channel& channel, const Worker& worker) {
  auto json = describe_worker(worker);
  if (const auto effect = effect_of(channel, worker); effect > 0) {
    json["effect"] = "t" + std::to_string(effect);
  }
  return json;
}

}  // namespace

const Worker* Workers::find(const std::string& id) const {
  const auto found = known.find(number_of_worker(id));
  return found == known.end() ? nullptr : &found->second;
}

bool Workers::ever_had(const std::string& id) const {
  const auto number = number_of_worker(id);
  return number > 0 && number <= spawned;
}

void Workers::evolve(const Event& event, bool keeps_all) {
  if (!event.type.starts_with("worker.")) return;
  const auto number = number_of_worker(text_of(event.payload, "workerId"));
  const bool is_new = number > spawned;
  if (number == 0 || (!is_new && !known.contains(number))) return;
  const auto next = next_state(is_new ? WorkerState::kNew : known[number].state, event);
  if (!next) return;
  auto& worker = known[number];
  if (is_new) {
    spawned = number;
    read_spec(worker, event.payload);
    worker.spawned_at_ms = event.at_ms;
  }
  worker.state = *next;
  worker.updated_at_ms = event.at_ms;
  read_worker_news(worker, event.payload);
  progress(worker, event.payload);
  if (!worker.has_ended()) return;
  ended.push_back(number);
  if (keeps_all) return;
  shorten_worker(worker);
  if (ended.size() <= kRemembered) return;
  known.erase(ended.front());
  ended.pop_front();
}

Json Workers::to_json() const {
  auto list = Json::array();
  for (const auto& [number, worker] : known) {
    auto json = describe_worker(worker);
    json["tokenBudget"] = worker.token_budget;
    json["inbox"] = worker.inbox;
    json["arrived"] = worker.arrived;
    list.push_back(std::move(json));
  }
  return {{"spawned", spawned}, {"known", std::move(list)}, {"ended", ended}};
}

void Workers::restore(const Json& json) {
  spawned = json.at("spawned");
  ended = json.at("ended").get<std::deque<uint64_t>>();
  known.clear();
  for (const auto& entry : json.at("known")) {
    Worker worker;
    read_spec(worker, entry);
    read_worker_news(worker, entry);
    worker.state = worker_state_of(entry.at("state").get<std::string>());
    worker.cycle = entry.at("cycle");
    worker.inbox = entry.at("inbox").get<std::vector<std::string>>();
    worker.arrived = entry.at("arrived").get<std::vector<std::string>>();
    worker.spawned_at_ms = entry.at("spawnedAt");
    worker.updated_at_ms = entry.at("updatedAt");
    known.emplace(number_of_worker(worker.id), std::move(worker));
  }
}

uint64_t effect_of(const Channel& channel, const Worker& worker) {
  const auto is_of = [&](const Owner& owner) {
    if (!worker.branch_id.empty()) {
      return (owner.noun == "branch" || owner.noun == "recall") && owner.id == worker.branch_id;
    }
    const auto id = owner.id.substr(0, owner.id.find(':'));
    return (owner.noun == "worker" || owner.noun == "brief") && id == worker.id;
  };
  for (const auto& [effect, owner] : channel.effects.open()) {
    if (is_of(owner)) return effect;
  }
  return 0;
}

Json list_workers(const Channel& channel) {
  auto list = Json::array();
  for (const auto& [number, worker] : channel.workers.known)
    list.push_back(worker_with_effect(channel, worker));
  return list;
}

Json show_worker(const Channel& channel, const std::string& id) {
  const auto* worker = channel.workers.find(id);
  return worker == nullptr ? Json() : worker_with_effect(channel, *worker);
}

}  // namespace reprise::channel
