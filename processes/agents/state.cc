#include "processes/agents/state.h"

#include <algorithm>

namespace reprise::agents {

namespace {

constexpr int kVersion = 1;

void end(Agent& agent, const char* result, int64_t at_ms) {
  agent.beat.reset();
  agent.last_result = result;
  agent.last_run_ms = at_ms;
}

void set_time(Json& json, const char* name, int64_t at_ms) {
  if (at_ms != 0) json[name] = at_ms;
}

}  // namespace

void State::evolve(std::string_view type, const Json& payload, int64_t at_ms) {
  const auto id = text_of(payload, "agentId");
  if (id.empty()) return;
  auto& agent = agents[id];
  agent.id = id;
  agent.window = std::max(agent.window, number_of(payload, "window", -1));
  if (type == "agent.heartbeat.started") {
    ++agent.runs;
    agent.beat = Beat{.number = agent.runs,
                      .window = number_of(payload, "window"),
                      .since_ms = at_ms,
                      .channel = text_of(payload, "channel")};
  } else if (type == "agent.heartbeat.skipped") {
    ++agent.skipped;
    if (agent.beat) agent.beat->skips = true;
  } else if (type == "agent.heartbeat.ok" || type == "agent.heartbeat.reported") {
    const bool ok = type == "agent.heartbeat.ok";
    ++(ok ? agent.ok : agent.reported);
    agent.failures = 0;
    if (ok) agent.last_success_ms = at_ms;
    end(agent, ok ? "ok" : "reported", at_ms);
  } else if (type == "agent.heartbeat.failed") {
    ++agent.failed;
    ++agent.failures;
    agent.reason = text_of(payload, "error");
    agent.last_failure_ms = at_ms;
    end(agent, "failed", at_ms);
  } else if (type == "agent.heartbeat.undelivered") {
    agent.reason = text_of(payload, "error");
    agent.last_failure_ms = at_ms;
  }
}

const Agent* State::find(const std::string& id) const {
  const auto found = agents.find(id);
  return found == agents.end() ? nullptr : &found->second;
}

Json to_json(const Agent& agent) {
  Json json = {{"agentId", agent.id},        {"state", agent.beat ? "running" : "idle"},
               {"window", agent.window},     {"skips", agent.beat && agent.beat->skips},
               {"runs", agent.runs},         {"ok", agent.ok},
               {"reported", agent.reported}, {"failed", agent.failed},
               {"skipped", agent.skipped},   {"consecutiveFailures", agent.failures}};
  set_time(json, "lastRunAt", agent.last_run_ms);
  set_time(json, "lastSuccessAt", agent.last_success_ms);
  set_time(json, "lastFailureAt", agent.last_failure_ms);
  if (!agent.last_result.empty()) json["lastResult"] = agent.last_result;
  if (!agent.reason.empty()) json["reason"] = agent.reason;
  if (agent.beat) {
    json["runningSinceAt"] = agent.beat->since_ms;
    json["effectKey"] = "beat:" + agent.id + ":" + std::to_string(agent.beat->number);
  }
  return json;
}

Json State::to_json() const {
  Json json = {{"version", kVersion}, {"agents", Json::array()}, {"open", Json::array()}};
  for (const auto& [id, agent] : agents) {
    auto& kept = json["agents"].emplace_back(agents::to_json(agent));
    if (!agent.beat) continue;
    kept["beat"] = {{"number", agent.beat->number},
                    {"window", agent.beat->window},
                    {"channel", agent.beat->channel}};
  }
  for (const auto& [effect, key] : open) json["open"].push_back({effect, key});
  return json;
}

bool State::restore(const Json& json) {
  if (number_of(json, "version") != kVersion) return false;
  for (const auto& kept : json.at("agents")) {
    Agent agent;
    agent.id = text_of(kept, "agentId");
    agent.window = kept.at("window");
    agent.runs = kept.at("runs");
    agent.ok = kept.at("ok");
    agent.reported = kept.at("reported");
    agent.failed = kept.at("failed");
    agent.skipped = kept.at("skipped");
    agent.failures = kept.at("consecutiveFailures");
    agent.last_run_ms = number_of(kept, "lastRunAt");
    agent.last_success_ms = number_of(kept, "lastSuccessAt");
    agent.last_failure_ms = number_of(kept, "lastFailureAt");
    agent.last_result = text_of(kept, "lastResult");
    agent.reason = text_of(kept, "reason");
    if (const auto& beat = member_of(kept, "beat"); beat.is_object()) {
      agent.beat = Beat{beat.at("number"), beat.at("window"), number_of(kept, "runningSinceAt"),
                        text_of(beat, "channel"), kept.at("skips")};
    }
    agents[agent.id] = std::move(agent);
  }
  for (const auto& kept : json.at("open")) open[kept.at(0)] = kept.at(1);
  return true;
}

}  // namespace reprise::agents
