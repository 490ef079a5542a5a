#include "cli/board/board_home.h"

#include "cli/channel/signal_request.h"
#include "cli/text.h"
#include "engine/agents/agent.h"
#include "engine/heartbeat/board_chore.h"
#include "engine/home_run.h"
#include "engine/tell_home.h"
#include "journal/error.h"

namespace reprise {
namespace {

constexpr size_t kCardTitleWidth = 72;

Error board_item_not_found(const char* code, const char* what, const std::string& id,
                           const char* hint) {
  return {Exit::kNotFound, code, std::string("there is no ") + what + " \"" + shown(id, 80) + "\"",
          hint};
}

Document dated(const std::string& json) {
  Document answer = Document::parse(json);
  write_times(answer);
  return answer;
}

}  // namespace

BoardHome::BoardHome(const Arguments& arguments, const Session& session, bool writes)
    : x_arguments(arguments), x_session(session), x_workspace(session.workspace(writes)) {}

Document BoardHome::ask(const Document& question, Past past) {
  const auto run = find_home_run(x_workspace, {.name = kBoardRun, .process = kBoardRun});
  if (!run) return nullptr;
  return dated(reprise::ask(*run->dir, x_session.context(), print_json(question), past));
}

Document BoardHome::project(const std::string& id) {
  Document found = ask({{"ask", "project"}, {"id", checked_text(id, "PROJECT")}});
  if (!found.is_null()) return found;
  throw board_item_not_found("PROJECT_NOT_FOUND", "project", id,
                             "reprise project:list shows them; project:create makes one");
}

Document BoardHome::card(const std::string& id, Past past) {
  Document found = ask({{"ask", "card"}, {"id", checked_text(id, "CARD")}}, past);
  if (!found.is_null()) return found;
  throw board_item_not_found("CARD_NOT_FOUND", "card", id, "reprise board:list --all shows them");
}

BoardHome::Heard BoardHome::tell(const std::vector<Message>& messages, const Document& question) {
  std::vector<Signal> signals;
  const auto key = x_arguments.value("--key").value_or("");
  for (const auto& [name, told] : messages) {
    Document value = told;
    value["by"] = by_flag(x_arguments, x_session);
    signals.push_back({.name = name,
                       .value = parse_value(print_json(value), name),
                       .key = checked_text(key, "--key")});
  }
  const RunHandle run = open_home_run(
      x_workspace, x_session.context(),
      {.name = kBoardRun, .process = kBoardRun, .simulated = x_arguments.has("--now")});
  const Told told =
      tell_home_run(x_workspace, x_session.context(), run, signals, print_json(question));
  const Signalled& first = told.signals.front();
  return {.recorded = first.recorded,
          .seq = first.seq,
          .answer = dated(told.answer),
          .warnings = told.iteration.notes};
}

std::string BoardHome::channel_id(const std::string& channel) const {
  const auto run = look_up_channel(x_session, checked_text(channel, "CHANNEL"));
  if (run) return run->name;
  throw board_item_not_found("CHANNEL_NOT_FOUND", "channel", channel,
                             "reprise channel:list shows them; channel:create makes one");
}

void BoardHome::check_agent(const std::string& agent) const {
  find_agent(x_workspace.home_path(), agent);
}

Document BoardHome::link(const std::string& channel, bool past) const {
  const auto id = channel_id(channel);
  const RunHandle run = x_session.find_run(id);
  return {{"channel", id}, {"from", past ? 0 : read_state(*run.dir).state.head.seq}};
}

void refuse_inside_executor(const std::string& way_out) {
  if (environment("REPRISE_EFFECT").empty()) return;
  throw Error(Exit::kForbidden, "NOT_PERMITTED",
              "$REPRISE_EFFECT says that this command runs inside an executor",
              "nobody gives himself work: " + way_out);
}

Colour card_colour(std::string_view status) {
  if (status == "done") return Colour::kGreen;
  if (status == "blocked") return Colour::kRed;
  if (status == "in_progress") return Colour::kBlue;
  const bool asks =
      status == "pending_approval" || status == "waiting_input" || status == "needs_review";
  if (asks) return Colour::kYellow;
  return status == "cancelled" ? Colour::kDim : Colour::kPlain;
}

std::string card_line(const Document& card, const Style& style) {
  const auto status = member_text(card, "status");
  return paint(style, Colour::kBold, shown(member_text(card, "cardId"))) + "  " +
         paint(style, card_colour(status), shown(status)) + "  " +
         shown(member_text(card, "title"), kCardTitleWidth) + "\n";
}

}  // namespace reprise
