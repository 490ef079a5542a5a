#include "processes/channel/settings.h"

namespace reprise::channel {

Settings::Settings() { merge(); }

void Settings::evolve(const Event& event) {
  if (event.type != "channel.created" && event.type != "channel.configured") return;
  if (event.payload.contains("configured")) home = event.payload.at("configured");
  if (event.payload.contains("settings")) own.merge_patch(event.payload.at("settings"));
  merge();
}

void Settings::merge() {
  worker_words = {"implement", "fix", "run", "build", "execute", "тест", "сделай", "запусти"};
  branch_words = {"analyze", "research", "разбери", "обдумай", "архитектур"};
  levels = {{"soft", 0.80, 30}, {"aggressive", 0.85, 50}, {"emergency", 0.95, 70}};
  auto merged = home;
  merged.merge_patch(own);
  routing_policy = text_of(member_of(merged, "routing"), "policy", "keyword");
  context_window = number_of(merged, "contextWindow", 32'000);
  history_messages = static_cast<size_t>(number_of(merged, "historyMessages", 80));
  prefix = text_of(merged, "prefix", "!loop");
  run_timeout_ms = number_of(merged, "runTimeoutSeconds", 3600) * 1000;
}

Json Settings::to_json() const { return {{"home", home}, {"own", own}}; }

void Settings::restore(const Json& json) {
  home = json.at("home");
  own = json.at("own");
  merge();
}

std::string Settings::check(const Json& settings) {
  return settings.is_object() ? "" : "settings must be an object";
}

}  // namespace reprise::channel
