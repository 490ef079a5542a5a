// One function for each thing that the visor watches, in the order of a tick. All are latched: what
// was told is in the state, and is told again only when it has ended in between.
#include "processes/visor/watch.h"

#include <algorithm>

#include "processes/visor/bulletin.h"

namespace reprise::visor {

namespace {

constexpr int64_t kWritingTimeoutMs = 120'000;
constexpr double kBulletinImportance = 0.7;
constexpr double kBulletinConfidence = 0.9;

/// What is written is folded at once.
class Pen {
 public:
  Pen(const State& state, int64_t at_ms) : x_state(state), x_at_ms(at_ms) {}

  const State& state() const { return x_state; }
  int64_t at_ms() const { return x_at_ms; }

  void emit(const char* type, const Json& payload) {
    x_state.evolve(type, payload, x_at_ms);
    Command command;
    command.kind = Command::Kind::kEmit;
    command.name = type;
    command.json = payload.dump();
    x_commands.push_back(std::move(command));
  }

  void request(const char* kind, std::string key, std::string label, const Json& inputs,
               Json definition = Json::object(), const Json& options = Json()) {
    x_state.requested(0, key);
    definition["kind"] = kind;
    Command command;
    command.kind = Command::Kind::kRequest;
    command.effect_kind = kind;
    command.task = std::string("visor.") + kind;
    command.key = std::move(key);
    command.label = std::move(label);
    command.args = inputs.dump();
    command.definition = definition.dump();
    if (!options.is_null()) command.options = options.dump();
    x_commands.push_back(std::move(command));
  }

  std::vector<Command> take() { return std::move(x_commands); }

