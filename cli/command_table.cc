#include "cli/command_table.h"

#include <algorithm>
#include <array>

#include "cli/tables.h"

namespace reprise {
namespace {

constexpr Flag kGlobalFlags[] = {
    {"--home", "DIR",
     "the home; default $REPRISE_HOME, the nearest .reprise/ above, or ~/.reprise"},
    {"--runs-dir", "DIR", "where the runs are; default runs/ in the home"},
    {"--output", "text|json|jsonl|none", "how the document is printed"},
    {"--json", "", "the same as --output json"},
    {"--get", "POINTER", "print only the value at this JSON pointer of the document, strings bare"},
    {"--color", "auto|always|never",
     "colours in text; auto: on a terminal, unless NO_COLOR is set"},
    {"--quiet", "", "no warnings on standard error"},
    {"--lock-timeout", "DURATION",
     "how long to wait for the run's lock, as 500ms, 30s, 2m; default 30s"},
    {"--now", "TIME", "the time of this command; for runs created with --simulated only"},
    {"--force", "",
     "write although the run's last record lies in the future; in task commands also without "
     "the claim's token, and against an outputSchema"},
};

}  // namespace

std::span<const Family> command_families() {
  static const std::array kFamilies = {
      Family{"across runs", index_table()},
      Family{"runs", run_table()},
      Family{"driving runs", drive_table()},
      Family{"looking at runs", view_table()},
      Family{"stopping runs", stop_table()},
      Family{"changing course", course_table()},
      Family{"tasks", task_table()},
      Family{"approvals", approval_table()},
      Family{"channels", channel_table()},
      Family{"messages", message_table()},
      Family{"workers, branches, artifacts", worker_table()},
      Family{"keeping a home alive", heartbeat_table()},
      Family{"processes", process_table()},
      Family{"executors", executor_table()},
      Family{"the home", home_table()},
      Family{"memory", memory_table()},
      Family{"the visor", visor_table()},
      Family{"agents", agent_table()},
      Family{"projects and the board", board_table()},
      Family{"schedules", schedule_table()},
      Family{"the subconscious loop", loop_table()},
      Family{"hooks", hook_table()},
      Family{"other", other_table()},
  };
  return kFamilies;
}

std::span<const Flag> global_flags() { return kGlobalFlags; }

const CommandSpec* find_command(std::string_view name) {
  for (const Family& family : command_families()) {
    const auto found = std::ranges::find_if(family.commands, [name](const CommandSpec& command) {
      return command.name == name || (!name.empty() && command.alias == name);
    });
    if (found != family.commands.end()) return &*found;
  }
  return nullptr;
}

std::string_view describe_exit(Exit exit) {
  switch (exit) {
    case Exit::kOk:
      return "done (run:iterate: also waiting)";
    case Exit::kNo:
      return "the run failed or was halted; a check says no";
    case Exit::kUsage:
      return "wrong usage or invalid input, or a plan that needs its confirmation";
    case Exit::kNotFound:
      return "no such home, run or effect";
    case Exit::kConflict:
      return "conflict with what is recorded";
    case Exit::kCorrupt:
      return "the journal is corrupt, or records are missing";
    case Exit::kDiverged:
      return "the process asked for something else than what is recorded";
    case Exit::kLocked:
      return "the run's lock was not free in time";
    case Exit::kSystem:
      return "disk or system failure: not acknowledged, outcome unknown, safe to repeat";
    case Exit::kBudget:
      return "the script exceeded its budget; nothing was recorded";
    case Exit::kWaitsForInput:
      return "the run waits for people or tools; task:claim: nothing to take";
    case Exit::kWaitsForTime:
      return "the run waits for time only";
    case Exit::kForbidden:
      return "not permitted";
    case Exit::kBug:
      return "a bug in reprise";
  }
  return "";
}

}  // namespace reprise
