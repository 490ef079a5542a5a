#include "processes/channel/usage.h"

#include "processes/channel/scribe.h"

namespace reprise::channel {

namespace {

constexpr int64_t kMostTokensOfResult = 1'000'000'000'000;  // sums stay far from overflowing

bool is_count(const Json& value) {
  return value.is_number_integer() && value >= 0 && value <= kMostTokensOfResult;
}

Json listed(const Usage::Total& total) {
  return {{"results", total.results},
          {"promptTokens", total.prompt_tokens},
          {"completionTokens", total.completion_tokens}};
}

}  // namespace

void Usage::evolve(const Event& event) {
  if (event.type != "usage.counted") return;
  auto& total = by[text_of(event.payload, "by")];
  ++total.results;
  total.prompt_tokens += number_of(event.payload, "promptTokens");
  total.completion_tokens += number_of(event.payload, "completionTokens");
}

Json Usage::to_json() const {
  auto json = Json::object();
  for (const auto& [name, total] : by) json[name] = listed(total);
  return json;
}

void Usage::restore(const Json& json) {
  by.clear();
  for (const auto& [name, total] : json.items()) {
    by[name] = {total.at("results"), total.at("promptTokens"), total.at("completionTokens")};
  }
}

bool tells_usage(const Json& result) {
  const auto& usage = member_of(result, "usage");
  return is_count(member_of(usage, "promptTokens")) &&
         is_count(member_of(usage, "completionTokens"));
}

void count_usage(Scribe& scribe, const std::string& by, const Json& subject, const Json& result) {
  if (!tells_usage(result)) return;
  const auto& usage = member_of(result, "usage");
  Json counted = {{"by", by},
                  {"promptTokens", usage.at("promptTokens")},
                  {"completionTokens", usage.at("completionTokens")}};
  if (const auto model = text_of(result, "model"); !model.empty()) counted["model"] = model;
  counted.update(subject);
  scribe.emit("usage.counted", counted);
}

}  // namespace reprise::channel
