#include "processes/board/scribe.h"

#include <charconv>

namespace reprise::board {

std::optional<Errand> parse_errand(const std::string& key) {
  const auto first = key.find(':');
  const auto last = key.rfind(':');
  if (first == std::string::npos || first == last) return std::nullopt;
  Errand errand{key.substr(0, first), key.substr(first + 1, last - first - 1)};
  std::from_chars(key.data() + last + 1, key.data() + key.size(), errand.attempt);
  return errand;
}

void Scribe::emit(std::string_view type, const Json& payload) {
  x_state.evolve(type, payload, x_at_ms);
  Command command;
  command.kind = Command::Kind::kEmit;
  command.name = type;
  command.json = payload.dump();
  x_commands.push_back(std::move(command));
}

void Scribe::move(const Card& card, Status to, const std::string& by, const Json& more) {
  Json payload = {{"cardId", card.id},   {"projectId", card.project},
                  {"title", card.title}, {"from", name_of(card.status)},
                  {"to", name_of(to)},   {"by", by}};
  payload.update(more);
  emit("board.card.moved", payload);
}

void Scribe::send(const Errand& errand, const std::string& channel, const char* signal,
                  const Json& value) {
  Command command;
  command.kind = Command::Kind::kRequest;
  command.task = "board.worker";
  command.effect_kind = "run.signal";
  command.label = std::string(signal) + " in " + channel;
  command.key = errand.verb + ":" + errand.card + ":" + std::to_string(errand.attempt);
  command.args = Json{{"run", channel}, {"name", signal}, {"value", value}}.dump();
  command.definition = R"({"kind":"run.signal"})";
  x_commands.push_back(std::move(command));
}

void Scribe::halt_cancelled(std::string reason) {
  Command command;
  command.kind = Command::Kind::kHalt;
  command.cancelled = true;
  command.name = std::move(reason);
  x_commands.push_back(std::move(command));
}

}  // namespace reprise::board
