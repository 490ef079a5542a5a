#include "processes/board/work.h"

#include "unicode/unicode.h"

namespace reprise::board {

namespace {

/// Of what a worker says, on the board: all of it is in its channel.
constexpr size_t kReasonCharacters = 500;
/// Of a worker's title: a channel takes 256 bytes of it. The objective has all of it.
constexpr size_t kWorkerTitleCharacters = 60;

std::string shortened(const std::string& text) {
  return std::string(unicode::first(text, kReasonCharacters));
}

std::string objective_of(const Card& card) {
  return card.description.empty() ? card.title : card.title + "\n\n" + card.description;
}

void spawn(Scribe& scribe, const Card& ready) {
  const Card card = ready;
  const Errand errand{"spawn", card.id, card.attempts + 1};
  Json value = {{"title", unicode::first(card.title, kWorkerTitleCharacters)},
                {"objective", objective_of(card)},
                {"mode", "interactive"},
                {"taskId", card.id}};
  if (!card.agent.empty()) value["agent"] = card.agent;
  scribe.emit("board.worker.asked",
              {{"cardId", card.id}, {"channel", card.channel}, {"attempt", errand.attempt}});
  scribe.move(card, Status::kInProgress, kTheBoard,
              {{"reason", "a worker in " + card.channel + " does it"}});
  scribe.send(errand, card.channel, "worker.spawn", value);
}

/// The card has gone elsewhere: its worker is told to end, as soon as its name is known.
void end_unwanted(Scribe& scribe, const Card& moved) {
  const Card card = moved;
  if (!card.work->unwanted) scribe.emit("board.worker.unwanted", {{"cardId", card.id}});
  if (card.work->told || card.work->worker.empty()) return;
  scribe.emit("board.worker.told", {{"cardId", card.id}, {"workerId", card.work->worker}});
  scribe.send({"cancel", card.id, card.attempts}, card.work->channel, "worker.cancel",
              {{"workerId", card.work->worker},
               {"reason", "its card " + card.id + " is " + std::string(name_of(card.status))}});
}

void end(Scribe& scribe, const Card& ended, const char* outcome, const std::string& said,
         Status to) {
  const Card card = ended;
  const auto text = shortened(said);
  scribe.emit(
      "board.worker.ended",
      {{"cardId", card.id}, {"workerId", card.work->worker}, {"outcome", outcome}, {"text", text}});
  if (card.work->unwanted || !is_worked_on(card.status)) return;
  scribe.move(card, to, kTheBoard, {{"reason", text}, {"workerId", card.work->worker}});
}

/// nullptr: a worker of somebody else.
const Card* find_spawned(const Board& board, const std::string& channel, const Json& payload) {
  const auto* card = board.find_card(text_of(payload, "taskId"));
  const bool waits =
      card != nullptr && card->work && card->work->channel == channel && card->work->worker.empty();
  return waits ? card : nullptr;
}

void hear_progress(Scribe& scribe, const Card& card, const Json& payload) {
  const bool waits = text_of(payload, "progress") == "waiting_for_route";
  const auto to = waits ? Status::kWaitingInput : Status::kInProgress;
  const bool moves = !card.work->unwanted && is_worked_on(card.status) && card.status != to;
  if (!moves) return;
  Json more = {{"workerId", card.work->worker}};
  if (waits)
    more["reason"] = shortened(text_of(payload, "report", "the worker waits for an answer"));
  scribe.move(card, to, kTheBoard, more);
}

}  // namespace

void go_on(Scribe& scribe) {
  std::vector<std::string> ids;
  for (const auto* card : scribe.state().in_order()) ids.push_back(card->id);
  for (const auto& id : ids) {
    const Card& card = *scribe.state().find_card(id);
    if (card.work && (card.work->unwanted || !is_worked_on(card.status))) {
      end_unwanted(scribe, card);
    } else if (!card.work && card.status == Status::kReady && !card.channel.empty()) {
      spawn(scribe, card);
    }
  }
}

void hear_worker(Scribe& scribe, const std::string& channel, const std::string& type,
                 const Json& payload) {
  const auto worker = text_of(payload, "workerId");
  if (type == "worker.spawned") {
    const auto* card = find_spawned(scribe.state(), channel, payload);
    if (card == nullptr) return;
    scribe.emit("board.worker.started", {{"cardId", card->id}, {"workerId", worker}});
    return;
  }
  const auto* card = worker.empty() ? nullptr : scribe.state().find_by_worker(channel, worker);
  if (card == nullptr) return;
  if (type == "worker.progress") {
    hear_progress(scribe, *card, payload);
  } else if (type == "worker.completed") {
    end(scribe, *card, "completed", text_of(payload, "summary"), Status::kNeedsReview);
  } else if (type == "worker.failed") {
    end(scribe, *card, "failed", text_of(payload, "error"), Status::kBlocked);
  }
}

void hear_gone(Scribe& scribe, const std::string& channel) {
  std::vector<std::string> ids;
  for (const auto& [id, card] : scribe.state().cards) {
    if (card.work && card.work->channel == channel) ids.push_back(id);
  }
  for (const auto& id : ids) {
    end(scribe, *scribe.state().find_card(id), "gone", "the channel " + channel + " has ended",
        Status::kBlocked);
  }
}

void take_result(Scribe& scribe, const Errand& errand, const Json& error) {
  const auto* card = scribe.state().find_card(errand.card);
  const bool is_its = card != nullptr && card->work && card->attempts == errand.attempt;
  if (!is_its || error.is_null()) return;
  // Its end is on its way.
  if (text_of(member_of(error, "data"), "code") == "WORKER_FINISHED") return;
  const auto why = text_of(error, "message", text_of(error, "reason", "the request was cancelled"));
  if (errand.verb == "spawn" && !card->work->worker.empty()) return;
  end(scribe, *card, "refused", why, Status::kBlocked);
}

}  // namespace reprise::board
