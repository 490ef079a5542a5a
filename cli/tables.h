// The parts of the command table, one a noun. command_table.cc joins them.
#pragma once

#include <span>

#include "cli/command_table.h"

namespace reprise {

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
