// The commands of the subconscious loop: its tasks, its log, its ticks (docs/subconscious.md).
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply heartbeat_tasks(const Arguments& arguments);
Reply heartbeat_log(const Arguments& arguments);
Reply heartbeat_status(const Arguments& arguments);
Reply heartbeat_run_now(const Arguments& arguments);
Reply heartbeat_pause(const Arguments& arguments);
Reply heartbeat_resume(const Arguments& arguments);
Reply heartbeat_abandon(const Arguments& arguments);
Reply approval_retry(const Arguments& arguments);

std::string heartbeat_tasks_text(const Document& document, const Style& style);
std::string heartbeat_log_text(const Document& document, const Style& style);
std::string heartbeat_status_text(const Document& document, const Style& style);
std::string heartbeat_run_now_text(const Document& document, const Style& style);
std::string heartbeat_pause_text(const Document& document, const Style& style);
std::string heartbeat_resume_text(const Document& document, const Style& style);
std::string heartbeat_abandon_text(const Document& document, const Style& style);
std::string approval_retry_text(const Document& document, const Style& style);

}  // namespace reprise
