#include "processes/channel/parking.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "processes/channel/intake.h"
#include "processes/channel/scribe.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

constexpr std::array<std::string_view, 9> kApproving = {
    "approve", "approved", "yes", "y", "ok", "okay", "go", "go on", "continue"};
constexpr std::array<std::string_view, 8> kRejecting = {"reject", "rejected", "deny", "denied",
                                                        "no",     "n",        "skip", "cancel"};

/// As the words above are written: folded, without what ends a sentence.
std::string plain(std::string_view text) {
  text = unicode::trimmed(text);
  while (text.ends_with('.') || text.ends_with('!')) text.remove_suffix(1);
  return unicode::fold(unicode::trimmed(text));
}

template <size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, const std::string& text) {
  const auto word = plain(text);
  return word.empty() || std::ranges::find(words, word) != words.end();
}

/// "2" is the second option.
std::string label_of(const Json& options, const std::string& text) {
  const auto trimmed = unicode::trimmed(text);
  size_t number = 0;
  const auto [end, error] = std::from_chars(trimmed.begin(), trimmed.end(), number);
  const bool names_one =
      error == std::errc() && end == trimmed.end() && number >= 1 && number <= options.size();
  return names_one ? options.at(number - 1).get<std::string>() : text;
}

std::string first_text(const Json& answer, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    if (auto text = text_of(answer, name); !unicode::trimmed(text).empty()) return text;
  }
  return {};
}

/// An option may be a text, or an object that has one.
Json texts_of_options(const Json& options) {
  auto texts = Json::array();
  if (!options.is_array()) return texts;
  for (const auto& option : options) {
    const auto text = option.is_string() ? option.get<std::string>()
                                         : first_text(option, {"label", "text", "id"});
    if (!text.empty()) texts.push_back(text);
  }
  return texts;
}

/// The message that the agent gets next: it is queued like any other.
void queue_answer(Scribe& scribe, const std::string& card, const Verdict& verdict,
                  const std::string& by) {
  const auto& state = scribe.state();
  int64_t priority = 0;
  for (const auto& queued : state.queue.waiting) priority = std::max(priority, queued.priority);
  const auto row = state.transcript.rows + 1;
  const auto msg_id = "card-" + card;
  scribe.emit("message.created", {{"row", row},
                                  {"msgId", msg_id},
                                  {"role", "user"},
                                  {"kind", "message"},
                                  {"author", {{"id", by}, {"name", by}}},
                                  {"content", verdict.text}});
  scribe.emit("channel.message.received", {{"msgId", msg_id},
                                           {"row", row},
                                           {"userId", by},
                                           {"triggered", true},
                                           {"allowed", true},
                                           {"role", "owner"},
                                           {"reason", "answers " + card},
                                           {"priority", priority + 1},
                                           {"mode", verdict.mode},
                                           {"signal", scribe.trace()}});
}

/// The plan, or the question with its options, numbered as an answer may name them.
std::string card_text(const std::string& plan, const std::string& question, const Json& options) {
  if (!plan.empty()) return plan;
  std::string text = question;
  for (size_t i = 0; i < options.size(); ++i) {
    text += "\n" + std::to_string(i + 1) + ". " + options.at(i).get<std::string>();
  }
  return text;
}

}  // namespace

void Parking::evolve(const Event& event) {
  if (event.type == "channel.parked") {
    ++cards;
    card_id = text_of(event.payload, "cardId");
    kind = text_of(event.payload, "kind");
    question = text_of(event.payload, "question");
    options = event.payload.value("options", Json::array());
  } else if (event.type == "channel.unparked") {
    *this = Parking{.cards = cards};
  }
}

Json Parking::to_json() const {
  return {{"cards", cards},
          {"cardId", card_id},
          {"kind", kind},
          {"question", question},
          {"options", options}};
}

void Parking::restore(const Json& json) {
  cards = json.at("cards");
  card_id = json.at("cardId");
  kind = json.at("kind");
  question = json.at("question");
  options = json.at("options");
}

Json Parking::shown() const {
  if (!is_parked()) return {};
  return {{"cardId", card_id}, {"kind", kind}, {"question", question}, {"options", options}};
}

Verdict judge_answer(const Parking& parking, const Json& answer) {
  if (flag_of(answer, "approved")) {
    const auto text = first_text(answer, {"option", "response"});
    if (!is_one_of(kApproving, text)) return {"answered", label_of(parking.options, text), "card"};
    return {"approved", parking.kind == "plan" ? "The plan is approved. Go on." : "Yes.", "card"};
  }
  const auto text = first_text(answer, {"response", "option", "feedback"});
  if (is_one_of(kRejecting, text)) return {"rejected", "", ""};
  return {"answered", label_of(parking.options, text), "plan"};
}

void park(Scribe& scribe, const Json& result) {
  const auto plan = text_of(result, "plan");
  const auto& ask = member_of(result, "ask");
  if (plan.empty() && text_of(ask, "question").empty()) return;
  const auto& state = scribe.state();
  const auto card = "k" + std::to_string(state.parking.cards + 1);
  const auto question = plan.empty() ? text_of(ask, "question") : "Shall this plan be carried out?";
  const auto options = plan.empty() ? texts_of_options(member_of(ask, "options")) : Json::array();
  Json asked = {{"question", question}};
  if (!options.empty()) asked["options"] = options;
  if (!plan.empty()) asked["plan"] = plan;
  // The conversation holds what is asked, for people and for the agent's next turn.
  write_row(scribe, "assistant", card_text(plan, question, options),
            {{"runId", state.reply.run_id}, {"replyTo", state.reply.msg_id}});
  auto parked = asked;
  parked.update(
      {{"cardId", card}, {"kind", plan.empty() ? "ask" : "plan"}, {"runId", state.reply.run_id}});
  scribe.emit("channel.parked", parked);
  scribe.request({.noun = "card",
                  .id = card,
                  .kind = "breakpoint",
                  .task = "channel.card",
                  .label = question,
                  .inputs = std::move(asked),
                  .definition = {{"title", question}}});
}

void resolve_card(Scribe& scribe, const Result& result) {
  const auto& parking = scribe.state().parking;
  if (result.owner.id != parking.card_id) return;
  const auto verdict = judge_answer(parking, result.ok ? result.value : Json());
  const auto by = text_of(result.value, "respondedBy", "operator");
  const auto kind = parking.kind;
  scribe.emit("channel.unparked", {{"cardId", result.owner.id},
                                   {"verdict", verdict.verdict},
                                   {"text", verdict.text},
                                   {"by", by}});
  if (!verdict.text.empty()) return queue_answer(scribe, result.owner.id, verdict, by);
  write_row(scribe, "system",
            by + (kind == "plan" ? " rejected the plan: nothing of it is carried out."
                                 : " declined to answer."));
}

void withdraw_card(Scribe& scribe) {
  const auto& state = scribe.state();
  if (!state.parking.is_parked()) return;
  const auto card = state.parking.card_id;
  scribe.emit_withdrawing("channel.unparked", {{"cardId", card}, {"verdict", "rejected"}},
                          state.effects.find("card", card));
}

}  // namespace reprise::channel
