#include "processes/agents/beat.h"

#include "processes/kit/finish.h"
#include "unicode/unicode.h"

namespace reprise::agents {

namespace {

/// Of what an agent says, in events: all of it is in its result, and in the channel.
constexpr size_t kEventCharacters = 500;
/// Of a message: a channel takes no more than 1 MiB.
constexpr size_t kMessageCharacters = 200'000;

constexpr std::string_view kRules =
    "This is one of your heartbeats: nobody is waiting for an answer. Do what is asked below. If "
    "there is nothing that anybody should know, answer with HEARTBEAT_OK and nothing else; "
    "everything else that you answer is sent to your channel.";

Command emit(const char* type, const Json& payload) {
  Command command;
  command.kind = Command::Kind::kEmit;
  command.name = type;
  command.json = payload.dump();
  return command;
}

Command request(std::string key, const char* kind, std::string label) {
  Command command;
  command.kind = Command::Kind::kRequest;
  command.effect_kind = kind;
  command.key = std::move(key);
  command.label = std::move(label);
  return command;
}

std::string key_of(const char* verb, const std::string& id, uint64_t number) {
  return std::string(verb) + ":" + id + ":" + std::to_string(number);
}

std::string prompt_of(const Json& beat) {
  auto prompt = std::string(kRules) + "\n\n" + text_of(beat, "prompt");
  const auto bulletin = text_of(beat, "bulletin");
  return bulletin.empty() ? prompt : prompt + "\n\n## Bulletin\n\n" + bulletin;
}

Command ask(const Json& beat, const std::string& id, uint64_t number) {
  auto command = request(key_of("beat", id, number), "agent", "heartbeat of " + id);
  command.task = "agents.heartbeat";
  command.args =
      Json{
          {"agentId", id}, {"window", number_of(beat, "window")}, {"cause", text_of(beat, "cause")}}
          .dump();
  command.definition =
      Json{{"kind", "agent"}, {"agent", {{"name", id}, {"prompt", prompt_of(beat)}}}}.dump();
  const auto timeout = number_of(beat, "timeoutMs");
  if (timeout > 0) command.options = Json{{"timeoutMs", timeout}}.dump();
  return command;
}

Command tell(const Agent& agent, std::string_view content) {
  const auto number = std::to_string(agent.beat->number);
  auto command = request(key_of("tell", agent.id, agent.beat->number), "run.signal",
                         "message of " + agent.id + " in " + agent.beat->channel);
  command.task = "agents.message";
  command.args = Json{{"run", agent.beat->channel},
                      {"name", "channel.message"},
                      {"value",
                       {{"msgId", "heartbeat-" + agent.id + "-" + number},
                        {"author", {{"id", "agent:" + agent.id}, {"name", agent.id}}},
                        {"content", unicode::first(content, kMessageCharacters)}}}}
                     .dump();
  command.definition = R"({"kind":"run.signal"})";
  return command;
}

/// What the agent said, whatever its executor makes of it.
std::string answer_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  bool has_text = false;
  for (const auto* name : {"text", "result", "summary"}) {
    if (auto text = text_of(value, name); !text.empty()) return text;
    has_text = has_text || member_of(value, name).is_string();
  }
  return has_text || value.is_null() ? std::string() : value.dump();
}

std::vector<Command> failed(const Agent& agent, const std::string& why) {
  const auto error = std::string(unicode::first(why, kEventCharacters));
  std::vector<Command> commands = {
      emit("agent.heartbeat.failed", {{"agentId", agent.id},
                                      {"window", agent.beat->window},
                                      {"error", error},
                                      {"failures", agent.failures + 1}})};
  // Those that follow say nothing new.
  if (agent.failures == 0) {
    commands.push_back(tell(agent, "The heartbeat of " + agent.id + " failed: " + error));
  }
  return commands;
}

std::vector<Command> answered(const Agent& agent, const Json& value) {
  const auto answer = answer_of(value);
  const std::string said(unicode::trimmed(answer));
  if (said.empty()) {
    const auto reason = kit::cut_reason(value);
    return failed(agent, "it answered nothing" + (reason.empty() ? "" : ": " + reason));
  }
  Json payload = {{"agentId", agent.id}, {"window", agent.beat->window}};
  if (said == kNothingToSay) return {emit("agent.heartbeat.ok", payload)};
  const auto told = kit::with_cut_reason(value, said);
  payload["text"] = unicode::first(told, kEventCharacters);
  return {emit("agent.heartbeat.reported", payload), tell(agent, told)};
}

}  // namespace

std::vector<Command> begin_beat(const State& state, const Json& beat) {
  const auto id = text_of(beat, "agentId");
  const auto window = number_of(beat, "window");
  const bool now = text_of(beat, "cause") == "now";
  const auto* agent = state.find(id);
  const Json payload = {{"agentId", id}, {"window", window}};
  if (agent != nullptr && !now && window <= agent->window) return {};
  if (agent != nullptr && agent->beat) {
    if (agent->beat->skips) return {};
    return {emit("agent.heartbeat.skipped", payload)};
  }
  Json started = payload;
  started["cause"] = text_of(beat, "cause");
  started["channel"] = text_of(beat, "channel");
  return {emit("agent.heartbeat.started", started),
          ask(beat, id, agent == nullptr ? 1 : agent->runs + 1)};
}

std::vector<Command> take_result(const State& state, const std::string& key, bool ok,
                                 const Json& value) {
  const auto id = key.substr(5, key.rfind(':') - 5);
  const auto* agent = state.find(id);
  if (agent == nullptr) return {};
  const auto why = text_of(value, "message", text_of(value, "reason", "it was cancelled"));
  if (key.starts_with("tell:")) {
    if (ok) return {};
    const auto error = std::string(unicode::first(why, kEventCharacters));
    return {emit("agent.heartbeat.undelivered", {{"agentId", id}, {"error", error}})};
  }
  const bool is_its = agent->beat && key == key_of("beat", id, agent->beat->number);
  if (!is_its) return {};
  return ok ? answered(*agent, value) : failed(*agent, why);
}

}  // namespace reprise::agents
