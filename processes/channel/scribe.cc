#include "processes/channel/scribe.h"

namespace reprise::channel {

void Scribe::emit(std::string_view type, Json payload) {
  x_state.evolve({type, payload, x_at_ms});
  Command command;
  command.kind = Command::Kind::kEmit;
  command.name = type;
  command.json = payload.dump();
  command.trace = x_trace;
  x_commands.push_back(std::move(command));
}

void Scribe::emit_withdrawing(std::string_view type, Json payload, uint64_t effect) {
  if (effect == 0) return emit(type, std::move(payload));
  payload["withdrawn"] = effect;
  emit(type, std::move(payload));
  Command command;
  command.kind = Command::Kind::kWithdraw;
  command.effect = effect;
  x_commands.push_back(std::move(command));
}

void Scribe::request(Request request) {
  request.definition["kind"] = request.kind;
  Command command;
  command.kind = Command::Kind::kRequest;
  command.task = std::move(request.task);
  command.effect_kind = std::move(request.kind);
  command.label = std::move(request.label);
  command.key = request.noun + ":" + request.id;
  command.args = request.inputs.dump();
  command.definition = request.definition.dump();
  if (!request.options.empty()) command.options = request.options.dump();
  command.due_ms = request.due_ms;
  command.trace = x_trace;
  x_commands.push_back(std::move(command));
}

void Scribe::complete(Json output) {
  Command command;
  command.kind = Command::Kind::kComplete;
  command.json = output.dump();
  x_commands.push_back(std::move(command));
}

void Scribe::halt_cancelled(std::string reason) {
  Command command;
  command.kind = Command::Kind::kHalt;
  command.cancelled = true;
  command.name = std::move(reason);
  x_commands.push_back(std::move(command));
}

}  // namespace reprise::channel
