#include "engine/heartbeat/memory_chore.h"

#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/executors/match.h"
#include "engine/home_run.h"
#include "engine/memory/recall.h"
#include "engine/tell.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kMemoryRun = "memory";
/// What a vector is made of: more than an executor takes would be cut by it, or refused.
constexpr size_t kLongestTextBytes = size_t{8} << 10U;

HomeRun memory_run(bool simulated) {
  return {.name = kMemoryRun, .process = kMemoryRun, .simulated = simulated};
}

/// As many as a batch holds; 0: nobody wants vectors, or nobody makes them.
uint64_t batch_of(const Config& config) {
  const auto embedding = Json::parse(config.sections.at("memory")).at("embedding");
  if (!embedding.at("enabled").get<bool>()) return 0;
  const bool is_made = has_executor(config, "embedding", "memory.embedding");
  return is_made ? embedding.at("batch").get<uint64_t>() : 0;
}

/// The number of the batch that the run would take now; nullopt: none. One that does not exist yet
/// would take the first.
std::optional<uint64_t> next_batch(BeatHome& home) {
  std::optional<uint64_t> next;
  const auto look = [&](const Machine& machine, const RunState& state) {
    const auto outbox = Json::parse(machine.answer(R"({"ask":"outbox"})"));
    const bool is_free = !state.end && !state.paused && !outbox.at("open").get<bool>() &&
                         outbox.at("retryAt").get<int64_t>() <= home.now_ms;
    if (is_free) next = outbox.at("batches").get<uint64_t>() + 1;
  };
  const auto wanted = memory_run(home.simulated);
  return home.asked.ask(home, wanted, look) ? next : 1;
}

std::string embedded_text(const Memory& memory) {
  auto text = memory.summary.empty() ? memory.note : memory.summary + "\n" + memory.note;
  if (text.size() <= kLongestTextBytes) return text;
  size_t end = kLongestTextBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text;
}

class MemoryChore final : public Chore {
 public:
  std::string_view name() const override { return "memory"; }

  std::vector<Due> due(BeatHome& home) override {
    const auto batch = batch_of(home.config);
    const auto number = batch == 0 ? std::nullopt : next_batch(home);
    if (!number) return {};
    const auto missing = home.index.ask(
        [&](Database& database) { return list_without_vector(database, home.now_ms, batch); });
    if (missing.empty()) return {};
    Json items = Json::array();
    for (const auto& memory : missing) {
      items.push_back({{"memoryId", memory.id},
                       {"text", embedded_text(memory)},
                       {"textAt", memory.updated_ms}});
    }
    x_value =
        Json{{"items", std::move(items)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    return {{.key = "embed@" + std::to_string(*number),
             .what = "embed " + std::to_string(missing.size()) +
                     (missing.size() == 1 ? " memory" : " memories"),
             .run = kMemoryRun}};
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto run = open_home_run(home.workspace, home.context, memory_run(home.simulated));
    const Signal embed{
        .name = "memory.embed", .value = parse_value(x_value, "the memories"), .key = due.key};
    tell(*run.dir, home.context, {embed}, After::kIterate, {});
  }

 private:
  std::string x_value;  ///< what due() found
};

}  // namespace

std::unique_ptr<Chore> make_memory_chore() { return std::make_unique<MemoryChore>(); }

}  // namespace reprise
