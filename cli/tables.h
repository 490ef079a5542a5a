// The parts of the command table, one a noun, and what they have in common. command_table.cc joins
// them.
#pragma once

#include <span>

#include "cli/command_table.h"

namespace reprise {

/// RUN, and EFFECT behind it.
inline constexpr Positional kRunPositional = {
    "RUN", "the run: its id, a unique prefix of one, a path, or @last"};
inline constexpr Positional kRunPositionals[] = {kRunPositional};
inline constexpr Positional kEffectPositionals[] = {kRunPositional,
                                                    {"EFFECT", "the effect: its id (t3)", true}};

/// Instead of EFFECT.
inline constexpr Flag kEffectKeyFlag = {"--key", "KEY",
                                        "name the effect by the key that its author gave it"};
inline constexpr Flag kRepeatFlag = {"--key", "KEY", "a repeat with this key changes nothing"};
inline constexpr Flag kByFlag = {"--by", "NAME", "who does it; default the user"};
inline constexpr Flag kDryRunFlag = {"--dry-run", "", "check everything, record nothing"};

/// How commands fail that read a run, that read the index over all runs, that record something.
inline constexpr Exit kReadExits[] = {Exit::kNotFound, Exit::kCorrupt};
inline constexpr Exit kIndexExits[] = {Exit::kNotFound, Exit::kLocked};
inline constexpr Exit kWriteExits[] = {Exit::kNotFound, Exit::kConflict, Exit::kCorrupt,
                                       Exit::kLocked};

std::span<const CommandSpec> run_table();
std::span<const CommandSpec> drive_table();
std::span<const CommandSpec> course_table();
std::span<const CommandSpec> stop_table();
std::span<const CommandSpec> view_table();
std::span<const CommandSpec> task_table();
std::span<const CommandSpec> approval_table();
std::span<const CommandSpec> channel_table();
std::span<const CommandSpec> message_table();
std::span<const CommandSpec> worker_table();
std::span<const CommandSpec> executor_table();
std::span<const CommandSpec> process_table();
std::span<const CommandSpec> heartbeat_table();
std::span<const CommandSpec> home_table();
std::span<const CommandSpec> index_table();
std::span<const CommandSpec> memory_table();
std::span<const CommandSpec> visor_table();
std::span<const CommandSpec> agent_table();
std::span<const CommandSpec> board_table();
std::span<const CommandSpec> schedule_table();
std::span<const CommandSpec> loop_table();
std::span<const CommandSpec> hook_table();
std::span<const CommandSpec> other_table();

}  // namespace reprise
