#include "engine/tell.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/ask.h"
#include "engine/family.h"
#include "processes/checklist/checklist.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

using Json = nlohmann::json;

/// Adds up the signals "add", to ten at most; "child" asks for a child run, "end" ends it. It
/// remembers the last sum only, or all of them when it is to keep all.
class Sum final : public Decider {
 public:
  void evolve(const Activation& activation) override {
    if (activation.kind != Activation::Kind::kSignal || activation.name != "add") return;
    x_sum += Json::parse(activation.value).get<int>();
    if (!x_keeps_all) x_sums.clear();
    x_sums.push_back(x_sum);
  }
  void evolve(const CommandRecord&) override {}

  std::vector<Command> decide(const Activation& activation) const override {
    if (activation.kind != Activation::Kind::kSignal) return {};
    Command command;
    if (activation.name == "end") {
      command.kind = Command::Kind::kComplete;
      command.json = std::to_string(x_sum);
      return {command};
    }
    if (activation.name != "child") return {};
    command.effect_kind = "run";
    command.task = "__sdk.run";
    command.label = "child";
    command.args = R"({"entry":"builtin:checklist","inputs":{"steps":["a"]}})";
    command.definition = R"({"kind":"run"})";
    return {command};
  }

  std::optional<Refusal> check(const Activation& signal) const override {
    if (signal.name != "add") return std::nullopt;
    const auto number = Json::parse(signal.value).get<int>();
    if (number <= 0) return Refusal{Refusal::Kind::kInvalid, "NOT_POSITIVE", "no", ""};
    if (x_sum + number > 10) return Refusal{Refusal::Kind::kConflict, "FULL", "no", ""};
    return std::nullopt;
  }
  std::string answer(std::string_view question) const override {
    return question == R"("sums")" ? Json(x_sums).dump() : "null";
  }
  void keep_all() override { x_keeps_all = true; }
  std::string snapshot() const override { return Json{x_sum, x_sums}.dump(); }
  bool restore(std::string_view snapshot) override {
    const auto json = Json::parse(snapshot);
    x_sum = json[0];
    x_sums = json[1].get<std::vector<int>>();
    return true;
  }

 private:
  int x_sum = 0;
  std::vector<int> x_sums;
  bool x_keeps_all = false;
};

BuiltIn sum_process() {
  return {"sum", "adds up", [](std::string_view) { return std::string(); },
          [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<Sum>(); }};
}

Signal add(int number, const std::string& key = {}) {
  return {.name = "add", .value = parse_value(std::to_string(number), "add"), .key = key};
}
Signal named(const std::string& name) {
  return {.name = name, .value = parse_value("null", name), .key = name};
}

struct Summing {
  World world{{sum_process(), checklist_process()}};
  TestRun run = TestRun::built_in(world, "sum", "{}");

  Told say(const std::vector<Signal>& signals, After after = After::kIterate) {
    return tell(run.dir(), world.context, signals, after, R"("sums")");
  }
  std::string sums(Past past = Past::kPresent) {
    return ask(run.dir(), world.context, R"("sums")", past);
  }
};

TEST_CASE("Signals are judged before they are recorded, all of them or none", "[tell]") {
  Summing summing;
  CHECK(summing.say({add(4)}).answer == "[4]");
  const auto types = summing.run.types();
  CHECK(code_of([&] { summing.say({add(1), add(0)}); }) == "NOT_POSITIVE");
  CHECK(code_of([&] { summing.say({add(7)}); }) == "FULL");
  CHECK(summing.run.types() == types);
  CHECK(summing.say({add(6)}).answer == "[10]");
}

TEST_CASE("A signal that was recorded before is not judged again", "[tell]") {
  Summing summing;
  CHECK(summing.say({add(6, "k")}).signals[0].recorded);
  const auto again = summing.say({add(6, "k")});
  CHECK_FALSE(again.signals[0].recorded);
  CHECK(again.answer == "[6]");
}

TEST_CASE("What is only recorded is given to the process by the next iterate", "[tell]") {
  Summing summing;
  summing.say({add(1)});
  CHECK(summing.say({add(2)}, After::kNothing).answer == "[1]");
  CHECK(summing.run.status() == "ready");
  CHECK(summing.sums() == "[1]");
  summing.run.iterate();
  CHECK(summing.sums() == "[3]");
}

TEST_CASE("Signals can be judged without a lock, and nothing is recorded", "[tell]") {
  Summing summing;
  summing.say({add(6)});
  const auto types = summing.run.types();
  const auto& context = summing.world.context;
  const auto judged = [&](const Signal& signal) {
    return code_of([&] { check_signals(summing.run.dir(), context, {signal}); });
  };
  CHECK(judged(add(1)).empty());
  CHECK(judged(add(5)) == "FULL");
  CHECK(summing.run.types() == types);
  summing.say({named("end")});
  CHECK(judged(add(1)) == "RUN_ENDED");
  CHECK(code_of([&] { summing.say({add(1)}); }) == "RUN_ENDED");
}

TEST_CASE("A process can be asked about all of its past", "[tell]") {
  Summing summing;
  for (int i = 1; i <= 3; ++i) summing.say({add(i)});
  CHECK(summing.sums() == "[6]");
  CHECK(summing.sums(Past::kWhole) == "[1,3,6]");
  CHECK(ask(summing.run.dir(), summing.world.context, R"("else")") == "null");
}

TEST_CASE("What is told and asked is the same after every cut", "[tell]") {
  Summing summing;
  const auto steps = [](TestRun& run) {
    for (int i = 1; i <= 4; ++i) {
      tell(run.dir(), run.world().context, {add(i, std::to_string(i))}, After::kIterate, "");
    }
    CHECK(ask(run.dir(), run.world().context, R"("sums")") == "[10]");
    CHECK(ask(run.dir(), run.world().context, R"("sums")", Past::kWhole) == "[1,3,6,10]");
    tell(run.dir(), run.world().context, {}, After::kIterate, "");
  };
  at_every_prefix(std::move(summing.run), steps);
}

TEST_CASE("Child runs of a process that is told something are made at once", "[tell]") {
  Summing summing;
  const RunFolder folder{*summing.world.runs, "/home/runs", {}};
  const auto name = summing.run.state().run_id;
  const auto told = tell_among(folder, name, summing.run.dir(), summing.world.context,
                               {named("child")}, After::kIterate, R"("sums")");
  CHECK(told.answer == "[]");
  CHECK(summing.world.runs->open_dir(child_run_id(name, 1)) != nullptr);
}

}  // namespace
}  // namespace reprise::test
