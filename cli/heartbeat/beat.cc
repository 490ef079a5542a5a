// heartbeat: one look at the whole home, and everything that is due is done.
#include <chrono>
#include <optional>

#include "cli/configured.h"
#include "cli/heartbeat/beat_document.h"
#include "cli/heartbeat/chores.h"
#include "cli/heartbeat/commands.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/end_signals.h"
#include "engine/heartbeat/home_runs.h"
#include "engine/heartbeat/last_beat.h"

namespace reprise {
namespace {

constexpr uint64_t kMaxRuns = 1000;
constexpr uint64_t kMaxSeconds = 50;
constexpr int64_t kShortestLoopMs = 1000;
/// What heartbeat.json keeps of what went wrong.
constexpr size_t kMostTroubles = 5;
constexpr size_t kTroubleWidth = 300;
/// Between two looks at the home while effects are performed.
constexpr int64_t kLookMs = 1000;

/// What the flags say, and what lives longer than one beat.
class Heart {
 public:
  explicit Heart(const Arguments& arguments)
      : x_arguments(arguments),
        x_max_runs(arguments.count("--max-runs").value_or(kMaxRuns)),
        x_seconds(arguments.count("--max-seconds").value_or(kMaxSeconds)) {
    if (const auto loop = arguments.value("--loop")) x_loop_ms = read_interval(*loop);
    if (x_loop_ms > 0 || arguments.has("--drive")) x_signals.emplace();
  }

  Reply dry_run() {
    const Session session(x_arguments);
    Workspace workspace = session.workspace_to_read();
    if (!workspace.exists()) return {.document = quiet_document(workspace, session.context())};
    return look(session, workspace, [this](BeatHome& home, BeatRuns& runs) {
      const auto drivable =
          x_arguments.has("--drive") ? std::optional(list_drivable(home)) : std::nullopt;
      const auto chores = make_chores(home.workspace.home());
      return Reply{.document =
                       beat_plan(home, chores, runs, drivable ? &*drivable : nullptr, x_max_runs)};
    });
  }

  Reply once() { return one_beat(); }

  /// Beat after beat, each printed as it ends, until a signal comes.
  Reply loop(const CommandSpec& command) {
    uint64_t beats = 0;
    const auto flag = [this](std::string_view name) { return x_arguments.value(name); };
    const OutputOptions options = output_options(flag, colour_terminal());
    while (!x_signals->came()) {
      try {
        const Printed printed = print_reply(command, one_beat(), options);
        write_err(printed.err);
        if (!write_out(printed.out)) throw system_error("write", "standard output", errno);
      } catch (const Error& error) {
        if (beats == 0) throw;  // what is wrong from the beginning is wrong with the command
        complain("heartbeat: " + error.message());
      }
      ++beats;
      x_signals->pause(x_loop_ms);
    }
    end_drivers();
    Reply reply{.document = new_document()};
    reply.document["beats"] = beats;
    return reply;
  }

 private:
  using Use = std::function<Reply(BeatHome&, BeatRuns&)>;

  int64_t read_interval(const std::string& text) const {
    const int64_t interval_ms = parse_duration_ms(text, "--loop");
    if (interval_ms >= kShortestLoopMs && !x_arguments.has("--now")) return interval_ms;
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                x_arguments.has("--now") ? "--loop goes by the wall clock: --now has no place in it"
                                         : "--loop is at least 1s");
  }

  Reply look(const Session& session, Workspace& workspace, const Use& use) {
    const Config config = configuration(x_arguments, workspace.home());
    if (x_arguments.has("--drive")) require_trust(workspace.home());
    Context context = session.context();
    if (!x_arguments.has("--lock-timeout")) context.lock_timeout_ms = 0;
    RunIndex index = session.index(workspace);
    BeatHome home{.workspace = workspace,
                  .context = context,
                  .index = index,
                  .asked = x_asked,
                  .config = config,
                  .now_ms = context.clock.now_ms(),
                  .simulated = x_arguments.has("--now"),
                  .last_beat_ms = time_of_last_beat(workspace)};
    HomeRuns runs(home, read_source_file, [this, &workspace](const std::string& run) {
      OwnProgram program(words(workspace.runs_path(), {"run:iterate", run, "--lock-timeout", "0s"}),
                         OwnProgram::Life::kBound);
      while (!program.wait(1000)) continue;
      if (const auto answer = read_answer(program); answer.error) throw Error(*answer.error);
    });
    return use(home, runs);
  }

