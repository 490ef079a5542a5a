// The commands of what keeps a home alive.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply heartbeat(const Arguments& arguments);
Reply heartbeat_install(const Arguments& arguments);

std::string heartbeat_text(const Document& document, const Style& style);
std::string heartbeat_install_text(const Document& document, const Style& style);

}  // namespace reprise
