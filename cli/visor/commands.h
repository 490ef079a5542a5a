// The commands of the visor, as cli/commands.h.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply visor_status(const Arguments& arguments);
std::string visor_status_text(const Document& document, const Style& style);

Reply bulletin_show(const Arguments& arguments);
std::string bulletin_show_text(const Document& document, const Style& style);

Reply bulletin_list(const Arguments& arguments);
std::string bulletin_list_text(const Document& document, const Style& style);

}  // namespace reprise
