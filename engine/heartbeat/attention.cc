#include "engine/heartbeat/attention.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/ask.h"
#include "engine/heartbeat/board_chore.h"
#include "engine/heartbeat/last_beat.h"
#include "engine/heartbeat/loop_settings.h"
#include "engine/heartbeat/schedule_home.h"
#include "engine/hooks/delivery_log.h"
#include "engine/index/queries.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostShownLoops = 20;
/// Channels whose workers are asked; one without workers costs nothing.
constexpr int64_t kMostBusyChannels = 20;
/// Ticks that failed in a row: fewer may pass by themselves.
constexpr uint64_t kManyFailures = 3;

class AttentionSearch {
 public:
  AttentionSearch(Workspace& workspace, const Context& context, RunIndex& index)
      : x_workspace(workspace), x_context(context), x_index(index) {}

  std::vector<Attention> run() {
    look_at_beat();
    for (const auto& name : loops()) look_at_loop(name);
    look_at_board();
    for (const auto& name : channels_at_work()) look_at_workers(name);
    look_at_schedules();
    look_at_hooks();
    return std::move(x_found);
  }

 private:
  void add(std::string run, std::string what, std::string command,
           std::optional<int64_t> since_ms = std::nullopt) {
    x_found.push_back({std::move(run), std::move(what), std::move(command), since_ms});
  }

  /// Not called for a run that is not there, has ended or is of another kind.
  void ask(const std::string& run, const char* question,
           const std::function<void(const Json& answer)>& use) {
    try {
      const auto dir = x_workspace.runs().open_dir(run);
      if (!dir) return;
      with_asked(*dir, x_context, Past::kPresent,
                 [&](const Machine& machine, const RunState& state) {
                   if (state.end) return;
                   const auto answer = Json::parse(machine.answer(Json{{"ask", question}}.dump()));
                   if (!answer.is_null()) use(answer);
                 });
    } catch (const Error&) {
      return;
    }
  }

  void look_at_beat() {
    const auto beat = read_last_beat(x_workspace.home_path());
    if (!beat) return;
    for (const auto& trouble : beat->troubles) {
      add({}, "the last heartbeat: " + trouble, "doctor", beat->at_ms);
    }
  }

  std::vector<std::string> loops() {
    const auto page = x_index.ask([](Database& database) {
      return list_runs(database, {.statuses = {"ready", "waiting"},
                                  .process = kSubconsciousProcess,
                                  .limit = kMostShownLoops});
    });
    std::vector<std::string> names;
    for (const auto& row : page ? page->rows : std::vector<RunRow>()) names.push_back(row.name);
    return names;
  }

  void look_at_loop(const std::string& run) {
    const std::string prefix = std::string(kSubconsciousProcess) + "-";
    const auto flag = run.starts_with(prefix) ? " --name " + run.substr(prefix.size()) : "";
    ask(run, "status", [&](const Json& status) {
      const auto paused = status.find("paused");
      if (paused != status.end() && paused->at("by") == "") {
        add(run, "the loop paused itself: " + paused->at("reason").get<std::string>(),
            "heartbeat:resume" + flag, paused->at("since").get<int64_t>());
      } else if (const uint64_t failures = status.at("failures"); failures >= kManyFailures) {
        add(run, std::to_string(failures) + " ticks failed in a row", "heartbeat:log" + flag);
      }
      for (const auto& card : status.at("failedCards")) {
        add(run, "approved and failed: " + card.at(1).get<std::string>(),
            "approval:retry " + run + " " + format_effect_id(card.at(0)));
      }
    });
  }

  void look_at_board() {
    ask(kBoardRun, "board", [&](const Json& board) {
      for (const auto& card : board.at("cards")) {
        const std::string id = card.at("cardId");
        const std::string status = card.at("status");
        const auto what = [&](const char* how) {
          return "card " + id + " " + how + ": " + card.at("title").get<std::string>();
        };
        if (const auto worker = card.find("worker"); worker != card.end() && worker->is_object()) {
          x_workers.emplace(worker->value("channel", ""), worker->value("workerId", ""));
        }
        if (status == "pending_approval") add(kBoardRun, what("is proposed"), "board:show " + id);
        if (status == "waiting_input") add(kBoardRun, what("waits for you"), "board:show " + id);
        if (status == "needs_review") add(kBoardRun, what("is to be reviewed"), "board:show " + id);
      }
    });
  }

  std::vector<std::string> channels_at_work() {
    return x_index.ask([](Database& database) {
      std::vector<std::string> names;
      auto busy = database.prepare(
          "SELECT work.run FROM work JOIN runs ON name = work.run WHERE spawned > ended AND "
          "process = 'channel' AND status IN ('ready', 'waiting') ORDER BY work.run LIMIT ?");
      for (busy.bind(kMostBusyChannels); busy.next();) names.push_back(busy.text(0));
      return names;
    });
  }

  /// Those of cards stand under their cards.
  void look_at_workers(const std::string& channel) {
    ask(channel, "workers", [&](const Json& workers) {
      for (const auto& worker : workers) {
        const std::string id = worker.at("workerId");
        if (worker.at("state") != "waiting_input" || x_workers.contains({channel, id})) continue;
        const auto asks = worker.value("report", "");
        add(channel, "worker " + id + " waits for you" + (asks.empty() ? "" : ": " + asks),
            "worker:route " + channel + " " + id + " --command continue --text TEXT",
            worker.at("updatedAt").get<int64_t>());
      }
    });
  }

  void look_at_schedules() {
    ask(kSchedulesRun, "schedules", [&](const Json& schedules) {
      for (const auto& schedule : schedules) {
        const auto last = schedule.find("last");
        if (last == schedule.end() || last->value("outcome", "") != "failed") continue;
        const auto id = schedule.at("scheduleId").dump();
        const auto name = schedule.value("name", "");
        add(kSchedulesRun,
            "schedule " + (name.empty() ? id : name) + " failed: " + last->value("error", ""),
            "schedule:log " + id, last->at("at").get<int64_t>());
      }
    });
  }

  void look_at_hooks() {
    for (const auto& name : logged_hooks(x_workspace.home_path())) {
      DeliveryLog log(x_workspace.home_path(), name);
      if (!log.read()) continue;
      uint64_t parked = 0;
      const std::pair<const EventId, Undelivered>* first = nullptr;
      for (const auto& event : log.undelivered()) {
        if (!event.second.parked) continue;
        if (parked++ == 0) first = &event;
      }
      if (first == nullptr) continue;
      const auto more = parked == 1 ? "" : " and " + std::to_string(parked - 1) + " more";
      add(first->first.run,
          "hook " + name + " gave up " + first->first.text() + more + ": " + first->second.error,
          "hook:list " + name);
    }
  }

  Workspace& x_workspace;
  const Context& x_context;
  RunIndex& x_index;
  std::vector<Attention> x_found;
  std::set<std::pair<std::string, std::string>> x_workers;  ///< channel and worker of each card
};

}  // namespace

std::vector<Attention> needs_attention(Workspace& workspace, const Context& context,
                                       RunIndex& index) {
  return AttentionSearch(workspace, context, index).run();
}

}  // namespace reprise
