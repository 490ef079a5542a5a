// The commands of agents, as cli/commands.h.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply agent_create(const Arguments& arguments);
Reply agent_list(const Arguments& arguments);
Reply agent_show(const Arguments& arguments);
Reply agent_config(const Arguments& arguments);
Reply agent_heartbeat(const Arguments& arguments);

std::string agent_create_text(const Document& document, const Style& style);
std::string agent_list_text(const Document& document, const Style& style);
std::string agent_show_text(const Document& document, const Style& style);
std::string agent_config_text(const Document& document, const Style& style);
std::string agent_heartbeat_text(const Document& document, const Style& style);

}  // namespace reprise
