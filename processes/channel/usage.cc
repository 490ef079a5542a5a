#include "processes/channel/usage.h"

#include "processes/channel/scribe.h"

namespace reprise::channel {

void Usage::evolve(const Event& event) {
  if (event.type != "usage.counted") return;
  auto& total = by[text_of(event.payload, "by")];
  ++total.results;
  total.prompt_tokens += number_of(event.payload, "promptTokens");
  total.completion_tokens += number_of(event.payload, "completionTokens");
}

Json Usage::to_json() const {
  auto json = Json::object();
  for (const auto& [name, total] : by) {
    json[name] = {{"results", total.results},
                  {"promptTokens", total.prompt_tokens},
                  {"completionTokens", total.completion_tokens}};
  }
  return json;
}

void Usage::restore(const Json& json) {
  by.clear();
  for (const auto& [name, total] : json.items()) {
    by[name] = {total.at("results"), total.at("promptTokens"), total.at("completionTokens")};
  }
}

void count_usage(Scribe& scribe, const std::string& by, const Json& subject, const Json& result) {
  const auto& usage = member_of(result, "usage");
  if (!usage.is_object()) return;
  Json counted = {{"by", by},
                  {"promptTokens", number_of(usage, "promptTokens")},
                  {"completionTokens", number_of(usage, "completionTokens")}};
  if (const auto model = text_of(result, "model"); !model.empty()) counted["model"] = model;
  counted.update(subject);
  scribe.emit("usage.counted", std::move(counted));
}

}  // namespace reprise::channel
