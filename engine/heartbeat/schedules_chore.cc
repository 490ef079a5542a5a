// An occurrence that is due is told to the run with the next one, which only the time zones know:
// however often it was missed, it fires once. The run has the last word: what was edited or fired
// meanwhile it refuses.
#include "engine/heartbeat/schedules_chore.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/cron/timing.h"
#include "engine/heartbeat/schedule_home.h"
#include "engine/put_away.h"
#include "engine/run.h"
#include "engine/tell.h"
#include "engine/text.h"
#include "engine/thread.h"
#include "journal/clock.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kEphemeral = "[EPHEMERAL]";
constexpr size_t kAnswerBytes = 400;

Json ask_json(Dir& run, const Context& context, const Json& question) {
  return Json::parse(ask(run, context, question.dump()));
}

/// At most so many bytes, cut between characters.
std::string beginning(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80) --bytes;
  return text.substr(0, bytes) + "...";
}

/// The last thing that the agent said in a run of it.
std::string answer_of(const Json& rows, const std::string& run_id) {
  std::string answer;
  for (const auto& row : rows) {
    const bool said = text_of(row, "role") == "assistant" && text_of(row, "kind") == "message";
    if (said && text_of(row, "runId") == run_id) answer = text_of(row, "content");
  }
  return answer;
}

Json failed(const std::string& error) { return {{"outcome", "failed"}, {"error", error}}; }

/// What became of a message: nullopt while that is open.
std::optional<Json> outcome_of(Dir& thread, const Context& context, const Json& entry) {
  const auto fate = ask_json(thread, context, {{"ask", "message"}, {"msgId", entry.at("msgId")}});
  const bool ended = read_state(thread).state.end.has_value();
  const auto state = fate.is_object() ? text_of(fate, "state") : "";
  if (state == "denied" || state == "context") return failed("its author may not speak there");
  if (state != "processed") {
    return ended || state == "deleted" ? std::optional(failed("it was deleted")) : std::nullopt;
  }
  const auto cause = text_of(fate, "cause");
  if (!is_answered(cause)) return failed("no answer: " + cause);
  const auto rows = ask_json(thread, context, {{"ask", "messages"}});
  const auto answer = answer_of(rows, text_of(fate, "runId"));
  const auto begin = std::min(answer.find_first_not_of(" \t\r\n"), answer.size());
  Json outcome = {{"outcome", "done"}, {"text", beginning(answer, kAnswerBytes)}};
  outcome["ephemeral"] = std::string_view(answer).substr(begin).starts_with(kEphemeral);
  outcome["title"] = text_of(ask_json(thread, context, {{"ask", "identity"}}), "name");
  return outcome;
}

class SchedulesChore final : public Chore {
 public:
  std::string_view name() const override { return kSchedulesRun; }

  std::vector<Due> due(BeatHome& home) override {
    Json work;
    const Json question = {{"ask", "work"}, {"now", home.now_ms}};
    home.asked.ask(home, schedules_run(home.simulated),
                   [&](const Machine& machine, const RunState& state) {
                     if (state.end || state.paused) return;
                     work = Json::parse(machine.answer(question.dump()));
                   });
    if (!work.is_object()) return {};
    std::vector<Due> due;
    for (const auto& schedule : work["due"]) due.push_back(firing(schedule));
    for (const auto& entry : work["waiting"]) {
      if (!is_worth_hearing(home, entry)) continue;
      const auto thread = text_of(entry, "thread");
      due.push_back({.key = "hear:" + entry.at("firing").dump(),
                     .what = "take the answer of " + thread,
                     .run = kSchedulesRun});
    }
    for (const auto& entry : work["threads"]) {
      const auto thread = text_of(entry, "thread");
      due.push_back(
          {.key = "drop:" + thread, .what = "delete the thread " + thread, .run = thread});
    }
    return due;
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto colon = due.key.find(':');
    const auto verb = due.key.substr(0, colon);
    const auto what = due.key.substr(colon + 1);
    const auto run = find_home_run(home.workspace, schedules_run(home.simulated));
    if (!run) return;
    if (verb == "fire") fire(home, *run, std::stoull(what), due.key);
    if (verb == "hear") hear(home, *run, std::stoull(what), due.key);
    if (verb == "drop") drop(home, *run, what, due.key);
  }

