// Rules: which number a run has, what its process learns of it, and which journals hold it.
#include <catch2/catch.hpp>

#include "engine/commands.h"
#include "engine/json_writer.h"
#include "engine/process_loader.h"
#include "engine/signal.h"
#include "engine/stop.h"
#include "engine/tell.h"
#include "journal/segment.h"
#include "tests/engine/calls.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

/// Emits, for each activation, the rules that it says.
class RulesWitness final : public Decider {
 public:
  void evolve(const Activation& activation) override { x_seen += " " + rules_of(activation); }
  void evolve(const CommandRecord&) override {}
  std::vector<Command> decide(const Activation& activation) const override {
    Command command;
    command.kind = Command::Kind::kEmit;
    command.name = "rules";
    command.json = rules_of(activation);
    return {command};
  }
  std::optional<Refusal> check(const Activation& signal) const override {
    return Refusal{.code = "RULES_" + rules_of(signal)};
  }
  std::string answer(std::string_view) const override { return "\"" + x_seen + "\""; }
  std::string snapshot() const override { return "\"" + x_seen + "\""; }
  bool restore(std::string_view snapshot) override {
    x_seen = unquote(snapshot);
    return true;
  }

 private:
  static std::string rules_of(const Activation& activation) {
    return std::to_string(activation.rules);
  }

  std::string x_seen;
};

BuiltIn rules_witness() {
  return {
      "rules", "for tests", [](std::string_view) { return std::string(); },
      [](const Inputs&) -> std::unique_ptr<Decider> { return std::make_unique<RulesWitness>(); }};
}

std::string created_data(TestRun& run) {
  std::string data;
  for_each_event(run.dir(), [&](const RecordView& record) {
    if (record.seq == 1) data = record.data;
  });
  return data;
}

/// What the events say, in order.
std::string rules_told(TestRun& run) {
  std::string told;
  JsonReader reader;
  for_each_event(run.dir(), [&](const RecordView& record) {
    if (record.type != RecordType::kEventEmitted) return;
    told += std::string(reader.members(record.data).raw("payload")) + " ";
  });
  return told;
}

void send(TestRun& run, const std::string& name) {
  send_signal(run.dir(), run.world().context,
              {.name = name, .value = parse_value("null", "value"), .key = {}});
}

AssignedProcess assign_newest(TestRun& run, bool yes = true) {
  AssignRequest request;
  request.newest_rules = true;
  request.yes = yes;
  return assign_process(run.dir(), run.world().context, {}, request);
}

TEST_CASE("A new run has the newest rules, and a journal that version 0.1.0 refuses") {
  World world({rules_witness()});
  auto run = TestRun::built_in(world, "rules", "{}");
  CHECK(run.state().rules == kNewestRules);
  CHECK(created_data(run).find(R"("rules":1)") != std::string::npos);
  CHECK(read_header(run.dir(), 1)->version == kNewestFormat);
  run.iterate();
  CHECK(rules_told(run) == "1 ");
  CHECK(run.state().rules == kNewestRules);
  run.dir().remove("state/state.json");
  CHECK(run.state().rules == kNewestRules);
}

TEST_CASE("A run without rules keeps none, in the format that it has") {
  World world({rules_witness()});
  world.rules = 0;
  auto run = TestRun::built_in(world, "rules", "{}");
  CHECK(run.state().rules == 0);
  CHECK(created_data(run).find("rules\":") == std::string::npos);
  run.iterate();
  send(run, "a");
  run.iterate();
  CHECK(rules_told(run) == "0 0 ");
  CHECK(read_header(run.dir(), 1)->version == kFormatWithoutRules);

  SECTION("also when it is given other code") {
    TestRun other(world, script_with_args("await call('a');"));
    other.iterate();
    CHECK(other.assign(script_with_args("await call('a'); await call('b');")).assigned);
    CHECK(other.state().rules == 0);
    CHECK(read_header(other.dir(), 1)->version == kFormatWithoutRules);
    CHECK_FALSE(read_header(other.dir(), 2));
  }
}

TEST_CASE(
    "An activation has the rules that the run had when it was recorded, from cache and journal") {
  World world({rules_witness()});
  world.rules = 0;
  auto run = TestRun::built_in(world, "rules", "{}");
  run.iterate();
  send(run, "before");
  REQUIRE(assign_newest(run).assigned);
  send(run, "after");
  CHECK(run.state().rules == 1);
  CHECK(read_header(run.dir(), 1)->version == kFormatWithoutRules);
  CHECK(read_header(run.dir(), 2)->version == kNewestFormat);

  SECTION("cache") {}
  SECTION("journal") { run.dir().remove("state/state.json"); }
  run.iterate();
  CHECK(rules_told(run) == "0 0 1 ");
  run.check_replay();
  send(run, "later");
  run.iterate();
  CHECK(rules_told(run) == "0 0 1 1 ");
}

