// What the visor watches, and that it tells it once: each flaw of a visor that tells it at every
// tick has its case here.
#include <catch2/catch.hpp>

#include "tests/processes/visor/harness.h"

using namespace reprise;
using namespace reprise::visor;

TEST_CASE("A late worker is told once, and only it is cancelled") {
  TestVisor visor;
  visor.add_worker("web", "w1", kBeginMs);
  visor.add_worker("web", "w2", kBeginMs + 30'000);
  CHECK(types_of(visor.tick_after(599)).empty());
  const auto told = visor.tick_after(1);
  REQUIRE(types_of(told) == "visor.worker.timeout");
  CHECK(told[0].payload == Json{{"channelId", "web"},
                                {"workerId", "w1"},
                                {"status", "running"},
                                {"elapsedSeconds", 600},
                                {"timeoutSeconds", 600}});
  const auto asked = visor.requests("worker:web/w1");
  REQUIRE(asked.size() == 1);
  CHECK(asked[0] ==
        Json{{"run", "web"},
             {"name", "worker.cancel"},
             {"value", {{"workerId", "w1"}, {"reason", "Worker timed out after 600 s"}}}});
  CHECK(visor.requests("worker:web/w2").empty());
  visor.resolve("worker:web/w1", {{"runId", "web"}, {"name", "worker.cancel"}});
  // It is still listed until its channel went on; the other one is late in its turn.
  CHECK(types_of(visor.tick_after(30)) == "visor.worker.timeout");
  CHECK(visor.requests("worker:web/w2").size() == 1);
  for (int i = 0; i < 20; ++i) CHECK(visor.tick_after(30).empty());
}

TEST_CASE("What was told to be late is forgotten when it is gone, and not before") {
  TestVisor visor;
  visor.add_worker("web", "w1", kBeginMs - 3'600'000);
  visor.tick();
  CHECK(visor.status()["late"] == Json{"web/w1"});
  auto all = visor.facts["workers"];
  visor.facts["workers"] = Json::array();
  visor.facts["complete"] = false;  // nobody could ask all channels
  visor.tick_after(30);
  CHECK(visor.status()["late"] == Json{"web/w1"});
  visor.facts["complete"] = true;
  visor.tick_after(30);
  CHECK(visor.status()["late"].empty());
}

TEST_CASE("A timeout of 0 is none") {
  TestVisor visor;
  visor.facts["settings"]["workerTimeoutSeconds"] = 0;
  visor.facts["settings"]["branchTimeoutSeconds"] = 0;
  visor.facts["settings"]["idleThresholdSeconds"] = 0;
  visor.facts["counts"]["channels"] = 1;
  visor.add_worker("web", "w1", 0);
  visor.facts["branches"] = {{{"channelId", "web"}, {"branchId", "b1"}, {"since", 0}}};
  visor.tick_after(1'000'000);
  CHECK(visor.events("visor.worker.timeout").empty());
  CHECK(visor.events("visor.signal.idle").empty());
  CHECK(visor.open().empty());
}

TEST_CASE("A late branch is brought to its end by its channel, which is told once") {
  TestVisor visor;
  visor.facts["branches"] = {{{"channelId", "web"}, {"branchId", "b1"}, {"since", kBeginMs}}};
  CHECK(visor.tick_after(59).empty());
  CHECK(visor.open().empty());
  visor.tick_after(31);
  CHECK(visor.requests("branch:web/b1") ==
        std::vector<Json>{
            {{"run", "web"}, {"name", "branch.timeout"}, {"value", {{"branchId", "b1"}}}}});
  visor.fail("branch:web/b1", {{"name", "RunSignalRefused"}});
  visor.tick_after(30);
  CHECK(visor.requests("branch:web/b1").size() == 1);
}

TEST_CASE("A channel is degraded by three failures, not by two, and each counts once") {
  TestVisor visor;
  const auto fail = [&](const Json& seqs) {
    visor.facts["failures"] = {{{"channelId", "web"}, {"seqs", seqs}}};
    return visor.tick_after(30);
  };
  CHECK(fail({12, 15}).empty());
  const auto told = fail({12, 15, 19});
  REQUIRE(types_of(told) == "visor.signal.channel_degraded");
  CHECK(told[0].payload ==
        Json{{"channelId", "web"}, {"failureCount", 3}, {"windowSeconds", 600}, {"through", 19}});
  CHECK(fail({12, 15, 19}).empty());
  CHECK(fail({15, 19, 22}).empty());
  CHECK(fail({19, 22, 25}).empty());
  CHECK(types_of(fail({22, 25, 30})) == "visor.signal.channel_degraded");
  // Once the window has none of its failures, the channel is forgotten.
  visor.facts["failures"] = Json::array();
  visor.tick_after(30);
  CHECK(visor.status()["degraded"].empty());
}

TEST_CASE("Silence is told once, until somebody speaks") {
  TestVisor visor;
  visor.facts["counts"]["channels"] = 1;
  visor.facts["lastMessageAt"] = kBeginMs;
  visor.tick();
  CHECK(visor.tick_after(1799).empty());
  const auto later = visor.tick_after(31);
  REQUIRE(types_of(later) == "visor.signal.idle");
  CHECK(later[0].payload == Json{{"idleSeconds", 1830}, {"since", kBeginMs}});
  for (int i = 0; i < 200; ++i) CHECK(visor.tick_after(30).empty());
  visor.facts["lastMessageAt"] = visor.now_ms;
  CHECK(visor.tick_after(1770).empty());
  CHECK(types_of(visor.tick_after(60)) == "visor.signal.idle");
}

TEST_CASE(
    "A home without channels is never idle; one without messages is, from its first tick on") {
  TestVisor visor;
  for (int i = 0; i < 100; ++i) CHECK(visor.tick_after(60).empty());
  visor.facts["counts"]["channels"] = 1;
  CHECK(types_of(visor.tick_after(30)) == "visor.signal.idle visor.bulletin.generated");
  CHECK(visor.tick_after(30).empty());
}

TEST_CASE("What faded is forgotten, and what says the same becomes one") {
  TestVisor visor;
  visor.facts["maintenance"] = {
      {"forget", {"memory/m1", "web/m2"}},
      {"merges", {{{"memory", {{"note", "a | b"}, {"kind", "fact"}}}, {"replaces", {"m3", "m4"}}}}},
      {"examinedUntil", 77}};
  const auto told = visor.tick();
  CHECK(types_of(told) == "visor.memory.maintained visor.memory.merged");
  REQUIRE(told.size() == 7);
  CHECK(told[0].type == "memory.forgotten");
  CHECK(told[1].payload == Json{{"memoryId", "web/m2"}, {"reason", "faded"}});
  CHECK(told[2].payload == Json{{"memoryId", "merge1"}, {"note", "a | b"}, {"kind", "fact"}});
  CHECK(told[4].payload == Json{{"from", "merge1"},
                                {"to", "m4"},
                                {"relation", "supersedes"},
                                {"weight", 1.0},
                                {"provenance", "visor.merge"}});
  CHECK(told[5].payload == Json{{"pruned", 2}, {"examinedUntil", 77}});
  CHECK(visor.foresee()["maintenance"].is_null());
  visor.facts.erase("maintenance");
  visor.now_ms += 30'000;
  CHECK(visor.foresee()["maintenance"] == false);
  CHECK(visor.foresee()["examinedUntil"] == 77);
  visor.now_ms += 3'600'000;
  CHECK(visor.foresee()["maintenance"] == true);
}

TEST_CASE("A tick from which nothing follows is foreseen, and one of a window that was told") {
  TestVisor visor;
  CHECK(visor.foresee()["decides"] == false);
  visor.add_worker("web", "w1", kBeginMs - 3'600'000);
  CHECK(visor.foresee()["decides"] == true);
  CHECK(visor.foresee()["what"] == "a worker takes too long, cancel web/w1");
  const auto before = visor.status();
  CHECK(visor.status() == before);  // to foresee changes nothing
  visor.tick();
  visor.add_worker("web", "w2", kBeginMs - 3'600'000);
  CHECK(visor.foresee()["decides"] == false);
  CHECK(visor.tick().empty());
  CHECK(types_of(visor.tick_after(30)) == "visor.worker.timeout");
}

TEST_CASE("A signal that is no tick is refused, and harmless when it was recorded") {
  TestVisor visor;
  CHECK(visor.check("visor.tick", visor.facts).has_value());  // it has no window
  const Json bad[] = {Json(), Json::array(), 7, {{"window", "x"}}, {{"window", 1}}};
  const auto before = visor.status();
  for (const auto& value : bad) {
    REQUIRE(visor.check("visor.tick", value).has_value());
    CHECK(types_of(visor.signal("visor.tick", value)) == "visor.signal.refused");
  }
  CHECK(visor.check("something", visor.facts).has_value());
  CHECK(types_of(visor.signal("something", Json())) == "visor.signal.refused");
  CHECK(visor.status() == before);
}