 private:
  static Due firing(const Json& schedule) {
    const auto id = schedule.at("scheduleId").dump();
    const auto name = text_of(schedule, "name");
    return {.key = "fire:" + id + "@" + schedule.at("next").dump(),
            .what = "fire schedule " + (name.empty() ? id : name) + " (" +
                    text_of(schedule.at("timing"), "text") + ")",
            .run = kSchedulesRun};
  }

  static void tell_it(BeatHome& home, const RunHandle& run, const char* signal, const Json& value,
                      const std::string& key) {
    const auto text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    try {
      tell(*run.dir, home.context,
           {{.name = signal, .value = parse_value(text, signal), .key = key}}, After::kIterate, {});
    } catch (const Error& error) {
      // Somebody was faster, or it was edited: the next beat looks again.
      if (error.exit() != Exit::kConflict && error.exit() != Exit::kNotFound) throw;
    }
  }

  static void fire(BeatHome& home, const RunHandle& run, uint64_t id, const std::string& key) {
    const auto schedule =
        ask_json(*run.dir, home.context, {{"ask", "schedule"}, {"scheduleId", id}});
    if (!schedule.is_object() || schedule.at("next").is_null()) return;
    const int64_t occurrence = schedule["next"];
    if (key != "fire:" + std::to_string(id) + "@" + std::to_string(occurrence)) return;
    const auto timing = Timing::restore(schedule.at("timing").dump());
    const auto next = timing.next_after(std::max(home.now_ms, occurrence));
    const auto missed = timing.missed(occurrence, home.now_ms);
    auto value =
        schedule.contains("running")
            ? Json::object()
            : prepare_firing(home.workspace, home.context, home.config, schedule, home.simulated);
    value.update({{"scheduleId", id},
                  {"revision", schedule.at("revision")},
                  {"occurrence", occurrence},
                  {"next", next ? Json(*next) : Json()},
                  {"missed", missed.count}});
    if (missed.more) value["missedMore"] = true;
    tell_it(home, run, "schedule.due", value, key + "#" + schedule.at("revision").dump());
  }

  /// What cannot be read is due, too: to do it says what is wrong with it, and stops nothing else.
  static bool is_worth_hearing(BeatHome& home, const Json& entry) {
    try {
      return heard(home, entry).has_value();
    } catch (const Error&) {
      return true;
    }
  }

  /// nullopt while there is no answer.
  static std::optional<Json> heard(BeatHome& home, const Json& entry) {
    const auto thread = home.workspace.runs().open_dir(text_of(entry, "thread"));
    if (!thread) return failed("its thread is gone");
    return outcome_of(*thread, home.context, entry);
  }

  static void hear(BeatHome& home, const RunHandle& run, uint64_t firing, const std::string& key) {
    const auto work = ask_json(*run.dir, home.context, {{"ask", "work"}, {"now", home.now_ms}});
    for (const auto& entry : work.at("waiting")) {
      if (entry.at("firing") != firing) continue;
      auto outcome = heard(home, entry);
      if (!outcome) return;
      outcome->emplace("firing", firing);
      tell_it(home, run, "schedule.answered", *outcome, key);
    }
  }

  /// The thread ends and goes to the archive, as by channel:delete.
  static void drop(BeatHome& home, const RunHandle& run, const std::string& thread,
                   const std::string& key) {
    auto& runs = home.workspace.runs();
    if (const auto dir = runs.open_dir(thread)) {
      if (!read_state(*dir).state.end) {
        tell(*dir, home.context,
             {{.name = "channel.delete",
               .value = parse_value(R"({"by":"schedules"})", "the signal"),
               .key = "delete"}},
             After::kIterate, {});
      }
      archive_runs(home.workspace.runs_path(), plan_put_away(runs, thread, home.context),
                   home.context);
    }
    tell_it(home, run, "schedule.thread.deleted", {{"thread", thread}}, key);
  }
};

}  // namespace

std::unique_ptr<Chore> make_schedules_chore() { return std::make_unique<SchedulesChore>(); }

}  // namespace reprise
