#include "processes/board/check.h"

#include <algorithm>

#include "processes/board/titles.h"
#include "unicode/unicode.h"

namespace reprise::board {

namespace {

using Verdict = std::optional<Refusal>;

constexpr size_t kMostIdBytes = 64;
constexpr size_t kMostNameBytes = 256;
constexpr size_t kMostTextBytes = 65536;
constexpr size_t kMostChannels = 100;

Verdict invalid(const std::string& message, const std::string& hint = {}) {
  return Refusal{Refusal::Kind::kInvalid, "INVALID_SIGNAL", message, hint};
}

Verdict conflict(const char* code, const std::string& message, const std::string& hint) {
  return Refusal{Refusal::Kind::kConflict, code, message, hint};
}

/// A worker is at the card. Where the card is moved to ends it, of which the board hears by beats.
Verdict busy(const Work& work, const std::string& card, const std::string& to) {
  return conflict("CARD_BUSY", "a worker in " + work.channel + " is at " + card,
                  "reprise board:move " + card + " " + to +
                      " ends it; when it has ended, reprise heartbeat tells the board");
}

bool is_id(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !text.empty() && text.size() <= kMostIdBytes && is_plain(text.front()) &&
         std::ranges::all_of(
             text, [&](char c) { return is_plain(c) || c == '.' || c == '_' || c == '-'; });
}

/// The members that are texts are, and no longer than they may be.
Verdict check_texts(const Json& value) {
  if (!value.is_object()) return invalid("the value must be an object");
  for (const auto& [name, member] : value.items()) {
    const bool long_one = name == "description" || name == "reason";
    const auto most = long_one ? kMostTextBytes : kMostNameBytes;
    const bool lists = name == "channels" || name == "events" || name == "from";
    if (lists || member.is_null()) continue;
    if (!member.is_string() && name != "gone") return invalid("\"" + name + "\" must be a text");
    if (member.is_string() && name != "title" &&
        member.get_ref<const std::string&>().size() > most) {
      return invalid("\"" + name + "\" is longer than " + std::to_string(most) + " bytes");
    }
  }
  return std::nullopt;
}

const Project* find_project(const Board& board, const Json& value) {
  const auto found = board.projects.find(text_of(value, "projectId"));
  return found == board.projects.end() ? nullptr : &found->second;
}

Refusal no_project(const Json& value) {
  return {Refusal::Kind::kNotFound, "PROJECT_NOT_FOUND",
          "there is no project \"" + text_of(value, "projectId") + "\"",
          "reprise project:list shows them; project:create makes one"};
}

Refusal no_card(const Json& value) {
  return {Refusal::Kind::kNotFound, "CARD_NOT_FOUND",
          "there is no card \"" + text_of(value, "cardId") + "\"",
          "reprise board:list --all shows them"};
}

/// {"channel", "from"} each, of nobody else.
Verdict check_links(const Board& board, const Json& links, const Project* project) {
  if (!links.is_array() || links.size() > kMostChannels) {
    return invalid("\"channels\" must be a list of at most " + std::to_string(kMostChannels));
  }
  for (const auto& link : links) {
    const auto channel = text_of(link, "channel");
    if (channel.empty() || number_of(link, "from", -1) < 0) {
      return invalid("a channel to link needs \"channel\" and \"from\"");
    }
    const auto* owner = board.project_of_channel(channel);
    if (owner != nullptr && owner != project) {
      return conflict("CHANNEL_LINKED",
                      "channel " + channel + " is linked to the project " + owner->id,
                      "reprise project:link " + owner->id + " " + channel + " --unlink");
    }
  }
  return std::nullopt;
}

/// What a card may be assigned to.
Verdict check_assignee(const Project& project, const Json& value) {
  const auto channel = text_of(value, "channel");
  if (channel.empty() && !text_of(value, "agent").empty()) {
    return invalid("an agent works in a channel: say which", "--channel CHANNEL");
  }
  if (channel.empty() || project.has(channel)) return std::nullopt;
  return conflict("CHANNEL_NOT_LINKED",
                  "channel " + channel + " is not linked to the project " + project.id,
                  "reprise project:link " + project.id + " " + channel);
}

/// No other card of the project is open under this title.
Verdict check_same(const Board& board, const std::string& project, const std::string& title) {
  const auto* same = board.find_same(project, title);
  if (same == nullptr) return std::nullopt;
  return conflict("CARD_EXISTS",
                  same->id + " of the project " + project + " has the same title and is " +
                      std::string(name_of(same->status)),
                  "reprise board:show " + same->id);
}

Verdict check_title(const Board& board, const Project& project, const Json& value) {
  const auto title = unicode::collapsed(text_of(value, "title"));
  if (title.empty()) return invalid("a card needs a title");
  if (unicode::count(title) > kLongestTitle) {
    return invalid("the title is longer than " + std::to_string(kLongestTitle) + " characters",
                   "say the rest with --description");
  }
  return check_same(board, project.id, title);
}

Verdict check_way(const Board& board, const Json& value, Status otherwise, MoveBy by) {
  if (auto wrong = check_texts(value)) return wrong;
  const auto* card = board.find_card(text_of(value, "cardId"));
  if (card == nullptr) return no_card(value);
  const auto word = text_of(value, "to", std::string(name_of(otherwise)));
  const auto to = find_status(word);
  if (!to) return invalid("there is no status \"" + word + "\"");
  if (may_move(card->status, *to, by)) {
    const bool opens = is_over(card->status) && !is_over(*to);
    return opens ? check_same(board, card->project, card->title) : std::nullopt;
  }
  const auto from = std::string(name_of(card->status));
  if (by == MoveBy::kApproval) {
    return conflict(
        "NOT_PENDING_APPROVAL",
        card->id + " is " + from + ": it waits for no approval, or not to go to " + word,
        "approved cards go to backlog or ready; reprise board:move moves others");
  }
  const bool proposal = card->status == Status::kPendingApproval;
  return conflict("MOVE_NOT_ALLOWED",
                  card->id + " is " + from + " and cannot go to " + word +
                      "; from there it can go to " + ways_out(card->status),
                  proposal ? "reprise board:approve " + card->id + " lets it go further" : "");
}

}  // namespace

Verdict check_project_create(const Board& board, const Json& value) {
  if (auto wrong = check_texts(value)) return wrong;
  const auto id = text_of(value, "projectId");
  if (!is_id(id)) {
    return invalid("\"" + id + "\" cannot be the id of a project",
                   "letters, digits, dots, underscores and hyphens, at most 64, the first a letter "
                   "or digit");
  }
  if (board.projects.contains(id)) {
    return conflict("PROJECT_EXISTS", "there is a project " + id + " already",
                    "reprise project:show " + id);
  }
  return check_links(board, value.value("channels", Json::array()), nullptr);
}

Verdict check_project_link(const Board& board, const Json& value) {
  if (auto wrong = check_texts(value)) return wrong;
  const auto* project = find_project(board, value);
  if (project == nullptr) return no_project(value);
  return check_links(board, member_of(value, "channels"), project);
}

Verdict check_project_unlink(const Board& board, const Json& value) {
  if (auto wrong = check_project_link(board, value)) return wrong;
  const auto* project = find_project(board, value);
  for (const auto& link : value.at("channels")) {
    const auto channel = text_of(link, "channel");
    if (!project->has(channel)) {
      return conflict("CHANNEL_NOT_LINKED",
                      "channel " + channel + " is not linked to the project " + project->id,
                      "reprise project:show " + project->id);
    }
    for (const auto& [id, card] : board.cards) {
      if (card.work && card.work->channel == channel) {
        return busy(*card.work, id, "backlog");
      }
    }
  }
  return std::nullopt;
}

Verdict check_card_add(const Board& board, const Json& value) {
  if (auto wrong = check_texts(value)) return wrong;
  const auto* project = find_project(board, value);
  if (project == nullptr) return no_project(value);
  if (!priority_of(text_of(value, "priority", "medium"))) {
    return invalid("a priority is low, medium or high");
  }
  const auto status = find_status(text_of(value, "status", "backlog"));
  const bool begins =
      status == Status::kPendingApproval || status == Status::kBacklog || status == Status::kReady;
  if (!begins) return invalid("a card begins as pending_approval, backlog or ready");
  if (auto wrong = check_title(board, *project, value)) return wrong;
  return check_assignee(*project, value);
}

Verdict check_card_move(const Board& board, const Json& value) {
  if (text_of(value, "to").empty()) return invalid("the status to move it to is missing");
  return check_way(board, value, kApprovedTo, MoveBy::kAnyone);
}

Verdict check_card_approve(const Board& board, const Json& value) {
  return check_way(board, value, kApprovedTo, MoveBy::kApproval);
}

Verdict check_card_assign(const Board& board, const Json& value) {
  if (auto wrong = check_texts(value)) return wrong;
  const auto* card = board.find_card(text_of(value, "cardId"));
  if (card == nullptr) return no_card(value);
  if (card->work) {
    return busy(*card->work, card->id, "backlog");
  }
  return check_assignee(board.projects.at(card->project), value);
}

Verdict check_card_remove(const Board& board, const Json& value) {
  if (auto wrong = check_texts(value)) return wrong;
  const auto* card = board.find_card(text_of(value, "cardId"));
  if (card == nullptr) return no_card(value);
  if (!card->work) return std::nullopt;
  return busy(*card->work, card->id, "cancelled");
}

Verdict check_channel_heard(const Board&, const Json& value) {
  if (auto wrong = check_texts(value)) return wrong;
  if (text_of(value, "channel").empty()) return invalid("\"channel\" is missing");
  const auto& events = member_of(value, "events");
  const bool is_list = events.is_array() && std::ranges::all_of(events, [](const Json& event) {
                         return number_of(event, "seq") > 0 && !text_of(event, "type").empty();
                       });
  return is_list ? std::nullopt : invalid("\"events\" must be a list of {seq, type, payload}");
}

}  // namespace reprise::board
