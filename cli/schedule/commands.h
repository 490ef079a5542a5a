// The commands of schedules, as cli/commands.h.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply schedule_add(const Arguments& arguments);
Reply schedule_list(const Arguments& arguments);
Reply schedule_show(const Arguments& arguments);
Reply schedule_edit(const Arguments& arguments);
Reply schedule_enable(const Arguments& arguments);
Reply schedule_disable(const Arguments& arguments);
Reply schedule_remove(const Arguments& arguments);
Reply schedule_run_now(const Arguments& arguments);
Reply schedule_log(const Arguments& arguments);

std::string schedule_add_text(const Document& document, const Style& style);
std::string schedule_list_text(const Document& document, const Style& style);
std::string schedule_show_text(const Document& document, const Style& style);
std::string schedule_edit_text(const Document& document, const Style& style);
std::string schedule_enable_text(const Document& document, const Style& style);
std::string schedule_disable_text(const Document& document, const Style& style);
std::string schedule_remove_text(const Document& document, const Style& style);
std::string schedule_run_now_text(const Document& document, const Style& style);
std::string schedule_log_text(const Document& document, const Style& style);

}  // namespace reprise
