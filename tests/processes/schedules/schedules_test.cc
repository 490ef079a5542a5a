// What fires, when it does not, and what the log says of it.
#include <catch2/catch.hpp>

#include "tests/processes/schedules/harness.h"

namespace reprise::test {
namespace {

const Json kHourly = {{"kind", "interval"}, {"text", "every 1h"}};
const Json kOnce = {{"kind", "once"}, {"text", "once"}};

Json due(const TestSchedules& schedules, uint64_t id, const Json& next) {
  const auto schedule = schedules.schedule(id);
  return {{"scheduleId", id},
          {"revision", schedule["revision"]},
          {"occurrence", schedule["next"]},
          {"next", next}};
}

Json message(int64_t auto_delete_ms) {
  return {{"target",
           {{"kind", "message"},
            {"channel", "general"},
            {"prompt", "What is new?"},
            {"author", "anna"},
            {"autoDeleteMs", auto_delete_ms}}}};
}

TEST_CASE("An occurrence fires once, and the schedule goes on") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + 60 * kMinute);
  schedules.now_ms += 60 * kMinute;
  const auto first = due(schedules, id, schedules.now_ms + 60 * kMinute);
  CHECK(schedules.signal("schedule.due", first).empty());
  CHECK(schedules.news() == "added fired");
  REQUIRE(schedules.open().size() == 1);
  CHECK(schedules.open().begin()->second["kind"] == "shell");
  CHECK(schedules.signal("schedule.due", first) == "STALE_OCCURRENCE");
  schedules.force("schedule.due", first);
  CHECK(schedules.news() == "signal.refused");
  schedules.resolve(1, {{"success", true}, {"exitCode", 0}});
  CHECK(schedules.news() == "finished");
  const auto schedule = schedules.schedule(id);
  CHECK(schedule["fired"] == 1);
  CHECK(schedule["last"]["outcome"] == "done");
  CHECK(schedule["next"] == schedules.now_ms + 60 * kMinute);
}

TEST_CASE("While one runs the next is skipped, and counted") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute);
  schedules.now_ms += kMinute;
  CHECK(schedules.signal("schedule.due", due(schedules, id, schedules.now_ms + kMinute)).empty());
  schedules.now_ms += 5 * kMinute;
  auto second = due(schedules, id, schedules.now_ms + kMinute);
  second["missed"] = 4;
  CHECK(schedules.signal("schedule.due", second).empty());
  CHECK(schedules.news() == "added fired skipped");
  CHECK(schedules.open().size() == 1);
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", id}}) == "SCHEDULE_RUNNING");
  schedules.fail(1, "no space");
  const auto schedule = schedules.schedule(id);
  CHECK(schedule["skipped"] == 1);
  CHECK(schedule["missed"] == 4);
  CHECK(schedule["last"]["error"] == "no space");
}

TEST_CASE("Once is spent when it fires, however it ends") {
  TestSchedules schedules;
  const auto id = schedules.add(kOnce, schedules.now_ms + kMinute);
  schedules.now_ms += kMinute;
  CHECK(schedules.signal("schedule.due", due(schedules, id, nullptr)).empty());
  CHECK(schedules.schedule(id)["enabled"] == false);
  schedules.cancel(1);
  CHECK(schedules.schedule(id)["last"]["outcome"] == "cancelled");
  CHECK(schedules.ask({{"ask", "work"}, {"now", schedules.now_ms * 2}})["due"].empty());
}

TEST_CASE("An edit and a disable while it runs stay") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute);
  schedules.now_ms += kMinute;
  CHECK(schedules.signal("schedule.due", due(schedules, id, schedules.now_ms + kMinute)).empty());
  CHECK(schedules.signal("schedule.edit", {{"scheduleId", id}, {"target", {{"command", "test"}}}})
            .empty());
  CHECK(schedules.signal("schedule.disable", {{"scheduleId", id}}).empty());
  schedules.resolve(1, {{"success", false}, {"exitCode", 2}});
  const auto schedule = schedules.schedule(id);
  CHECK(schedule["target"]["command"] == "test");
  CHECK(schedule["enabled"] == false);
  CHECK(schedule["next"].is_null());
  CHECK(schedule["last"]["error"] == "exit code 2");
  CHECK(schedules.signal("schedule.enable",
                         {{"scheduleId", id}, {"next", schedule["lastOccurrence"]}}) ==
        "INVALID_SCHEDULE");
}

