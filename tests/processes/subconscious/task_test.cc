#include "tests/processes/subconscious/loop_fixture.h"

namespace reprise::subconscious {
namespace {

std::string code(const std::optional<Refusal>& refusal) { return refusal ? refusal->code : ""; }

TEST_CASE("A loop begins with three tasks of the system, all of them read") {
  TestLoop loop(true);
  const auto tasks = loop.ask({{"ask", "tasks"}, {"at", loop.now_ms}});
  REQUIRE(tasks.size() == 3);
  for (const auto& task : tasks) {
    CHECK(task.at("source") == "system");
    CHECK(task.at("intent") == "read");
    CHECK(task.at("due") == true);
  }
  CHECK(tasks[1].at("title") == "Review new memory for actionable items");
}

TEST_CASE("A task of the system can be disabled and given an intent, and nothing else") {
  TestLoop loop(true);
  CHECK(code(loop.signal("task.remove", {{"taskId", "task-1"}})) == "SYSTEM_TASK");
  CHECK(code(loop.signal("task.edit", {{"taskId", "task-1"}, {"title", "x"}})) == "SYSTEM_TASK");
  CHECK(code(loop.signal("task.edit", {{"taskId", "task-1"}, {"recurrence", "once"}})) ==
        "SYSTEM_TASK");
  CHECK_FALSE(loop.signal("task.edit", {{"taskId", "task-1"}, {"intent", "write"}}));
  CHECK(loop.task("task-1").at("intentBasis") == "explicit");
  CHECK_FALSE(loop.signal("task.disable", {{"taskId", "task-1"}}));
  CHECK_FALSE(loop.is_due("task-1"));
  loop.news();
  CHECK_FALSE(loop.signal("task.disable", {{"taskId", "task-1"}}));
  CHECK(loop.news().empty());
}

TEST_CASE("The intent of a task is what its author says, else what its title asks for") {
  TestLoop loop;
  CHECK(loop.task(loop.add("Review my schedule")).at("intent") == "read");
  CHECK(loop.task(loop.add("Send the digest")).at("intent") == "write");
  const auto id = loop.add("Send the second digest", {{"intent", "read"}});
  CHECK(loop.task(id).at("intent") == "read");
  CHECK(loop.task(id).at("intentBasis") == "explicit");
}

TEST_CASE("A task that makes no sense is refused, and says why") {
  TestLoop loop;
  loop.add("Check the build");
  const auto refused = [&](const Json& value) { return code(loop.signal("task.add", value)); };
  CHECK(refused({{"title", ""}}) == "INVALID_TASK");
  CHECK(refused({{"title", "  "}}) == "INVALID_TASK");
  CHECK(refused({{"title", "two\nlines"}}) == "INVALID_TASK");
  CHECK(refused({{"title", std::string(501, 'x')}}) == "INVALID_TASK");
  CHECK(refused({{"title", "x"}, {"intent", "destroy"}}) == "INVALID_TASK");
  CHECK(refused({{"title", "x"}, {"recurrence", "cron"}, {"cron", "* * * * *"}}) == "INVALID_TASK");
  CHECK(refused({{"title", "Check the build"}}) == "TASK_EXISTS");
  CHECK(refused({{"title", " Check the build "}}) == "TASK_EXISTS");
  CHECK(refused(Json("x")) == "INVALID_TASK");
  CHECK(code(loop.signal("task.edit", {{"taskId", "task-99"}, {"intent", "read"}})) ==
        "TASK_NOT_FOUND");
  CHECK(code(loop.signal("no.such", Json::object())) == "UNKNOWN_SIGNAL");
  loop.force_signal("task.remove", {{"taskId", "task-1"}});
  CHECK(loop.news() == "heartbeat.task.added heartbeat.signal.refused");
}

TEST_CASE("Lines of HEARTBEAT.md become tasks of the system, once each") {
  TestLoop loop(true);
  loop.add("Mine");
  const Json file = {{"digest", "d1"},
                     {"titles", {"Watch the build", "Mine", "Send the weekly report"}}};
  CHECK_FALSE(loop.signal("tasks.import", file));
  CHECK(loop.task("task-5").at("title") == "Watch the build");
  CHECK(loop.task("task-5").at("origin") == "heartbeat");
  CHECK(loop.task("task-6").at("intent") == "write");
  CHECK(loop.task("task-7").is_null());
  loop.news();
  CHECK_FALSE(loop.signal("tasks.import", file));
  CHECK(loop.news().empty());
}

TEST_CASE("A line that is gone disables its task, and enables it when it comes back") {
  TestLoop loop;
  const auto import = [&](const char* digest, const Json& titles) {
    REQUIRE_FALSE(loop.signal("tasks.import", {{"digest", digest}, {"titles", titles}}));
  };
  import("d1", {"A", "B"});
  REQUIRE_FALSE(loop.signal("task.disable", {{"taskId", "task-5"}, {"by", "anna"}}));
  import("d2", {"C"});
  CHECK(loop.task("task-4").at("disabledBy") == "HEARTBEAT.md");
  import("d3", {"A", "B", "C"});
  CHECK(loop.task("task-4").at("enabled") == true);
  CHECK(loop.task("task-5").at("enabled") == false);  // a person disabled it
  CHECK(loop.events("heartbeat.task.added").size() == 6);
}

TEST_CASE("A cron task is due at its time, once for all that was missed, and again at its next") {
  TestLoop loop;
  const auto due_ms = loop.now_ms + 3'600'000;
  const auto id =
      loop.add("Nine o'clock", {{"recurrence", "cron"}, {"cron", "0 9 * * *"}, {"next", due_ms}});
  CHECK(loop.tick().empty());
  loop.pass_time(259'200'000);
  CHECK(loop.is_due(id));
  // Whoever does not say when it is due next leaves it due.
  CHECK(loop.next_tick().empty());
  CHECK(loop.is_due(id));
  const auto next = loop.now_ms + 40'000'000;
  CHECK_FALSE(loop.next_tick({{"next", {{id, next}}}}).empty());
  loop.decide({{id, "noop"}});
  CHECK_FALSE(loop.is_due(id));
  CHECK(loop.task(id).at("next") == next);
  loop.now_ms = next;
  CHECK(loop.is_due(id));
}

TEST_CASE("A cron occurrence is not lost when its evaluation fails") {
  TestLoop loop;
  const auto id = loop.add("Nine o'clock",
                           {{"recurrence", "cron"}, {"cron", "0 9 * * *"}, {"next", loop.now_ms}});
  loop.tick({{"next", {{id, loop.now_ms + 86'400'000}}}});
  loop.fail(loop.open_of("evaluate:").effect, {{"name", "EndpointFailed"}, {"message", "503"}});
  CHECK(loop.is_due(id));
}

TEST_CASE("What is to be done once is done when it was acted on, not when there was nothing") {
  TestLoop loop;
  const auto id = loop.add("Tell me when it rains", {{"recurrence", "once"}});
  loop.tick();
  loop.decide({{id, "noop"}});
  CHECK(loop.is_due(id));
  loop.next_tick();
  loop.decide({{id, "act"}});
  loop.resolve(loop.open_of("act:").effect, "it rains");
  CHECK(loop.task(id).at("completed") == true);
  loop.pass_time(int64_t{1} << 40);
  CHECK_FALSE(loop.is_due(id));
}

TEST_CASE("A task that is removed takes its entry, its work and its card along") {
  TestLoop loop;
  const auto first = loop.add("Look at this");
  const auto second = loop.add("Look at that");
  loop.tick();
  loop.decide({{first, "act"}, {second, "escalate"}});
  loop.resolve(loop.open_of("analyse:").effect, "RECOMMENDED ACTION: tidy up");
  REQUIRE_FALSE(loop.signal("task.remove", {{"taskId", first}}));
  REQUIRE_FALSE(loop.signal("task.remove", {{"taskId", second}}));
  CHECK(loop.open().empty());
  CHECK(loop.entry(first).at("state") == "cancelled");
  CHECK(loop.entry(second).at("state") == "dismissed");
  CHECK(loop.status().at("tick").at("state") == "completed");
}

}  // namespace
}  // namespace reprise::subconscious
