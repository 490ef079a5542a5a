#include "processes/memory/outbox.h"

#include <algorithm>

namespace reprise::memory {

namespace {

constexpr std::string_view kKey = "embedding:";
constexpr int64_t kShortestPauseS = 5;
constexpr int64_t kLongestPauseS = 300;
constexpr uint64_t kMostDoublings = 10;

int64_t pause_ms(uint64_t failures) {
  const auto seconds = int64_t{1} << std::min(failures, kMostDoublings);
  return std::clamp(seconds, kShortestPauseS, kLongestPauseS) * 1000;
}

/// One vector for each item, all numbers, as many in each: others could not be compared. null when
/// the result is anything else.
Json vectors_of(const Json& result, size_t count) {
  const Json& vectors =
      result.is_object() && result.contains("vectors") ? result["vectors"] : result;
  if (!vectors.is_array() || vectors.size() != count) return nullptr;
  for (const auto& vector : vectors) {
    const bool is_vector =
        vector.is_array() && !vector.empty() &&
        std::ranges::all_of(vector, [](const Json& number) { return number.is_number(); });
    if (!is_vector || vector.size() != vectors[0].size()) return nullptr;
  }
  return vectors;
}

Command failed(const Outbox& outbox, const std::string& error, int64_t at_ms) {
  const auto failures = outbox.failures + 1;
  return emitted(
      "memory.embedding.failed",
      {{"error", error}, {"failures", failures}, {"retryAt", at_ms + pause_ms(failures)}});
}

std::string error_of(const Activation& result) {
  const auto error = result.error.empty() ? Json() : Json::parse(result.error);
  if (!error.is_object()) return "it was cancelled";
  return error.value("message", error.value("reason", "it was cancelled"));
}

}  // namespace

Command emitted(const char* type, const Json& payload) {
  Command command;
  command.kind = Command::Kind::kEmit;
  command.name = type;
  command.json = payload.dump();
  return command;
}

void Outbox::take(const Json& value) {
  ++batches;
  items = Json::array();
  for (const auto& item : value.at("items")) {
    items.push_back({{"memoryId", item.at("memoryId")}, {"textAt", item.at("textAt")}});
  }
}

void Outbox::requested(uint64_t number, std::string_view key) {
  if (key.starts_with(kKey)) effect = number;
}

void Outbox::evolve(std::string_view type, const Json& payload) {
  if (type == "memory.embedded") {
    failures = 0;
    retry_at_ms = 0;
    error.clear();
  } else if (type == "memory.embedding.failed") {
    failures = payload.at("failures");
    retry_at_ms = payload.at("retryAt");
    error = payload.at("error");
  }
}

Json Outbox::to_json() const {
  return {{"batches", batches},   {"effect", effect},       {"items", items},
          {"failures", failures}, {"retryAt", retry_at_ms}, {"error", error}};
}

Outbox Outbox::from_json(const Json& json) {
  Outbox outbox;
  outbox.batches = json.at("batches");
  outbox.effect = json.at("effect");
  outbox.items = json.at("items");
  outbox.failures = json.at("failures");
  outbox.retry_at_ms = json.at("retryAt");
  outbox.error = json.at("error");
  return outbox;
}

std::string embed_problem(const Json& value) {
  try {
    for (const auto& item : value.at("items")) {
      item.at("memoryId").get_ref<const std::string&>();
      item.at("text").get_ref<const std::string&>();
      item.at("textAt").get<int64_t>();
    }
    return value["items"].empty() ? "memory.embed needs items" : "";
  } catch (const Json::exception& error) {
    return std::string("memory.embed: ") + error.what();
  }
}

Command embedding_request(const Outbox& outbox, const Json& value) {
  Command command;
  command.kind = Command::Kind::kRequest;
  command.task = "memory.embedding";
  command.effect_kind = "embedding";
  command.key = std::string(kKey) + std::to_string(outbox.batches);
  command.label = std::to_string(outbox.items.size()) + " memories";
  command.args = Json{{"items", value.at("items")}}.dump();
  command.definition = Json{{"kind", "embedding"}, {"title", "embed memories"}}.dump();
  return command;
}

std::vector<Command> embedded(const Outbox& outbox, const Activation& result) {
  if (!result.ok) return {failed(outbox, error_of(result), result.at_ms)};
  const auto value = Json::parse(result.value);
  const auto vectors = vectors_of(value, outbox.items.size());
  if (vectors.is_null()) {
    return {failed(outbox,
                   "the executor returned no list of " + std::to_string(outbox.items.size()) +
                       " vectors of one length",
                   result.at_ms)};
  }
  std::vector<Command> events;
  for (size_t i = 0; i < outbox.items.size(); ++i) {
    auto payload = outbox.items[i];
    payload["vector"] = vectors[i];
    if (value.is_object() && value.contains("model")) payload["model"] = value["model"];
    events.push_back(emitted("memory.embedded", payload));
  }
  return events;
}

}  // namespace reprise::memory
