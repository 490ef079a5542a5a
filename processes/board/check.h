// What is wrong with the values of signals.
#pragma once

#include <optional>
#include <string>

#include "engine/process/process.h"
#include "processes/board/state.h"

namespace reprise::board {

std::optional<Refusal> check_project_create(const Board& board, const Json& value);
std::optional<Refusal> check_project_link(const Board& board, const Json& value);
std::optional<Refusal> check_project_unlink(const Board& board, const Json& value);
std::optional<Refusal> check_card_add(const Board& board, const Json& value);
std::optional<Refusal> check_card_move(const Board& board, const Json& value);
std::optional<Refusal> check_card_approve(const Board& board, const Json& value);
std::optional<Refusal> check_card_assign(const Board& board, const Json& value);
std::optional<Refusal> check_card_remove(const Board& board, const Json& value);
std::optional<Refusal> check_channel_heard(const Board& board, const Json& value);

/// Approved cards go there unless something else is said.
constexpr Status kApprovedTo = Status::kBacklog;

}  // namespace reprise::board