TEST_CASE("What was found due before an edit does not fire after it") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute);
  const auto stale = due(schedules, id, schedules.now_ms + 2 * kMinute);
  CHECK(schedules
            .signal("schedule.edit",
                    {{"scheduleId", id}, {"timing", kHourly}, {"next", schedules.now_ms + kMinute}})
            .empty());
  CHECK(schedules.signal("schedule.due", stale) == "STALE_OCCURRENCE");
  CHECK(schedules.signal("schedule.disable", {{"scheduleId", id}}).empty());
  CHECK(schedules.signal("schedule.due", due(schedules, id, nullptr)) == "INVALID_SCHEDULE");
}

TEST_CASE("A schedule can be fired by hand, and stays as it is") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute, {{"name", "nightly"}});
  CHECK(schedules.signal("schedule.disable", {{"scheduleId", id}}).empty());
  const auto before = schedules.schedule(id);
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", id}}).empty());
  schedules.resolve(1, {{"success", true}});
  const auto after = schedules.schedule(id);
  CHECK(after["next"] == before["next"]);
  CHECK(after["enabled"] == before["enabled"]);
  CHECK(after["last"]["trigger"] == "run-now");
  CHECK(schedules.ask({{"ask", "log"}, {"scheduleId", id}}).size() == 1);
}

TEST_CASE("The log is in the order in which schedules fired") {
  TestSchedules schedules;
  const auto slow = schedules.add(kHourly, schedules.now_ms + kMinute);
  const auto quick = schedules.add(kHourly, schedules.now_ms + kMinute);
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", slow}}).empty());
  for (uint64_t effect = 2; effect < 4; ++effect) {
    schedules.now_ms += kMinute;
    CHECK(schedules.signal("schedule.fire", {{"scheduleId", quick}}).empty());
    schedules.resolve(effect, {{"success", true}});
    auto late = due(schedules, slow, schedules.now_ms + kMinute);
    CHECK(schedules.signal("schedule.due", late).empty());
  }
  const auto log = [&] {
    std::string words;
    for (const auto& entry : schedules.ask({{"ask", "log"}})) {
      words += entry["firing"].dump() + " " + entry["outcome"].get<std::string>() + "; ";
    }
    return words;
  };
  CHECK(log() == "1 running; 1 skipped; 2 done; 1 skipped; 3 done; ");
  schedules.resolve(1, {{"success", true}});
  CHECK(log() == "1 done; 1 skipped; 2 done; 1 skipped; 3 done; ");
}

TEST_CASE("A message goes into its thread, and an answer without news marks it") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute, message(5 * kMinute));
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", id}}) == "NO_THREAD");
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", id}, {"thread", "t-1"}}).empty());
  const auto asked = schedules.open().begin()->second;
  CHECK(asked["kind"] == "run.signal");
  CHECK(asked["run"] == "t-1");
  CHECK(asked["value"]["author"]["id"] == "anna");
  CHECK(asked["value"]["content"].get<std::string>().find("[EPHEMERAL]") != std::string::npos);
  schedules.resolve(1, {{"runId", "t-1"}});
  CHECK(schedules.schedule(id)["running"]["msgId"] == "schedule-1-1");
  const Json answer = {{"firing", 1},
                       {"outcome", "done"},
                       {"text", "[EPHEMERAL]"},
                       {"ephemeral", true},
                       {"title", "task #1"}};
  CHECK(schedules.signal("schedule.answered", answer).empty());
  CHECK(schedules.signal("schedule.answered", answer) == "FIRING_FINISHED");
  CHECK(schedules.news() == "added fired finished thread.marked");
  CHECK(schedules.open().at(2)["value"]["name"] == "[ephemeral] task #1");
  CHECK(schedules.schedule(id)["thread"].is_null());
  const auto threads = [&] {
    return schedules.ask({{"ask", "work"}, {"now", schedules.now_ms}})["threads"].size();
  };
  CHECK(threads() == 0);
  schedules.now_ms += 5 * kMinute;
  CHECK(threads() == 1);
  CHECK(schedules.signal("schedule.thread.deleted", {{"thread", "t-1"}}).empty());
  CHECK(threads() == 0);
}