  /// nullopt also of a simulated home, which has no clock that goes on by itself.
  std::optional<int64_t> time_of_last_beat(const Workspace& workspace) const {
    if (x_arguments.has("--now")) return std::nullopt;
    const auto last = read_last_beat(workspace.home_path());
    return last ? std::optional(last->at_ms) : std::nullopt;
  }

  /// Looks at the home again while effects are performed: what they bring is taken on. Nothing of
  /// the home is held meanwhile.
  Reply one_beat() {
    const auto began = std::chrono::steady_clock::now();
    const auto over = [&] {
      if (x_signals && x_signals->came()) stop_drivers();
      return x_ending || std::chrono::steady_clock::now() - began > std::chrono::seconds(x_seconds);
    };
    if (x_drivers) x_drivers->begin_beat();
    Beat beat({.max_runs = x_max_runs, .over = over});
    for (;;) {
      Reply reply = one_look(beat);
      const bool is_driving = !beat.done().driving.empty();
      if (x_ending) end_drivers();
      if (x_loop_ms == 0 && is_driving && !over()) {
        x_drivers->pause(kLookMs);
        continue;
      }
      for (const auto& error : beat.done().errors) {
        complain(error.text());
      }
      return reply;
    }
  }

  Reply one_look(Beat& beat) {
    const Session session(x_arguments);
    Workspace workspace = session.workspace_to_read();
    if (!workspace.exists()) return {.document = quiet_document(workspace, session.context())};
    return look(session, workspace, [&](BeatHome& home, BeatRuns& runs) {
      if (x_chores.empty()) x_chores = make_chores(home.workspace.home());
      Drivers* drivers = x_arguments.has("--drive") ? &make_drivers(home) : nullptr;
      beat.go({.home = home, .chores = x_chores, .runs = runs, .drivers = drivers});
      return report(home, beat.done());
    });
  }

  static std::vector<std::string> troubles_of(const BeatDone& done) {
    std::vector<std::string> troubles;
    for (const auto& error : done.errors) {
      if (troubles.size() < kMostTroubles) troubles.push_back(shown(error.text(), kTroubleWidth));
    }
    return troubles;
  }

  static Reply report(const BeatHome& home, const BeatDone& done) {
    if (!home.simulated) {
      write_last_beat(home.workspace.home_path(), {.at_ms = home.now_ms,
                                                   .runs = done.runs.size(),
                                                   .chores = done.chores.size(),
                                                   .errors = done.errors.size(),
                                                   .troubles = troubles_of(done)});
    }
    Reply reply{.document = beat_document(home, done)};
    reply.warnings = done.notes;
    return reply;
  }

  void complain(const std::string& trouble) const {
    if (!x_arguments.has("--quiet")) write_err("reprise: " + shown(trouble) + "\n");
  }

  /// A command of this program about a run of the same home, at the same time.
  std::vector<std::string> words(const std::string& runs_path,
                                 std::vector<std::string> words) const {
    words.insert(words.end(), {"--json", "--runs-dir", runs_path});
    if (const auto now = x_arguments.value("--now")) words.insert(words.end(), {"--now", *now});
    return words;
  }

  Drivers& make_drivers(BeatHome& home) {
    if (!x_drivers) {
      const auto drive = [this, runs = home.workspace.runs_path()](const std::string& run) {
        auto command = words(runs, {"run:drive", run, "--max-seconds", std::to_string(x_seconds)});
        for (const auto& set : x_arguments.values(kSetFlag.name)) {
          command.insert(command.end(), {std::string(kSetFlag.name), set});
        }
        return command;
      };
      const auto jobs = x_arguments.count("--jobs").value_or(home.config.jobs);
      x_drivers.emplace(drive, std::max<uint64_t>(jobs, 1));
    }
    return *x_drivers;
  }

  void stop_drivers() {
    if (x_drivers && !x_ending) x_drivers->stop();
    x_ending = true;
  }

  void end_drivers() {
    if (!x_drivers) return;
    stop_drivers();
    while (!x_drivers->runs().empty()) x_drivers->pause(kLookMs);
  }

  const Arguments& x_arguments;
  uint64_t x_max_runs;
  uint64_t x_seconds;
  int64_t x_loop_ms = 0;  ///< 0: one beat
  bool x_ending = false;
  AskedRuns x_asked;
  std::vector<std::unique_ptr<Chore>> x_chores;
  std::optional<EndSignals> x_signals;
  std::optional<Drivers> x_drivers;
};

}  // namespace

Reply heartbeat(const Arguments& arguments) {
  Heart heart(arguments);
  if (arguments.has("--dry-run")) return heart.dry_run();
  return arguments.has("--loop") ? heart.loop(arguments.command()) : heart.once();
}

}  // namespace reprise
