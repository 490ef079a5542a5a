// The outbox of the run "memory", without an engine: live, replayed and restored it is the same.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "processes/memory/memory.h"

using namespace reprise;
using Json = nlohmann::json;

namespace {

class TestMemory {
 public:
  TestMemory() : x_inputs([] { return std::string("{}"); }) {
    x_decider = memory_process().make(x_inputs);
  }

  std::vector<Command> signal(const std::string& name, const Json& value) {
    const auto text = value.dump();
    Activation activation;
    activation.kind = Activation::Kind::kSignal;
    activation.name = name;
    activation.value = text;
    return give(activation);
  }
  std::vector<Command> end(uint64_t effect, bool ok, const Json& value) {
    const auto text = value.dump();
    Activation activation;
    activation.kind = Activation::Kind::kResolved;
    activation.effect = effect;
    activation.ok = ok;
    (ok ? activation.value : activation.error) = text;
    return give(activation);
  }
  Json outbox() const { return Json::parse(x_decider->answer(R"({"ask":"outbox"})")); }

  int64_t now_ms = 1'000'000;
  uint64_t effects = 0;

 private:
  std::vector<Command> give(Activation& activation) {
    activation.seq = ++x_seq;
    activation.at_ms = now_ms;
    activation.rules = kNewestRules;
    x_decider->evolve(activation);
    auto commands = x_decider->decide(activation);
    for (const auto& command : commands) record(command);
    const auto restored = memory_process().make(x_inputs);
    REQUIRE(restored->restore(x_decider->snapshot()));
    CHECK(restored->snapshot() == x_decider->snapshot());
    x_restored = memory_process().make(x_inputs);
    REQUIRE(x_restored->restore(x_decider->snapshot()));
    std::swap(x_decider, x_restored);  // what follows is told to the restored one
    return commands;
  }
  void record(const Command& command) {
    CommandRecord record;
    const bool requests = command.kind == Command::Kind::kRequest;
    const auto data = (requests ? Json{{"key", command.key}} : Json{{"type", command.name}}).dump();
    record.kind = requests ? CommandRecord::Kind::kRequested : CommandRecord::Kind::kEmitted;
    record.effect = requests ? ++effects : 0;
    record.data = data;
    record.payload = command.json;
    x_decider->evolve(record);
  }

  Inputs x_inputs;
  std::unique_ptr<Decider> x_decider, x_restored;
  uint64_t x_seq = 0;
};

Json items(int count) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i) {
    list.push_back({{"memoryId", "m" + std::to_string(i)}, {"text", "rain"}, {"textAt", i}});
  }
  return {{"items", list}};
}

}  // namespace

TEST_CASE("A batch becomes an effect, and its vectors events; one at a time") {
  TestMemory memory;
  const auto asked = memory.signal("memory.embed", items(2));
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].effect_kind == "embedding");
  CHECK(Json::parse(asked[0].args) == items(2));
  CHECK(memory.outbox()["open"] == true);
  CHECK(memory.signal("memory.embed", items(1)).empty());
  CHECK(memory.signal("memory.save", {{"note", "snow"}})[0].name == "memory.saved");
  const auto told = memory.end(1, true, {{"vectors", {{1, 2}, {3, 4}}}, {"model", "small"}});
  REQUIRE(told.size() == 2);
  CHECK(told[1].name == "memory.embedded");
  CHECK(Json::parse(told[1].json) ==
        Json{{"memoryId", "m1"}, {"textAt", 1}, {"vector", {3, 4}}, {"model", "small"}});
  CHECK(memory.outbox()["open"] == false);
  CHECK(memory.signal("memory.embed", items(1)).size() == 1);
  CHECK(memory.end(2, true, Json::array({{0.5}})).size() == 1);
}

TEST_CASE("A failure makes a pause that grows, and a success ends it") {
  TestMemory memory;
  const int64_t pauses[] = {5, 5, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300};
  uint64_t failures = 0;
  for (const auto pause : pauses) {
    memory.signal("memory.embed", items(1));
    const bool odd = ++failures % 2 == 1;
    const auto told = odd ? memory.end(failures, false, {{"name", "E"}, {"message", "down"}})
                          : memory.end(failures, true, "no vectors");
    REQUIRE(told.size() == 1);
    CHECK(told[0].name == "memory.embedding.failed");
    CHECK(memory.outbox()["retryAt"] == memory.now_ms + pause * 1000);
    CHECK(memory.outbox()["failures"] == failures);
  }
  memory.signal("memory.embed", items(1));
  memory.end(++failures, true, Json::array({{1}}));
  CHECK(memory.outbox() ==
        Json{{"batches", 13}, {"open", false}, {"failures", 0}, {"retryAt", 0}, {"error", ""}});
}

TEST_CASE("Vectors of different lengths in one answer are a failure") {
  TestMemory memory;
  memory.signal("memory.embed", items(2));
  const auto told = memory.end(1, true, Json::parse("[[1, 2], [3, 4, 5]]"));
  REQUIRE(told.size() == 1);
  CHECK(told[0].name == "memory.embedding.failed");
  CHECK(memory.outbox()["error"] == "the executor returned no list of 2 vectors of one length");
}

TEST_CASE("What is no batch is refused, and no note is longer than a note may be") {
  TestMemory memory;
  const auto process = memory_process();
  const Inputs inputs([] { return std::string("{}"); });
  const auto decider = process.make(inputs);
  const auto refused = [&](const char* name, const Json& value) {
    const auto text = value.dump();
    Activation activation;
    activation.kind = Activation::Kind::kSignal;
    activation.name = name;
    activation.value = text;
    return decider->check(activation).has_value();
  };
  CHECK(refused("memory.embed", Json()));
  CHECK(refused("memory.embed", {{"items", Json::array()}}));
  CHECK(refused("memory.embed", {{"items", {{{"memoryId", 1}}}}}));
  CHECK_FALSE(refused("memory.embed", items(1)));
  CHECK(refused("memory.save", {{"note", std::string(1 << 20, 'x')}}));
  CHECK_FALSE(refused("memory.save", {{"note", std::string(1 << 16, 'x')}}));
  CHECK(memory.signal("memory.embed", {{"items", 7}})[0].name == "memory.signal.refused");
  CHECK(memory.outbox()["open"] == false);
}

TEST_CASE("A snapshot of an older version is folded anew") {
  const Inputs inputs([] { return std::string("{}"); });
  CHECK_FALSE(memory_process().make(inputs)->restore(R"({"version":1})"));
}