 private:
  State x_state;
  int64_t x_at_ms;
  std::vector<Command> x_commands;
};

void tell_channel(Pen& pen, std::string_view noun, const Work& work, const char* signal,
                  const Json& value) {
  pen.request("run.signal", std::string(noun) + name_of(work),
              std::string(signal) + " " + name_of(work),
              {{"run", work.channel}, {"name", signal}, {"value", value}});
}

bool is_late(const Pen& pen, const Work& work, int64_t timeout_ms) {
  return timeout_ms > 0 && pen.at_ms() - work.since_ms >= timeout_ms &&
         !pen.state().late.contains(name_of(work));
}

/// Only the late worker is cancelled; others of its channel go on.
void watch_workers(Pen& pen, const Tick& tick) {
  const auto timeout_ms = tick.settings.worker_timeout_ms;
  for (const auto& worker : tick.workers) {
    if (!is_late(pen, worker, timeout_ms)) continue;
    const auto elapsed = (pen.at_ms() - worker.since_ms) / 1000;
    pen.emit("visor.worker.timeout", {{"channelId", worker.channel},
                                      {"workerId", worker.id},
                                      {"status", worker.status},
                                      {"elapsedSeconds", elapsed},
                                      {"timeoutSeconds", timeout_ms / 1000}});
    const auto reason = "Worker timed out after " + std::to_string(elapsed) + " s";
    tell_channel(pen, kWorkerKey, worker, "worker.cancel",
                 {{"workerId", worker.id}, {"reason", reason}});
  }
}

/// The channel itself says visor.branch.timeout when it is done.
void watch_branches(Pen& pen, const Tick& tick) {
  for (const auto& branch : tick.branches) {
    if (!is_late(pen, branch, tick.settings.branch_timeout_ms)) continue;
    tell_channel(pen, kBranchKey, branch, "branch.timeout", {{"branchId", branch.id}});
  }
}

/// A failure counts for one signal only.
void watch_failures(Pen& pen, const Tick& tick) {
  for (const auto& failed : tick.failures) {
    const auto told = pen.state().degraded.find(failed.channel);
    const uint64_t through = told == pen.state().degraded.end() ? 0 : told->second;
    const auto count = std::ranges::count_if(failed.seqs, [&](auto seq) { return seq > through; });
    if (count < tick.settings.degraded_count) continue;
    pen.emit("visor.signal.channel_degraded",
             {{"channelId", failed.channel},
              {"failureCount", count},
              {"windowSeconds", tick.settings.degraded_window_ms / 1000},
              {"through", *std::ranges::max_element(failed.seqs)}});
  }
}

/// A home without channels is not idle: nobody talks there.
void watch_silence(Pen& pen, const Tick& tick) {
  if (tick.channels == 0 || tick.settings.idle_ms <= 0) return;
  const auto since_ms = tick.last_message_ms.value_or(pen.state().started_ms);
  const auto silent_ms = pen.at_ms() - since_ms;
  if (silent_ms < tick.settings.idle_ms || pen.state().idle_since_ms == since_ms) return;
  pen.emit("visor.signal.idle", {{"idleSeconds", silent_ms / 1000}, {"since", since_ms}});
}

/// What fades is forgotten, what says the same becomes one. Nothing that was merged is lost: when
/// the new memory is forgotten, those that it superseded are found again.
void maintain(Pen& pen, const Tick& tick) {
  if (!tick.maintenance) return;
  const auto& todo = *tick.maintenance;
  for (const auto& id : todo.forget) {
    pen.emit("memory.forgotten", {{"memoryId", id}, {"reason", "faded"}});
  }
  auto merged = pen.state().merged;
  for (const auto& merge : todo.merges) {
    auto memory = merge.memory;
    const auto id = "merge" + std::to_string(++merged);
    memory["memoryId"] = id;
    pen.emit("memory.saved", memory);
    for (const auto& old : merge.replaces) {
      pen.emit("memory.linked", {{"from", id},
                                 {"to", old},
                                 {"relation", "supersedes"},
                                 {"weight", 1.0},
                                 {"provenance", "visor.merge"}});
    }
  }
  pen.emit("visor.memory.maintained",
           {{"pruned", todo.forget.size()}, {"examinedUntil", todo.examined_ms}});
  if (!todo.merges.empty()) pen.emit("visor.memory.merged", {{"merged", todo.merges.size()}});
}

void remember_bulletin(Pen& pen, const Json& bulletin, const std::string& before) {
  const std::string id = bulletin.at("bulletinId");
  pen.emit("memory.saved", {{"memoryId", id},
                            {"note", "[bulletin] " + bulletin.at("digest").get<std::string>()},
                            {"summary", bulletin.at("headline")},
                            {"kind", "event"},
                            {"class", "bulletin"},
                            {"scope", {{"type", "global"}, {"id", "global"}}},
                            {"source", {{"type", "visor"}, {"id", id}}},
                            {"importance", kBulletinImportance},
                            {"confidence", kBulletinConfidence}});
  const auto link = [&](const std::string& to, const char* relation) {
    pen.emit("memory.linked", {{"from", id},
                               {"to", to},
                               {"relation", relation},
                               {"weight", 1.0},
                               {"provenance", "visor.bulletin"}});
  };
  for (const auto& named : bulletin.at("memoryRefs")) link(named, "about");
  if (!before.empty()) link(before, "supersedes");
}

void publish(Pen& pen, Json bulletin) {
  const auto& newest = pen.state().bulletin;
  const std::string before = newest.is_null() ? "" : newest.at("bulletinId");
  bulletin.erase("maxWords");
  bulletin["words"] = count_words(bulletin.at("digest").get_ref<const std::string&>());
  pen.emit("visor.bulletin.generated", bulletin);
  remember_bulletin(pen, bulletin, before);
}

/// The same state has the bulletin that it had; one is written at a time.
bool needs_bulletin(const State& state, const Tick& tick) {
  if (!state.pending.draft.is_null()) return false;
  if (state.bulletin.is_null()) return tick.settings.bootstraps || !is_quiet(tick);
  return state.bulletin.at("state") != state_of(tick);
}

void make_bulletin(Pen& pen, const Tick& tick) {
  if (!needs_bulletin(pen.state(), tick)) return;
  const auto id = "b" + std::to_string(pen.state().bulletins + 1);
  auto draft = draft_bulletin(tick, id);
  if (!tick.settings.has_writer) {
    draft["by"] = "visor";
    return publish(pen, std::move(draft));
  }
  pen.emit("visor.bulletin.requested", draft);
  pen.request("bulletin", std::string(kBulletinKey) + id, "bulletin " + id,
              {{"bulletinId", id},
               {"headline", draft.at("headline")},
               {"digest", draft.at("digest")},
               {"maxWords", tick.settings.bulletin_words}},
              {{"title", "bulletin " + id},
               {"prompt", writing_prompt(draft, tick.settings.bulletin_words)}},
              {{"timeoutMs", kWritingTimeoutMs}});
}

/// A text, or an object that has it.
std::string text_in(const Json& value) {
  if (value.is_string()) return value;
  for (const auto* name : {"text", "digest", "summary"}) {
    if (value.is_object() && value.contains(name) && value[name].is_string()) return value[name];
  }
  return {};
}

}  // namespace

std::vector<Command> watch(const State& state, const Tick& tick, int64_t at_ms) {
  Pen pen(state, at_ms);
  watch_workers(pen, tick);
  watch_branches(pen, tick);
  watch_failures(pen, tick);
  watch_silence(pen, tick);
  maintain(pen, tick);
  make_bulletin(pen, tick);
  return pen.take();
}

std::vector<Command> take_text(const State& state, const Json& value, const std::string& error,
                               int64_t at_ms) {
  Pen pen(state, at_ms);
  auto bulletin = state.pending.draft;
  const auto text = cut_to_words(text_in(value), bulletin.at("maxWords"));
  bulletin["by"] = text.empty() ? "visor" : "executor";
  if (!text.empty()) {
    bulletin["digest"] = text;
  } else {
    bulletin["error"] = error.empty() ? "the executor returned no text" : error;
  }
  publish(pen, std::move(bulletin));
  return pen.take();
}

}  // namespace reprise::visor
