#include "processes/visor/state.h"

#include <algorithm>

namespace reprise::visor {

std::string name_of(const Work& work) { return work.channel + "/" + work.id; }

void State::begin(const Tick& tick, int64_t at_ms) {
  window = tick.window;
  ticked_ms = at_ms;
  if (tick.complete) {
    std::set<std::string> alive;
    for (const auto* list : {&tick.workers, &tick.branches}) {
      for (const auto& work : *list) alive.insert(name_of(work));
    }
    std::erase_if(late, [&](const std::string& name) { return !alive.contains(name); });
  }
  std::erase_if(degraded, [&](const auto& entry) {
    return std::ranges::find(tick.failures, entry.first, &Failures::channel) == tick.failures.end();
  });
}

void State::evolve(std::string_view type, const Json& payload, int64_t at_ms) {
  if (type == "visor.worker.timeout") {
    late.insert(payload.at("channelId").get<std::string>() + "/" +
                payload.at("workerId").get<std::string>());
  } else if (type == "visor.signal.channel_degraded") {
    degraded[payload.at("channelId")] = payload.at("through");
  } else if (type == "visor.signal.idle") {
    idle_since_ms = payload.at("since");
  } else if (type == "visor.memory.maintained") {
    maintained_ms = at_ms;
    examined_ms = std::max(examined_ms, payload.at("examinedUntil").get<int64_t>());
  } else if (type == "visor.memory.merged") {
    merged += payload.at("merged").get<uint64_t>();
  } else if (type == "visor.bulletin.requested") {
    pending = {.effect = 0, .draft = payload};
  } else if (type == "visor.bulletin.generated") {
    ++bulletins;
    bulletin = payload;
    bulletin["generatedAt"] = at_ms;
    pending = {};
  }
}

void State::requested(uint64_t effect, std::string_view key) {
  if (key.starts_with(kBranchKey)) late.emplace(key.substr(kBranchKey.size()));
  if (key.starts_with(kBulletinKey)) pending.effect = effect;
}

Json State::to_json() const {
  return {{"version", 1},
          {"started", started_ms},
          {"window", window},
          {"ticked", ticked_ms},
          {"late", late},
          {"degraded", degraded},
          {"idleSince", idle_since_ms},
          {"maintained", maintained_ms},
          {"examined", examined_ms},
          {"merged", merged},
          {"bulletins", bulletins},
          {"bulletin", bulletin},
          {"pending", {{"effect", pending.effect}, {"draft", pending.draft}}}};
}

State State::from_json(const Json& json) {
  State state;
  state.started_ms = json.at("started");
  state.window = json.at("window");
  state.ticked_ms = json.at("ticked");
  state.late = json.at("late");
  state.degraded = json.at("degraded");
  state.idle_since_ms = json.at("idleSince");
  state.maintained_ms = json.at("maintained");
  state.examined_ms = json.at("examined");
  state.merged = json.at("merged");
  state.bulletins = json.at("bulletins");
  state.bulletin = json.at("bulletin");
  state.pending = {.effect = json.at("pending").at("effect"),
                   .draft = json.at("pending").at("draft")};
  return state;
}

}  // namespace reprise::visor
