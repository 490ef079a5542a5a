// The checklist as a decider: activations in, commands out, and nothing else.
#include "processes/checklist/checklist.h"

#include <catch2/catch.hpp>

namespace reprise::test {
namespace {

/// Feeds activations as the engine would and says what was decided, a line each.
class Decided {
 public:
  explicit Decided(std::string inputs)
      : x_inputs([inputs = std::move(inputs)] { return inputs; }),
        x_decider(checklist_process().make(x_inputs)) {}

  std::string start() {
    Activation activation;
    activation.inputs = x_inputs.text();
    return give(activation);
  }
  std::string result(const std::string& value) {
    Activation activation;
    activation.kind = Activation::Kind::kResolved;
    activation.ok = true;
    activation.value = value;
    return give(activation);
  }
  std::string error() {
    Activation activation;
    activation.kind = Activation::Kind::kResolved;
    activation.error = R"({"name":"Error","message":"no"})";
    return give(activation);
  }
  std::string cancelled() {
    Activation activation;
    activation.kind = Activation::Kind::kCancelled;
    return give(activation);
  }
  void through_a_snapshot() {
    const auto snapshot = x_decider->snapshot();
    x_decider = checklist_process().make(x_inputs);
    REQUIRE(x_decider->restore(snapshot));
    REQUIRE(x_decider->snapshot() == snapshot);
  }

 private:
  std::string give(const Activation& activation) {
    x_decider->evolve(activation);
    std::string text;
    for (const auto& command : x_decider->decide(activation)) {
      if (!text.empty()) text += "; ";
      text += command.kind == Command::Kind::kRequest ? "ask " + command.label : command.json;
    }
    return text;
  }

  Inputs x_inputs;
  std::unique_ptr<Decider> x_decider;
};

TEST_CASE("Steps are asked for one after the other") {
  Decided run(R"({"steps":["make",{"run":"make test","name":"tests"}]})");
  CHECK(run.start() == "ask make");
  CHECK(run.result("{}") == "ask tests");
  CHECK(run.result(R"({"exitCode":0})") ==
        R"({"ok":true,"failed":0,"steps":[{"name":"make","run":"make","status":"ok"},)"
        R"({"name":"tests","run":"make test","status":"ok","exitCode":0}]})");
}

TEST_CASE("A failure stops by default and names the step") {
  Decided run(R"({"steps":["make","test"]})");
  run.start();
  CHECK(run.result(R"({"success":false,"exitCode":2})") ==
        R"({"name":"StepFailed","message":"step 1 of 2, \"make\", failed with exit code 2"})");
}

TEST_CASE("A failure goes on when it is told to") {
  Decided run(R"({"steps":["a","b","c"],"onFailure":"continue"})");
  run.start();
  CHECK(run.error() == "ask b");
  CHECK(run.cancelled() == "ask c");
  CHECK(run.result("null") ==
        R"({"ok":false,"failed":2,"steps":[{"name":"a","run":"a","status":"failed"},)"
        R"({"name":"b","run":"b","status":"cancelled"},{"name":"c","run":"c","status":"ok"}]})");
}

TEST_CASE("An empty checklist completes at once") {
  CHECK(Decided(R"({"steps":[]})").start() == R"({"ok":true,"failed":0,"steps":[]})");
}

TEST_CASE("A snapshot between any two activations changes nothing") {
  Decided run(R"({"steps":["a","b"],"onFailure":"continue"})");
  CHECK(run.start() == "ask a");
  run.through_a_snapshot();
  CHECK(run.error() == "ask b");
  run.through_a_snapshot();
  CHECK(run.result("{}").starts_with(R"({"ok":false,"failed":1,)"));
}

TEST_CASE("A snapshot of another version is not taken") {
  const Inputs none([] { return std::string("{}"); });
  CHECK_FALSE(checklist_process().make(none)->restore(R"({"version":1,"steps":[],"done":[]})"));
  CHECK_FALSE(checklist_process().make(none)->restore("garbage"));
}

TEST_CASE("More results than steps are no history of a checklist") {
  Decided run(R"({"steps":["a"]})");
  run.start();
  run.result("{}");
  CHECK_THROWS_WITH(run.result("{}"), "all 1 steps have their results");
  Decided empty(R"({"steps":[]})");
  empty.start();
  CHECK_THROWS_WITH(empty.error(), "all 0 steps have their results");
}

TEST_CASE("Inputs that are no checklist are refused with the reason") {
  const auto check = checklist_process().check_inputs;
  CHECK(check(R"({"steps":["a",{"run":"b"}]})").empty());
  CHECK(check("{}").find("steps") != std::string::npos);
  CHECK(check(R"({"steps":[""]})").find("steps[0]") != std::string::npos);
  CHECK(check(R"({"steps":["a",7]})").find("steps[1]") != std::string::npos);
  CHECK(check(R"({"steps":[],"onFailure":"explode"})").find("onFailure") != std::string::npos);
}

}  // namespace
}  // namespace reprise::test
