// What a channel's effect asks for, as text for an agent or as messages for a model.
#pragma once

#include <string>
#include <string_view>

#include "engine/executors/json_fields.h"

namespace reprise {

/// All that an agent is told: the task's `prompt`, else that of the inputs, and in which form it
/// may answer.
std::string turn_text(std::string_view kind, const std::string& prompt, const OrderedJson& inputs);

/// The same for a model that knows roles: [{"role","content"}]. At most one system message, at the
/// beginning, then user and assistant in turns, and a user at the end: many models take nothing
/// else. Authors are named when there are several.
OrderedJson turn_messages(std::string_view kind, const std::string& prompt,
                          const OrderedJson& inputs);

/// What it is an answer to: the message that triggered a reply, the objective or the last word to a
/// worker, the question of a branch.
std::string turn_trigger(std::string_view kind, const OrderedJson& inputs);

}  // namespace reprise
