// The commands of channels, as cli/commands.h: messages, workers, branches and artifacts with them.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply channel_create(const Arguments& arguments);
Reply channel_list(const Arguments& arguments);
Reply channel_show(const Arguments& arguments);
Reply channel_config(const Arguments& arguments);
Reply channel_stop(const Arguments& arguments);
Reply channel_hold(const Arguments& arguments);
Reply channel_release(const Arguments& arguments);
Reply channel_recover(const Arguments& arguments);
Reply channel_close(const Arguments& arguments);
Reply channel_delete(const Arguments& arguments);
Reply channel_allow(const Arguments& arguments);
Reply channel_deny(const Arguments& arguments);

std::string channel_create_text(const Document& document, const Style& style);
std::string channel_list_text(const Document& document, const Style& style);
std::string channel_show_text(const Document& document, const Style& style);
std::string channel_config_text(const Document& document, const Style& style);
std::string channel_stop_text(const Document& document, const Style& style);
std::string channel_hold_text(const Document& document, const Style& style);
std::string channel_release_text(const Document& document, const Style& style);
std::string channel_recover_text(const Document& document, const Style& style);
std::string channel_close_text(const Document& document, const Style& style);
std::string channel_delete_text(const Document& document, const Style& style);
std::string channel_allow_text(const Document& document, const Style& style);
std::string channel_deny_text(const Document& document, const Style& style);

Reply message_post(const Arguments& arguments);
Reply message_interrupt(const Arguments& arguments);
Reply message_list(const Arguments& arguments);
Reply message_cancel(const Arguments& arguments);
Reply message_reorder(const Arguments& arguments);
Reply message_delay(const Arguments& arguments);
Reply message_route(const Arguments& arguments);

std::string message_post_text(const Document& document, const Style& style);
std::string message_list_text(const Document& document, const Style& style);
std::string message_cancel_text(const Document& document, const Style& style);
std::string message_reorder_text(const Document& document, const Style& style);
std::string message_delay_text(const Document& document, const Style& style);
std::string message_route_text(const Document& document, const Style& style);

Reply worker_list(const Arguments& arguments);
Reply worker_show(const Arguments& arguments);
Reply worker_spawn(const Arguments& arguments);
Reply worker_route(const Arguments& arguments);
Reply worker_cancel(const Arguments& arguments);

std::string worker_list_text(const Document& document, const Style& style);
std::string worker_show_text(const Document& document, const Style& style);
std::string worker_spawn_text(const Document& document, const Style& style);
std::string worker_route_text(const Document& document, const Style& style);
std::string worker_cancel_text(const Document& document, const Style& style);

Reply branch_list(const Arguments& arguments);
Reply branch_show(const Arguments& arguments);
Reply branch_spawn(const Arguments& arguments);

std::string branch_list_text(const Document& document, const Style& style);
std::string branch_show_text(const Document& document, const Style& style);
std::string branch_spawn_text(const Document& document, const Style& style);

Reply artifact_list(const Arguments& arguments);
Reply artifact_show(const Arguments& arguments);

std::string artifact_list_text(const Document& document, const Style& style);
std::string artifact_show_text(const Document& document, const Style& style);

}  // namespace reprise
