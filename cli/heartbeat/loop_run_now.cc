// heartbeat:run-now: a tick at once, performed as run:drive does.
#include <unistd.h>

#include "cli/configured.h"
#include "cli/drive_document.h"
#include "cli/drive_lines.h"
#include "cli/heartbeat/loop.h"
#include "cli/heartbeat/loop_home.h"
#include "cli/iteration.h"
#include "cli/text.h"
#include "engine/drive/drive.h"
#include "engine/drive/real_performers.h"
#include "engine/family.h"
#include "engine/heartbeat/loop_tick.h"
#include "journal/clock.h"

namespace reprise {
namespace {

/// What a tick itself needs: cards and what was approved are not for it to wait for.
bool serves_tick(const OpenEffect& effect) {
  for (const std::string_view noun :
       {"evaluate:", "act:", "act-full:", "analyse:", "agent-full:", "again:"}) {
    if (effect.key.starts_with(noun)) return !effect.key.starts_with("again:approved:");
  }
  return false;
}

class RunNow {
 public:
  RunNow(const Arguments& arguments, const Session& session)
      : x_arguments(arguments),
        x_session(session),
        x_home(arguments, session, true),
        x_config(configuration(arguments, x_home.workspace().home())) {}

  Reply go() {
    const bool waits = !x_arguments.has("--no-wait");
    if (waits) {
      if (!has_evaluator(x_config)) refuse_unconfigured();
      require_trust(x_home.workspace().home());
    }
    const auto run = x_home.open();
    Document last = nullptr;
    const auto tick_id = open_tick(run, last);
    Reply reply{.document = new_document(), .warnings = x_config.warnings};
    reply.document["runId"] = run.name;
    reply.document["recorded"] = x_recorded;
    reply.document["tickId"] = tick_id.empty() ? Document() : Document(tick_id);
    std::optional<DriveEnd> end;
    if (waits && !tick_id.empty() && is_open(run, tick_id)) {
      end = drive_tick(run, tick_id);
      if (end->failure) throw Error(*end->failure);
      last = x_home.ask({{"ask", "last"}});
    }
    add_tick(reply, tick_id, last);
    if (end && reply.document["state"] == "open") reply.exit = drive_exit(*end);
    if (waits && reply.document["state"] == "failed") reply.exit = Exit::kNo;
    return reply;
  }

 private:
  [[noreturn]] static void refuse_unconfigured() {
    throw Error(Exit::kUsage, "NO_EVALUATOR", "no executor matches effects of the kind evaluate",
                "configure one (docs/subconscious.md); --no-wait opens the tick all the same, for "
                "whoever posts its results");
  }

  /// Id of the tick; empty when nothing is due. `last` is what the loop then says of its last tick.
  std::string open_tick(const RunHandle& run, Document& last) {
    const Neighbours neighbours(run);
    const auto& context = x_session.context();
    auto index = x_session.index(x_home.workspace());
    AskedRuns asked;
    BeatHome beat_home{.workspace = x_home.workspace(),
                       .context = context,
                       .index = index,
                       .asked = asked,
                       .config = x_config,
                       .now_ms = x_home.now_ms(),
                       .simulated = x_arguments.has("--now")};
    const auto file = read_task_file(x_home.workspace().home_path());
    tell_file(neighbours.folder(), run, file);
    const auto beat = ask_loop(*run.dir, context, {{"ask", "beat"}, {"at", x_home.now_ms()}});
    if (beat.at("due").empty()) return {};
    auto signal = tick_signal(beat_home, loop_settings(x_config), beat, file.notices, {});
    signal.key = x_arguments.value("--key").value_or("");
    const auto told = tell_among(neighbours.folder(), run.name, *run.dir, context, {signal},
                                 After::kIterate, R"({"ask":"last"})");
    x_recorded = told.signals.front().recorded;
    x_notes = told.iteration.notes;
    last = Document::parse(told.answer);
    date_answer(last);
    return "k" + std::to_string(told.signals.front().seq);
  }

  /// The first time it also lets the loop begin, so that it can be asked.
  void tell_file(const RunFolder& folder, const RunHandle& run, const TaskFile& file) {
    const auto& context = x_session.context();
    const auto beat = ask_loop(*run.dir, context, {{"ask", "beat"}, {"at", x_home.now_ms()}});
    std::vector<Signal> signals;
    const bool owns_file = run.name == kSubconsciousProcess;
    if (auto import = import_signal(file, beat.at("fileDigest")); import && owns_file) {
      signals.push_back(std::move(*import));
    }
    tell_among(folder, run.name, *run.dir, context, signals, After::kIterate, {});
  }

  bool is_open(const RunHandle& run, const std::string& tick_id) const {
    const auto tick = ask_loop(*run.dir, x_session.context(), {{"ask", "tick"}});
    return tick.value("tickId", "") == tick_id && tick.value("state", "") == "open";
  }

  DriveEnd drive_tick(const RunHandle& run, const std::string& tick_id) {
    DriveRequest request;
    request.home = x_home.workspace().home_path();
    request.run = run.name;
    request.pid = static_cast<uint64_t>(::getpid());
    const auto& author = x_session.context().author;
    request.worker = "heartbeat:run-now " + author.user + "@" + author.host;
    request.jobs = x_config.jobs;
    if (x_config.lease_ms > 0) request.lease_ms = x_config.lease_ms;
    request.min_free_bytes = x_config.min_free_bytes;
    request.wanted = serves_tick;
    uint64_t seen = 0;
    bool over = false;
    request.enough = [&](const RunState& state) {
      if (state.head.seq == seen) return over;
      seen = state.head.seq;
      over = !is_open(run, tick_id);
      return over;
    };
    RealPerformers performers(x_config);
    SilentDrive listener;
    const Neighbours neighbours(run);
    return drive(neighbours.folder(), x_session.context(), performers, listener, request);
  }

  /// What became of it, entry by entry. Of a tick of long ago, which a repeated --key named, the
  /// loop knows the entries only.
  void add_tick(Reply& reply, const std::string& tick_id, const Document& last) {
    reply.document["state"] = "nothing due";
    reply.document["entries"] = Document::array();
    if (tick_id.empty()) return;
    reply.warnings.insert(reply.warnings.end(), x_notes.begin(), x_notes.end());
    const Document& tick = last["tick"];
    if (tick.value("tickId", std::string()) == tick_id) {
      reply.document["state"] = tick["state"];
      if (tick.contains("text")) reply.document["text"] = tick["text"];
      reply.document["entries"] = last["entries"];
      return;
    }
    reply.document["state"] = "over";
    const Document log = x_home.ask({{"ask", "log"}});
    for (const Document& entry : log["entries"]) {
      if (entry["tickId"] == tick_id) reply.document["entries"].push_back(entry);
    }
  }

  const Arguments& x_arguments;
  const Session& x_session;
  LoopHome x_home;
  Config x_config;
  bool x_recorded = false;
  std::vector<std::string> x_notes;  ///< of what opened the tick
};

}  // namespace

Reply heartbeat_run_now(const Arguments& arguments) {
  const Session session(arguments);
  return RunNow(arguments, session).go();
}

std::string heartbeat_run_now_text(const Document& document, const Style& style) {
  if (document["tickId"].is_null()) return "nothing is due\n";
  std::string out = paint(style, Colour::kBold, document["tickId"].get<std::string>()) + "  " +
                    document["state"].get<std::string>();
  if (document.contains("text")) out += ": " + shown(document["text"].get<std::string>());
  out += "\n";
  for (const Document& entry : document["entries"]) out += entry_line(entry, style);
  return out;
}

}  // namespace reprise
