// board:add, move, assign, approve, remove.
#include "cli/board/board_home.h"
#include "cli/board/commands.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"

namespace reprise {
namespace {

/// Its worker begins as soon as it is that.
constexpr const char* kReady = "ready";

void add_texts(Document& value, const Arguments& arguments,
               std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto flag = "--" + std::string(name);
    if (const auto text = arguments.value(flag)) value[name] = checked_text(*text, flag);
  }
}

void add_assignee(Document& value, const Arguments& arguments, const BoardHome& home) {
  add_texts(value, arguments, {"agent"});
  if (value.contains("agent")) home.check_agent(value["agent"]);
  if (const auto channel = arguments.value("--channel"))
    value["channel"] = home.channel_id(*channel);
}

std::string for_somebody_else(const std::string& card) {
  return "somebody else lets " + shown(card, 80) + " begin";
}

Document one_card(const std::string& id) { return {{"ask", "card"}, {"id", id}}; }

Reply card_reply(const BoardHome::Heard& heard, const Document& card) {
  Reply reply{.document = new_document(), .warnings = heard.warnings};
  reply.document["recorded"] = heard.recorded;
  reply.document["card"] = card;
  return reply;
}

}  // namespace

Reply board_add(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, true);
  Document value = {{"projectId", arguments.positional("PROJECT")},
                    {"title", checked_text(arguments.positional("TITLE"), "TITLE")}};
  home.project(value["projectId"]);
  add_texts(value, arguments, {"description", "priority", "status"});
  if (member_text(value, "status") == kReady) {
    refuse_inside_executor("--status pending_approval proposes it to somebody else");
  }
  add_assignee(value, arguments, home);
  const auto heard = home.tell({{"card.add", value}}, {{"ask", "newest"}});
  if (heard.recorded) return card_reply(heard, heard.answer);
  const Document added = home.ask({{"ask", "card"}, {"signal", heard.seq}}, Past::kWhole);
  if (added.is_null()) {
    throw Error(Exit::kNotFound, "CARD_NOT_FOUND", "what was added with this --key is removed",
                "without --key it is a new card");
  }
  return card_reply(heard, added);
}

std::string board_card_text(const Document& document, const Style& style) {
  const bool recorded = document["recorded"];
  return card_line(document["card"], style) +
         (recorded ? "" : "  was recorded before; nothing changed\n");
}

Reply board_move(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const auto id = member_text(home.card(arguments.positional("CARD")), "cardId");
  Document value = {{"cardId", id}, {"to", arguments.positional("STATUS")}};
  if (member_text(value, "to") == kReady) refuse_inside_executor(for_somebody_else(id));
  add_texts(value, arguments, {"reason"});
  const auto heard = home.tell({{"card.move", value}}, one_card(id));
  return card_reply(heard, heard.answer);
}

Reply board_assign(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const Document card = home.card(arguments.positional("CARD"));
  const auto id = member_text(card, "cardId");
  const bool names_one = arguments.has("--channel") || arguments.has("--agent");
  if (names_one == arguments.has("--nobody")) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT", "to whom is the card assigned?",
                "--channel CHANNEL, with --agent NAME or without, or --nobody");
  }
  const bool begins = arguments.has("--channel") && member_text(card, "status") == kReady;
  if (begins) refuse_inside_executor(for_somebody_else(id));
  Document value = {{"cardId", id}};
  add_assignee(value, arguments, home);
  const auto heard = home.tell({{"card.assign", value}}, one_card(id));
  return card_reply(heard, heard.answer);
}

Reply board_approve(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const auto ids = arguments.positionals("CARD");
  refuse_inside_executor("somebody else approves " + shown(ids.front(), 80));
  std::vector<BoardHome::Message> messages;
  for (const auto& id : ids) {
    home.card(id);
    messages.push_back(
        {"card.approve", {{"cardId", id}, {"to", arguments.has("--ready") ? "ready" : "backlog"}}});
  }
  const auto heard = home.tell(messages, {{"ask", "cards"}, {"ids", ids}});
  Reply reply{.document = new_document(), .warnings = heard.warnings};
  reply.document["recorded"] = heard.recorded;
  reply.document["cards"] = heard.answer;
  return reply;
}

std::string board_approve_text(const Document& document, const Style& style) {
  std::string text;
  for (const Document& card : document["cards"]) text += card_line(card, style);
  return text;
}

Reply board_remove(const Arguments& arguments) {
  const Session session(arguments);
  BoardHome home(arguments, session, false);
  const auto named = arguments.positional("CARD");
  // Repeating it is no error, when the answer of the first time was lost.
  const bool gone =
      home.ask({{"ask", "removed"}, {"id", checked_text(named, "CARD")}}, Past::kWhole) == true;
  const auto id = gone ? named : member_text(home.card(named), "cardId");
  Document value = {{"cardId", id}};
  add_texts(value, arguments, {"reason"});
  const auto heard = gone ? BoardHome::Heard() : home.tell({{"card.remove", value}}, nullptr);
  Reply reply{.document = new_document(), .warnings = heard.warnings};
  reply.document["recorded"] = heard.recorded;
  reply.document["cardId"] = id;
  return reply;
}

std::string board_remove_text(const Document& document, const Style& style) {
  return paint(style, Colour::kBold, shown(member_text(document, "cardId"))) +
         (document["recorded"] ? "  removed\n" : "  was removed before; nothing changed\n");
}

}  // namespace reprise