TEST_CASE("A run gets newer rules when somebody says yes, once") {
  World world({rules_witness()});
  world.rules = 0;
  auto run = TestRun::built_in(world, "rules", "{}");
  run.iterate();
  const auto proposed = assign_newest(run, false);
  CHECK(proposed.proposed);
  CHECK_FALSE(proposed.assigned);
  CHECK(proposed.rules_before == 0);
  CHECK(proposed.rules == kNewestRules);
  CHECK(run.state().rules == 0);
  CHECK(assign_newest(run).assigned);
  CHECK(run.state().rules == kNewestRules);
  const auto again = assign_newest(run);
  CHECK_FALSE(again.assigned);
  CHECK_FALSE(again.proposed);
  CHECK(run.types() == "RUN_CREATED EVENT_EMITTED PROCESS_ASSIGNED");

  SECTION("and nothing can be rewound to that, but to what is before it") {
    CHECK(code_of([&] { run.rewind("3"); }) == "REWIND_REFUSED");
    CHECK(run.rewind("1").recorded);
    run.iterate();
    CHECK(run.state().rules == kNewestRules);
    CHECK(rules_told(run) == "0 0 ");
  }
  SECTION("and a halted run gets none") {
    auto halted = TestRun::built_in(world, "rules", "{}");
    halt_run(halted.dir(), world.context, "enough", false);
    CHECK(code_of([&] { assign_newest(halted); }) == "RUN_ENDED");
  }
}

TEST_CASE("A bare run gets newer rules at once, and its process after that has them") {
  World world({rules_witness()});
  world.rules = 0;
  auto run = TestRun::built_in(world, "", "{}");
  REQUIRE_FALSE(run.state().has_process);
  CHECK(assign_newest(run, false).assigned);
  CHECK_FALSE(run.state().has_process);
  AssignRequest request;
  request.process.built_in = "rules";
  CHECK(assign_process(run.dir(), world.context, {}, request).assigned);
  run.iterate();
  CHECK(rules_told(run) == "1 ");
  run.dir().remove("state/state.json");
  CHECK(run.state().rules == kNewestRules);
  run.check_replay();
}

TEST_CASE("A script gets newer rules with its own code, over its whole history") {
  World world;
  world.rules = 0;
  TestRun run(world, script("await call('a'); ctx.emit('half', 1); await call('b');"));
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  const auto proposed = assign_newest(run, false);
  REQUIRE(proposed.plan);
  CHECK(proposed.plan->same());
  CHECK(proposed.plan->kept.size() == 3);
  CHECK(run.state().rules == 0);
  CHECK(assign_newest(run).assigned);
  CHECK(run.state().rules == kNewestRules);
  CHECK(run.pending() == "t2:b");
  run.check_replay();
  CHECK_FALSE(assign_newest(run).proposed);
  run.post("t2", "2");
  run.iterate();
  CHECK(run.status() == "completed");
  run.check_replay();

  SECTION("which a rewind behind it takes back") {
    CHECK(run.rewind("t1").recorded);
    CHECK(run.state().rules == 0);
    run.iterate();
    CHECK(run.pending() == "t3:a");
    run.check_replay();
  }
  SECTION("which new code keeps, also where a rewind goes behind it") {
    REQUIRE(run.rewind("t1", script("await call('d');")).recorded);
    CHECK(run.state().rules == kNewestRules);
    run.iterate();
    run.check_replay();
  }
}

TEST_CASE("What a script was not given yet is no difference") {
  World world;
  world.rules = 0;
  TestRun run(world, script("await call('a'); await call('b');"));
  run.iterate();
  run.post("t1", "1");
  AssignRequest request;
  request.newest_rules = request.yes = request.only_same = true;
  const auto assigned = assign_process(run.dir(), world.context, {}, request);
  CHECK(assigned.assigned);
  CHECK(assigned.plan->added.size() == 1);
  CHECK(run.pending() == "t3:b");
  run.iterate();
  run.check_replay();
}

TEST_CASE(
    "A failed script with newer rules goes on, and one that would end by them can be left out") {
  World world;
  world.rules = 0;
  TestRun run(world, script("await call('a'); throw new Error('no');"));
  run.iterate();
  run.post("t1", "1");
  run.iterate();
  REQUIRE(run.status() == "failed");
  AssignRequest request;
  request.newest_rules = request.yes = request.only_same = true;
  const auto left = assign_process(run.dir(), world.context, {}, request);
  CHECK(left.proposed);
  CHECK_FALSE(left.assigned);
  CHECK(left.plan->end.starts_with("fail"));
}

TEST_CASE("A signal is judged by the rules of the run") {
  World world({rules_witness()});
  for (const uint32_t rules : {0, 1}) {
    world.rules = rules;
    auto run = TestRun::built_in(world, "rules", "{}");
    const Signal signal{.name = "a", .value = parse_value("null", "value"), .key = {}};
    CHECK(code_of([&] { tell(run.dir(), world.context, {signal}, After::kNothing, {}); }) ==
          "RULES_" + std::to_string(rules));
  }
}

TEST_CASE("Code that is assigned has the rules of the run, also when a rewind goes behind them") {
  World world;
  TestRun run(world, script("await call('a'); await call('b');"));
  run.iterate();
  REQUIRE(run.assign(script("await call('a'); await call('c');")).assigned);
  CHECK(run.state().rules == kNewestRules);
  run.post("t1", "1");
  run.iterate();
  REQUIRE(run.rewind("t1", script("await call('d');")).recorded);
  CHECK(run.state().rules == kNewestRules);
  run.iterate();
  run.check_replay();
}

TEST_CASE("Rules that are newer than this program are refused by name, whatever is asked") {
  World world({rules_witness()});
  world.rules = kNewestRules + 1;
  const auto message = [&] {
    try {
      TestRun::built_in(world, "rules", "{}");
    } catch (const Error& error) {
      return error.code() + ": " + error.message();
    }
    return std::string("nothing");
  }();
  CHECK(message.starts_with("JOURNAL_TOO_NEW: run "));
  CHECK(message.find("has rules 2, and this version of reprise knows those up to 1") !=
        std::string::npos);
}

}  // namespace
}  // namespace reprise::test
