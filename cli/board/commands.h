// The commands of projects and the board, as cli/commands.h.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply project_create(const Arguments& arguments);
Reply project_list(const Arguments& arguments);
Reply project_show(const Arguments& arguments);
Reply project_link(const Arguments& arguments);

std::string project_create_text(const Document& document, const Style& style);
std::string project_list_text(const Document& document, const Style& style);
std::string project_show_text(const Document& document, const Style& style);
std::string project_link_text(const Document& document, const Style& style);

Reply board_add(const Arguments& arguments);
Reply board_list(const Arguments& arguments);
Reply board_show(const Arguments& arguments);
Reply board_move(const Arguments& arguments);
Reply board_assign(const Arguments& arguments);
Reply board_approve(const Arguments& arguments);
Reply board_remove(const Arguments& arguments);

std::string board_list_text(const Document& document, const Style& style);
std::string board_show_text(const Document& document, const Style& style);
std::string board_card_text(const Document& document, const Style& style);
std::string board_approve_text(const Document& document, const Style& style);
std::string board_remove_text(const Document& document, const Style& style);

}  // namespace reprise
