#include "tests/processes/subconscious/loop_fixture.h"

namespace reprise::subconscious {
namespace {

constexpr const char* kAnalysis =
    "Three mails are urgent.\nRECOMMENDED ACTION: forward 3 urgent emails to #team-alerts";
constexpr const char* kAction = "forward 3 urgent emails to #team-alerts";

struct Carded : TestLoop {
  explicit Carded(const Json& more = Json::object()) : id(add("Check urgent emails", more)) {
    raise();
  }
  void raise() {
    next_tick();
    decide({{id, "escalate"}});
    resolve(open_of("analyse:").effect, kAnalysis);
  }
  void answer(bool approved) {
    resolve(open_of("card:").effect, {{"approved", approved}, {"respondedBy", "anna"}});
  }
  std::string retry(uint64_t effect) {
    const auto refusal = signal("approval.retry", {{"effect", effect}, {"by", "anna"}});
    return refusal ? refusal->code : "";
  }
  std::string id;
};

TEST_CASE("An analysis without a recommendation is a result") {
  TestLoop loop;
  const auto id = loop.add("Check urgent emails");
  loop.tick();
  loop.decide({{id, "escalate"}});
  loop.resolve(loop.open_of("analyse:").effect, {{"text", "None is urgent."}});
  CHECK(loop.entry(id).at("state") == "acted");
  CHECK(loop.entry(id).at("text") == "None is urgent.");
}

TEST_CASE("A recommendation raises a card, and its tick does not wait for the answer") {
  Carded loop;
  const auto& card = loop.open_of("card:card-1");
  CHECK(card.kind == "breakpoint");
  CHECK(card.inputs.at("title") == kAction);
  CHECK(card.inputs.at("action") == kAction);
  CHECK(card.inputs.at("description") == "Check urgent emails: Three mails are urgent.");
  CHECK(card.inputs.at("priority") == "important");
  CHECK(loop.entry(loop.id).at("text") == "Waiting for approval");
  CHECK(loop.status().at("tick").at("state") == "completed");
  CHECK(loop.status().at("pendingApprovals") == 1);
}

TEST_CASE("While a card is pending its task is not due, so that there is no second card") {
  Carded loop;
  CHECK_FALSE(loop.is_due(loop.id));
  CHECK(loop.next_tick().empty());
  CHECK(loop.task(loop.id).at("waitsFor") == "approval");
}

TEST_CASE("What is approved runs once, with exactly the approved text and full permission") {
  Carded loop;
  loop.answer(true);
  const auto& run = loop.open_of("approved:card-1/1/1");
  CHECK(run.kind == "agent");
  CHECK(run.inputs.at("action") == kAction);
  CHECK(run.definition.at("prompt").at("task") == kAction);
  CHECK(run.definition.at("permission") == "full");
  CHECK(run.inputs.at("approvedBy") == "anna");
  CHECK_FALSE(loop.is_due(loop.id));
  loop.resolve(run.effect, "forwarded");
  CHECK(loop.entry(loop.id).at("state") == "acted");
  CHECK(loop.entry(loop.id).at("text") == "forwarded");
  CHECK(loop.is_due(loop.id));
  CHECK(loop.open().empty());
  CHECK(loop.entries().size() == 1);  // the entry itself is brought up to date
}

TEST_CASE("What is denied does not run, and the same is not asked again") {
  Carded loop;
  loop.answer(false);
  CHECK(loop.open().empty());
  CHECK(loop.entry(loop.id).at("state") == "dismissed");
  CHECK(loop.entry(loop.id).at("text") == "Skipped");
  loop.raise();
  CHECK_FALSE(loop.is_open("card:"));
  CHECK(loop.entry(loop.id).at("state") == "dismissed");
  loop.next_tick();
  loop.decide({{loop.id, "escalate"}});
  loop.resolve(loop.open_of("analyse:").effect, "RECOMMENDED ACTION: something else");
  CHECK(loop.is_open("card:card-2"));
  loop.answer(false);
  loop.raise();
  CHECK_FALSE(loop.is_open("card:"));
}

TEST_CASE("A card that is cancelled or ends in an error is denied") {
  Carded loop;
  loop.cancel(loop.open_of("card:").effect);
  CHECK(loop.entry(loop.id).at("state") == "dismissed");
  CHECK(loop.open().empty());
}

TEST_CASE("An approved card that failed stays so, until it is tried again") {
  Carded loop;
  const auto card = loop.open_of("card:").effect;
  CHECK(loop.retry(card) == "CARD_NOT_FAILED");
  loop.answer(true);
  CHECK(loop.retry(card) == "CARD_NOT_FAILED");
  loop.fail(loop.open_of("approved:").effect, {{"name", "AgentError"}, {"message", "no net"}});
  CHECK(loop.entry(loop.id).at("state") == "failed");
  CHECK(loop.status().at("failedCards").size() == 1);
  CHECK(loop.retry(999) == "CARD_NOT_FOUND");
  CHECK(loop.retry(card).empty());
  const auto& run = loop.open_of("approved:card-1/2/1");
  CHECK(run.inputs.at("action") == kAction);
  CHECK(loop.retry(card) == "CARD_NOT_FAILED");
  loop.resolve(run.effect, "forwarded");
  CHECK(loop.entry(loop.id).at("state") == "acted");
  CHECK(loop.retry(card) == "CARD_NOT_FAILED");
}

TEST_CASE("What was approved and failed is not asked anew with the same words") {
  Carded loop;
  loop.answer(true);
  loop.fail(loop.open_of("approved:").effect, {{"name", "AgentError"}, {"message", "no net"}});
  loop.raise();
  CHECK_FALSE(loop.is_open("card:"));
  CHECK(loop.entry(loop.id).at("state") == "failed");
}

TEST_CASE("A rate limit of what was approved is tried again by itself") {
  Carded loop;
  loop.answer(true);
  loop.fail(loop.open_of("approved:").effect, {{"name", "RateLimited"}, {"message", "429"}});
  loop.pass_time(2000);
  loop.resolve(loop.asked("approved:card-1/1/2").effect, "forwarded");
  CHECK(loop.entry(loop.id).at("state") == "acted");
}

TEST_CASE("A task whose approved card pauses before another attempt cannot be removed") {
  Carded loop;
  loop.answer(true);
  loop.fail(loop.open_of("approved:").effect, {{"name", "RateLimited"}, {"message", "429"}});
  const auto refusal = loop.signal("task.remove", {{"taskId", loop.id}});
  REQUIRE(refusal);
  CHECK(refusal->code == "TASK_BUSY");
}

TEST_CASE("A tick that takes over leaves cards and what was approved alone") {
  Carded loop;
  loop.add("Look");
  loop.next_tick();
  CHECK(loop.is_open("card:"));
  loop.answer(true);
  loop.next_tick();
  CHECK(loop.is_open("approved:"));
  loop.resolve(loop.open_of("approved:").effect, "forwarded");
  CHECK(loop.events("heartbeat.card.executed").back().payload.at("ok") == true);
}

TEST_CASE("The run of an approved card can be abandoned") {
  Carded loop;
  loop.answer(true);
  REQUIRE_FALSE(loop.signal("heartbeat.abandon", {{"taskId", loop.id}, {"by", "anna"}}));
  CHECK(loop.open().empty());
  CHECK(loop.entry(loop.id).at("text") == "abandoned by anna");
  CHECK(loop.is_due(loop.id));
}

TEST_CASE("What is to be done once is done when its card was carried out or denied") {
  for (const bool approved : {true, false}) {
    Carded loop(Json{{"recurrence", "once"}});
    CHECK(loop.task(loop.id).at("completed") == false);
    loop.answer(approved);
    if (approved) loop.resolve(loop.open_of("approved:").effect, "forwarded");
    CHECK(loop.task(loop.id).at("completed") == true);
  }
}

TEST_CASE("With writeTasks: approve a person is asked before a task that writes is carried out") {
  TestLoop loop;
  const auto act = loop.add("Send the digest");
  const auto deep = loop.add("Publish the report");
  const auto read = loop.add("Look");
  loop.tick({{"writeTasks", "approve"}});
  loop.decide({{act, "act"}, {deep, "escalate"}, {read, "act"}});
  CHECK_FALSE(loop.is_open("act-full:"));
  CHECK_FALSE(loop.is_open("agent-full:"));
  CHECK(loop.is_open("act:"));
  const auto& card = loop.open_of("card:card-1");
  CHECK(card.inputs.at("action") == "Send the digest");
  CHECK(card.inputs.at("priority") == "normal");
  loop.resolve(card.effect, {{"approved", true}, {"respondedBy", "anna"}});
  CHECK(loop.open_of("approved:card-1").kind == "act");
  loop.resolve(loop.open_of("card:card-2").effect, {{"approved", true}, {"respondedBy", "ben"}});
  CHECK(loop.open_of("approved:card-2").kind == "agent");
}

TEST_CASE("A card about a broken executor names the command that mends it") {
  TestLoop loop;
  const auto id = loop.add("Check the executors");
  loop.tick({{"executors", {"cloud", "local"}}});
  loop.decide({{id, "escalate"}});
  loop.resolve(loop.open_of("analyse:").effect,
               "RECOMMENDED ACTION: reconnect the executor cloud, its key has expired");
  CHECK(loop.open_of("card:").inputs.at("fix") == "reprise executor:test cloud");
}

}  // namespace
}  // namespace reprise::subconscious
