#include "tests/processes/subconscious/loop_fixture.h"

namespace reprise::subconscious {
namespace {

TEST_CASE("A tick is opened, evaluated, carried out and completed") {
  TestLoop loop;
  const auto id = loop.add("Look at the mail");
  loop.news();
  const auto tick = loop.tick({{"sections", {{"environment", "Now: noon"}}}});
  CHECK(loop.news() == "heartbeat.tick.opened heartbeat.report.recorded");
  CHECK(loop.entry(id).at("state") == "in_progress");
  const auto& asked = loop.open_of("evaluate:");
  CHECK(asked.kind == "evaluate");
  CHECK(asked.definition.at("permission") == "read");
  CHECK(asked.definition.at("prompt").at("context").get<std::string>().starts_with(
      "## Environment\n\nNow: noon\n\n## Tasks\n\n- Look at the mail (due)\n"));
  CHECK(asked.inputs.at("tasks")[0].at("taskId") == id);
  loop.decide({{id, "act"}});
  CHECK(loop.news() == "heartbeat.tick.evaluated");
  const auto& act = loop.open_of("act:" + tick + "/" + id + "/1");
  CHECK(act.definition.at("permission") == "read");
  loop.resolve(act.effect, "two new mails");
  CHECK(loop.news() == "heartbeat.entry heartbeat.tick.completed");
  CHECK(loop.entry(id).at("text") == "two new mails");
  CHECK(loop.status().at("tick").at("state") == "completed");
  CHECK(loop.status().at("lastSeen") == loop.now_ms);
  CHECK(loop.open().empty());
}

TEST_CASE("One evaluation is asked for all due tasks, and their work runs side by side") {
  TestLoop loop;
  const auto read = loop.add("Look at the mail");
  const auto write = loop.add("Send the digest");
  const auto deep = loop.add("Find out why it is slow");
  const auto deep_write = loop.add("Publish the report");
  const auto idle = loop.add("Watch the weather");
  loop.tick();
  CHECK(loop.open().size() == 1);
  loop.decide({{read, "act"},
               {write, "act"},
               {deep, "escalate"},
               {deep_write, "escalate"},
               {idle, "noop"}});
  CHECK(loop.open().size() == 4);
  const auto permission = [&](const std::string& key) {
    return loop.open_of(key).definition.at("permission");
  };
  CHECK(permission("act:") == "read");
  CHECK(permission("act-full:") == "full");
  CHECK(permission("analyse:") == "read");
  CHECK(permission("agent-full:") == "full");
  CHECK(loop.open_of("act-full:").kind == "act");
  CHECK(loop.open_of("analyse:").kind == "agent");
  CHECK(loop.entry(idle).at("text") == "Nothing new");
  while (!loop.open().empty()) loop.resolve(loop.open().begin()->first, "done");
  CHECK(loop.status().at("tick").at("state") == "completed");
  CHECK(loop.events("heartbeat.entry").size() == 5);
  const auto last = loop.ask({{"ask", "last"}});
  CHECK(last.at("tick").at("state") == "completed");
  CHECK(last.at("entries") == loop.entries());
  loop.add("Look again");
  loop.next_tick();
  CHECK(loop.ask({{"ask", "last"}}).at("entries").size() == 6);
  CHECK(loop.entries().size() == 11);
}

TEST_CASE("Nothing due is no tick, and nothing is seen") {
  TestLoop loop;
  CHECK(loop.tick().empty());
  CHECK(loop.news() == "heartbeat.tick.skipped");
  CHECK(loop.status().at("tick").at("total") == 0);
  CHECK(loop.status().at("lastSeen") == 0);
}

TEST_CASE("A window has one tick, and an earlier one has none any more") {
  TestLoop loop;
  const auto id = loop.add("Look");
  loop.tick();
  loop.decide({{id, "noop"}});
  CHECK(loop.tick() == "WINDOW_DONE");
  loop.now_ms -= kWindowMs;
  CHECK(loop.tick() == "WINDOW_DONE");
  CHECK_FALSE(loop.run_now().empty());  // a person may look as often as he likes
}

TEST_CASE("An evaluation that errs or cannot be read fails the tick, and nothing is seen") {
  TestLoop loop;
  const auto id = loop.add("Look");
  loop.tick();
  loop.decide({{id, "noop"}});
  const auto seen = loop.status().at("lastSeen");
  loop.next_tick();
  loop.fail(loop.open_of("evaluate:").effect, {{"name", "EndpointFailed"}, {"message", "503"}});
  CHECK(loop.status().at("failures") == 1);
  CHECK(loop.entry(id).at("state") == "failed");
  CHECK(loop.entry(id).at("text") == "Evaluation failed: EndpointFailed: 503");
  loop.next_tick();
  loop.resolve(loop.open_of("evaluate:").effect, "I would rather not say.");
  CHECK(loop.status().at("failures") == 2);
  CHECK(loop.status().at("lastSeen") == seen);
  loop.next_tick();
  loop.cancel(loop.open_of("evaluate:").effect);
  CHECK(loop.status().at("failures") == 3);
  // The next one covers the same window.
  loop.next_tick();
  CHECK(loop.open_of("evaluate:").inputs.at("since") == seen);
  loop.decide({{id, "noop"}});
  CHECK(loop.status().at("failures") == 0);
  CHECK(loop.status().at("lastSeen") == loop.now_ms);
}

TEST_CASE("Tasks that the answer leaves out are no news, and are named; so is what it makes up") {
  TestLoop loop;
  const auto first = loop.add("Look here");
  const auto second = loop.add(
      "Look there", {{"recurrence", "cron"}, {"cron", "* * * * *"}, {"next", loop.now_ms}});
  loop.tick({{"next", {{second, loop.now_ms + 60'000}}}});
  loop.decide({{first, "act"}, {first, "escalate"}, {"task-99", "act"}});
  const auto evaluated = loop.events("heartbeat.tick.evaluated").back().payload;
  CHECK(evaluated.at("missing") == Json{second});
  CHECK(evaluated.at("rejected").size() == 2);
  CHECK(loop.open().size() == 1);  // the repeated task is not done twice
  CHECK(loop.entry(second).at("state") == "skipped");
  CHECK(loop.is_due(second));  // its occurrence is not spent
}

TEST_CASE("A result that an endpoint cut off says so") {
  TestLoop loop;
  const auto id = loop.add("Look");
  loop.tick();
  loop.decide({{id, "act"}});
  loop.resolve(loop.open_of("act:").effect, {{"text", "All is"}, {"finishReason", "length"}});
  CHECK(loop.entry(id).at("text") == "[Cut off: the model's token limit was reached]\nAll is");
}

TEST_CASE("The failure of one task does not count against the tick") {
  TestLoop loop;
  const auto id = loop.add("Look", {{"recurrence", "once"}});
  loop.tick();
  loop.decide({{id, "act"}});
  loop.fail(loop.open_of("act:").effect, {{"name", "AgentError"}, {"message", "no"}});
  CHECK(loop.entry(id).at("state") == "failed");
  CHECK(loop.status().at("failures") == 0);
  CHECK(loop.status().at("tick").at("state") == "completed");
  CHECK(loop.is_due(id));
}

TEST_CASE("A rate limit is tried three times, after two seconds and after four") {
  const Json limit = {{"name", "RateLimited"}, {"message", "429"}};
  TestLoop loop;
  const auto id = loop.add("Look");
  const auto tick = loop.tick();
  const auto fail_and_wait = [&](const std::string& key, int64_t pause_ms) {
    loop.fail(loop.asked(key).effect, limit);
    const auto& pause = loop.open_of("again:");
    CHECK(pause.kind == "sleep");
    CHECK(pause.due_ms == loop.now_ms + pause_ms);
    loop.pass_time(pause_ms);
  };
  fail_and_wait("evaluate:" + tick + "/1", 2000);
  fail_and_wait("evaluate:" + tick + "/2", 4000);
  loop.decide({{id, "act"}});
  fail_and_wait("act:" + tick + "/" + id + "/1", 2000);
  fail_and_wait("act:" + tick + "/" + id + "/2", 4000);
  loop.fail(loop.open_of("act:").effect, limit);
  CHECK(loop.entry(id).at("state") == "failed");
  CHECK(loop.open().empty());
  const auto other = loop.next_tick();
  fail_and_wait("evaluate:" + other + "/1", 2000);
  fail_and_wait("evaluate:" + other + "/2", 4000);
  loop.fail(loop.asked("evaluate:" + other + "/3").effect, limit);
  CHECK(loop.status().at("failures") == 1);
  CHECK(loop.status().count("paused") == 0);
}

TEST_CASE("An error that only a person can mend pauses the loop until it is resumed") {
  TestLoop loop;
  const auto id = loop.add("Look");
  loop.tick();
  loop.fail(loop.open_of("evaluate:").effect, {{"name", "KeyRefused"}, {"message", "401"}});
  CHECK(loop.status().at("paused").at("reason") == "Evaluation failed: KeyRefused: 401");
  CHECK(loop.next_tick() == "HEARTBEAT_PAUSED");
  CHECK_FALSE(loop.run_now().empty());
  loop.decide({{id, "noop"}});
  CHECK(loop.status().count("paused") == 1);
  REQUIRE_FALSE(loop.signal("heartbeat.resume", {{"by", "anna"}}));
  CHECK_FALSE(loop.next_tick().empty());
}

TEST_CASE("Work that only a person can make possible again pauses the loop, too") {
  TestLoop loop;
  const auto id = loop.add("Look");
  loop.tick();
  loop.decide({{id, "act"}});
  loop.fail(loop.open_of("act:").effect, {{"name", "KeyRefused"}, {"message", "401"}});
  CHECK(loop.status().at("tick").at("state") == "completed");
  CHECK(loop.status().at("paused").at("reason") == "Look failed: KeyRefused: 401");
  CHECK(loop.next_tick() == "HEARTBEAT_PAUSED");
}

TEST_CASE("The report keeps to its budget, whatever the home looks like") {
  TestLoop loop;
  loop.add("Look");
  loop.tick({{"budgetBytes", 50}, {"sections", {{"environment", std::string(5000, 'x')}}}});
  const auto report = loop.events("heartbeat.report.recorded").back().payload;
  CHECK(report.at("truncated") == true);
  CHECK(report.at("sections") == Json{"environment"});
  CHECK(report.at("text").get<std::string>().size() < 150);
}

TEST_CASE("A tick whose signal makes no sense is refused") {
  TestLoop loop;
  loop.add("Look");
  const auto code = [&](const Json& value) {
    const auto refusal = loop.signal("heartbeat.tick", value);
    return refusal ? refusal->code : "";
  };
  CHECK(code(Json(1)) == "INVALID_TICK");
  CHECK(code({{"window", "now"}}) == "INVALID_TICK");
  CHECK(code({{"sections", {{"memory", 7}}}}) == "INVALID_TICK");
  CHECK(code({{"next", {{"task-1", "soon"}}}}) == "INVALID_TICK");
  CHECK(code({{"executors", {1}}}) == "INVALID_TICK");
}

}  // namespace
}  // namespace reprise::subconscious