TEST_CASE("An answer with news keeps the thread, and the next message goes there, too") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute, message(5 * kMinute));
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", id}, {"thread", "t-1"}}).empty());
  schedules.resolve(1, {{"runId", "t-1"}});
  CHECK(schedules
            .signal("schedule.answered", {{"firing", 1}, {"outcome", "done"}, {"text", "It rains"}})
            .empty());
  CHECK(schedules.news() == "added fired finished");
  CHECK(schedules.schedule(id)["thread"] == "t-1");
  CHECK(schedules.schedule(id)["threads"] == 1);
}

TEST_CASE("A channel that is gone is a failure in the log, and the schedule goes on") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute, message(0));
  schedules.now_ms += kMinute;
  auto found = due(schedules, id, schedules.now_ms + kMinute);
  found["problem"] = {{"code", "CHANNEL_NOT_FOUND"}, {"message", "there is no channel"}};
  CHECK(schedules.signal("schedule.due", found).empty());
  CHECK(schedules.news() == "added fired finished");
  CHECK(schedules.open().empty());
  CHECK(schedules.schedule(id)["last"]["error"] == "there is no channel");
  CHECK(schedules.schedule(id)["next"] == schedules.now_ms + kMinute);
}

TEST_CASE("What is removed while it runs is still logged") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute);
  CHECK(schedules.signal("schedule.fire", {{"scheduleId", id}}).empty());
  CHECK(schedules.signal("schedule.remove", {{"scheduleId", id}}).empty());
  schedules.resolve(1, {{"success", true}});
  CHECK(schedules.schedule(id).is_null());
  CHECK(schedules.ask({{"ask", "log"}})[0]["outcome"] == "done");
  CHECK(schedules.add(kHourly, schedules.now_ms + kMinute) == id + 1);
}

TEST_CASE("What is wrong with a signal is said, and harms nobody when it is recorded") {
  TestSchedules schedules;
  const auto id = schedules.add(kHourly, schedules.now_ms + kMinute, {{"name", "one"}});
  const Json target = {{"kind", "command"}, {"command", "make"}};
  const auto add = [&](const Json& more) {
    Json value = {{"timing", kHourly}, {"next", schedules.now_ms}, {"target", target}};
    value.merge_patch(more);
    schedules.force("schedule.add", value);
    return schedules.signal("schedule.add", value);
  };
  CHECK(add({{"name", "one"}}) == "NAME_TAKEN");
  CHECK(add({{"name", "77"}}) == "INVALID_SCHEDULE");
  CHECK(add({{"timing", nullptr}}) == "INVALID_SCHEDULE");
  CHECK(add({{"next", 1.5}}) == "INVALID_SCHEDULE");
  CHECK(add({{"next", -1}}) == "INVALID_SCHEDULE");
  CHECK(add({{"target", {{"kind", "dance"}}}}) == "INVALID_SCHEDULE");
  CHECK(add({{"target", {{"command", std::string(70'000, 'x')}}}}) == "INVALID_SCHEDULE");
  const Json values[] = {nullptr,
                         Json::array(),
                         Json::object(),
                         {{"scheduleId", "1"}},
                         {{"scheduleId", -1}},
                         {{"scheduleId", 99}},
                         {{"scheduleId", id}, {"occurrence", "x"}, {"next", Json::object()}},
                         {{"firing", Json::array()}},
                         {{"thread", 7}}};
  for (const char* verb : {"edit", "enable", "disable", "remove", "due", "fire", "answered",
                           "thread.deleted", "dance"}) {
    for (const auto& value : values) {
      const bool only_needs_id =
          value.is_object() && value.contains("scheduleId") && value["scheduleId"] == id;
      if (only_needs_id) continue;
      schedules.force("schedule." + std::string(verb), value);
    }
  }
  CHECK(schedules.schedule(id)["name"] == "one");
  CHECK(schedules.open().empty());
}

}  // namespace
}  // namespace reprise::test
