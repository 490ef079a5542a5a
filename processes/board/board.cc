#include "processes/board/board.h"

#include <charconv>

#include "processes/board/scribe.h"
#include "processes/board/signals.h"
#include "processes/board/work.h"

namespace reprise {

namespace board {
namespace {

constexpr std::string_view kCardPrefix = "card-";

std::string check_inputs(std::string_view text) {
  return Json::parse(text).is_object() ? "" : "must be an object";
}

/// What came of a request.
struct Result {
  Errand errand;
  Json error;  ///< null: it was done
};

Json hearing(const Board& board) {
  Json channels = Json::array();
  std::map<std::string, bool> works;
  for (const auto& [id, project] : board.projects) {
    for (const auto& channel : project.channels) works.emplace(channel, false);
  }
  for (const auto& [id, card] : board.cards) {
    if (card.work) works[card.work->channel] = true;
  }
  for (const auto& [channel, busy] : works) {
    const auto heard = board.heard.find(channel);
    const auto seq = heard == board.heard.end() ? 0 : heard->second;
    channels.push_back({{"channel", channel}, {"seq", seq}, {"works", busy}});
  }
  return channels;
}

/// Asked of a board that keeps all: there was a card of that number, and it is there no more.
bool was_removed(const Board& board, const std::string& id) {
  uint64_t number = 0;
  if (!id.starts_with(kCardPrefix)) return false;
  const char* end = id.data() + id.size();
  const auto read = std::from_chars(id.data() + kCardPrefix.size(), end, number);
  const bool is_number = read.ec == std::errc() && read.ptr == end;
  return is_number && number > 0 && number <= board.numbers && board.find_card(id) == nullptr;
}

Json card_json(const Board& board, const std::string& id) {
  const auto* card = board.find_card(id);
  return card == nullptr ? Json() : to_json(*card);
}

Json cards_json(const Board& board, const Json& ids) {
  Json cards = Json::array();
  for (const auto& id : ids) {
    if (auto card = card_json(board, id); !card.is_null()) cards.push_back(std::move(card));
  }
  return cards;
}

Json answer_of(const Board& board, const Json& question) {
  const auto asked = text_of(question, "ask");
  const auto id = text_of(question, "id");
  if (asked == "hearing") return hearing(board);
  if (asked == "card") {
    const auto signal = static_cast<uint64_t>(number_of(question, "signal"));
    if (signal == 0) return card_json(board, id);
    const auto* card = board.find_added_by(signal);
    return card == nullptr ? Json() : to_json(*card);
  }
  if (asked == "newest")
    return card_json(board, std::string(kCardPrefix) + std::to_string(board.numbers));
  if (asked == "cards") return cards_json(board, question.at("ids"));
  if (asked == "removed") return was_removed(board, id);
  if (asked == "project") {
    const auto found = board.projects.find(id);
    return found == board.projects.end() ? Json() : to_json(found->second);
  }
  if (asked != "board") return {};
  Json whole = {{"projects", Json::array()}, {"cards", Json::array()}};
  for (const auto& [name, project] : board.projects) whole["projects"].push_back(to_json(project));
  for (const auto* card : board.in_order()) whole["cards"].push_back(to_json(*card));
  return whole;
}

class BoardDecider final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    x_now_ms = activation.at_ms;
    x_result.reset();
    const auto found = x_board.open.find(activation.effect);
    if (found == x_board.open.end()) return;
    if (auto errand = parse_errand(found->second)) {
      x_result = Result{std::move(*errand), Json()};
      if (!activation.ok) x_result->error = Json::parse(activation.error, nullptr, false);
    }
    x_board.open.erase(found);
  }

  void evolve(const CommandRecord& command) override {
    if (command.kind == CommandRecord::Kind::kEmitted) {
      const auto type = text_of(Json::parse(command.data), "type");
      x_board.evolve(type, Json::parse(command.payload), x_now_ms);
    } else if (command.kind == CommandRecord::Kind::kRequested) {
      x_board.open[command.effect] = text_of(Json::parse(command.data), "key");
    }
  }

  std::vector<Command> decide(const Activation& activation) const override {
    Scribe scribe(x_board, activation.at_ms, activation.seq);
    if (activation.kind == Activation::Kind::kCancelRun) {
      scribe.halt_cancelled(text_of(Json::parse(activation.value), "reason"));
      return scribe.take();
    }
    if (activation.kind == Activation::Kind::kSignal) take_signal(scribe, activation);
    if (x_result) take_result(scribe, x_result->errand, x_result->error);
    go_on(scribe);
    return scribe.take();
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    const auto* spec = find_signal(signal.name);
    if (spec != nullptr) return spec->check(x_board, Json::parse(signal.value));
    return Refusal{Refusal::Kind::kInvalid, "UNKNOWN_SIGNAL",
                   "a board knows no signal \"" + std::string(signal.name) + "\"",
                   "board:* and project:* send the right ones"};
  }

  std::string answer(std::string_view question) const override {
    return answer_of(x_board, Json::parse(question)).dump();
  }

  void keep_all() override { x_board.keeps_all = true; }

  std::string snapshot() const override {
    return Json{{"now", x_now_ms}, {"board", x_board.to_json()}}.dump();
  }

  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    x_now_ms = number_of(json, "now");
    return x_board.restore(json.at("board"));
  }

 private:
  void take_signal(Scribe& scribe, const Activation& signal) const {
    if (const auto refusal = check(signal)) {
      scribe.emit("board.signal.refused",
                  {{"name", signal.name}, {"code", refusal->code}, {"message", refusal->message}});
      return;
    }
    find_signal(signal.name)->apply(scribe, Json::parse(signal.value));
  }

  Board x_board;
  int64_t x_now_ms = 0;            ///< of the last activation
  std::optional<Result> x_result;  ///< that the activation at hand brought
};

std::unique_ptr<Decider> make(const Inputs&) { return std::make_unique<BoardDecider>(); }

}  // namespace
}  // namespace board

BuiltIn board_process() {
  return {"board", "Projects and their cards: proposals, columns, workers", board::check_inputs,
          board::make};
}

}  // namespace reprise
