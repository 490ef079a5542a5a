// The commands of hooks, as cli/commands.h.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply hook_list(const Arguments& arguments);
Reply hook_retry(const Arguments& arguments);

std::string hook_list_text(const Document& document, const Style& style);
std::string hook_retry_text(const Document& document, const Style& style);

}  // namespace reprise
