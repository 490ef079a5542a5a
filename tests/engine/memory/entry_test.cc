#include "engine/memory/entry.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "journal/clock.h"
#include "journal/ids.h"
#include "tests/engine/run_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

Json completed(const std::string& json) { return Json::parse(complete_memory(json, kStartMs)); }

Memory saved(const std::string& payload, int64_t at_ms = kStartMs,
             const std::string& run = "memory") {
  std::optional<Memory> memory;
  fold_fact(memory, {run, "memory.saved", at_ms, payload});
  REQUIRE(memory);
  return *memory;
}

std::string days_later(int64_t days) { return format_time(kStartMs + days * kDayMs); }

}  // namespace

TEST_CASE("The kind of a note follows from its words, and the class from its kind") {
  const auto kind = [](const char* note) { return std::string(infer_kind(note)); };
  CHECK(kind("[Todo] buy milk, a decision") == "todo");
  CHECK(kind("[bulletin] a goal") == "event");
  CHECK(kind("She Prefers the decision") == "preference");
  CHECK(kind("We decided to go") == "decision");
  CHECK(kind("Our goal is to observe") == "goal");
  CHECK(kind("its identity") == "identity");
  CHECK(kind("I observed rain") == "observation");
  CHECK(kind("It rains") == "fact");
  CHECK(default_class("fact") == "semantic");
  CHECK(default_class("todo") == "procedural");
  CHECK(default_class("observation") == "episodic");
}

TEST_CASE("A memory is completed with the defaults, and what is given stays") {
  const auto plain = completed(R"({"note":"It rains"})");
  CHECK(plain["kind"] == "fact");
  CHECK(plain["class"] == "semantic");
  CHECK(plain["scope"] == Json({{"type", "global"}, {"id", "global"}}));
  CHECK(plain["importance"] == 0.5);
  CHECK(plain["confidence"] == 0.7);
  CHECK_FALSE(plain.contains("expiresAt"));
  const auto given = completed(R"({"note":"a","kind":"goal","class":"episodic","importance":0})");
  CHECK(given["kind"] == "goal");
  CHECK(given["importance"] == 0);
}

TEST_CASE("When a memory ends follows from its class, unless it is said") {
  CHECK(completed(R"({"note":"a","class":"bulletin"})")["expiresAt"] == days_later(180));
  CHECK(completed(R"({"note":"a","kind":"event"})")["expiresAt"] == days_later(90));
  const auto* done = R"({"note":"[todo] a","metadata":{"status":"completed"}})";
  CHECK(completed(done)["expiresAt"] == days_later(30));
  CHECK_FALSE(
      completed(R"({"note":"[todo] a","metadata":{"status":"open"}})").contains("expiresAt"));
  CHECK(completed(R"({"note":"a","kind":"event","expiresAt":null})")["expiresAt"].is_null());
  const auto* said = R"({"note":"a","kind":"event","expiresAt":"2030-01-01T00:00:00.000Z"})";
  CHECK(completed(said)["expiresAt"] == "2030-01-01T00:00:00.000Z");
  // The same where a run told it without an end.
  CHECK(saved(R"({"memoryId":"a","note":"a","kind":"event"})").expires_ms ==
        kStartMs + 90 * kDayMs);
  CHECK_FALSE(saved(R"({"memoryId":"a","note":"a","kind":"event","expiresAt":null})").expires_ms);
}

TEST_CASE("What is wrong with a memory is named") {
  const auto why = [](const std::string& json) {
    return code_of([&] { complete_memory(json, kStartMs); });
  };
  const auto large = Json{{"note", std::string(1 << 20, 'x')}}.dump();
  for (const std::string& json :
       {std::string("[]"), std::string("{}"), std::string(R"({"note":" \n"})"),
        std::string(R"({"note":1})"), large, std::string(R"({"note":"a","kind":"idea"})"),
        std::string(R"({"note":"a","class":1})"), std::string(R"({"note":"a","importance":1.1})"),
        std::string(R"({"note":"a","confidence":"high"})"),
        std::string(R"({"note":"a","scope":{"type":"team","id":"x"}})"),
        std::string(R"({"note":"a","scope":{"type":"channel"}})"),
        std::string(R"({"note":"a","metadata":[]})"),
        std::string(R"({"note":"a","expiresAt":"soon"})")}) {
    INFO(json.substr(0, 80));
    CHECK(why(json) == "MEMORY_INVALID");
  }
  const auto link = [](const std::string& json) { return code_of([&] { complete_link(json); }); };
  CHECK(link(R"({"from":"a","to":"a"})") == "MEMORY_INVALID");
  CHECK(link(R"({"from":"a"})") == "MEMORY_INVALID");
  CHECK(link(R"({"from":"a","to":"b","relation":"likes"})") == "MEMORY_INVALID");
  CHECK(link(R"({"from":"a","to":"b","weight":2})") == "MEMORY_INVALID");
  CHECK(link(R"({"from":"a","to":"b"})").empty());
}

TEST_CASE("Facts are folded: changes, access, forgetting, and saving again") {
  auto memory = std::optional(saved(R"({"memoryId":"m1","note":"It rains","summary":"rain"})"));
  const auto fold = [&](const char* type, int64_t day, const char* payload) {
    fold_fact(memory, {"memory", type, kStartMs + day * kDayMs, payload});
  };
  fold("memory.updated", 1,
       R"({"memoryId":"m1","note":"It snows","summary":null,"importance":0.9})");
  CHECK(memory->note == "It snows");
  CHECK(memory->summary.empty());
  CHECK(memory->kind == "fact");
  CHECK(memory->importance == 0.9);
  CHECK(memory->created_ms == kStartMs);
  CHECK(memory->updated_ms == kStartMs + kDayMs);
  fold("memory.recalled", 2, "{}");
  CHECK(memory->accessed_ms == kStartMs + 2 * kDayMs);
  fold("memory.signal.refused", 3, R"({"note":"other"})");
  fold("memory.updated", 3, "not json");
  CHECK(memory->note == "It snows");
  fold("memory.forgotten", 4, R"({"memoryId":"m1"})");
  CHECK_FALSE(is_live(*memory, kStartMs + 5 * kDayMs));
  fold("memory.saved", 5, R"({"memoryId":"m1","note":"It rains again"})");
  CHECK(is_live(*memory, kStartMs + 5 * kDayMs));
  std::optional<Memory> none;
  fold_fact(none, {"memory", "memory.updated", 0, R"({"memoryId":"m1","note":"a"})"});
  fold_fact(none, {"memory", "memory.saved", 0, R"({"memoryId":"m1","note":"  "})"});
  CHECK_FALSE(none);
}

TEST_CASE("Ids of other runs carry the run, unless they carry one already") {
  CHECK(global_memory_id("memory", "m1") == "m1");
  CHECK(global_memory_id("web", "m1") == "web/m1");
  CHECK(global_memory_id("web", "memory/m1") == "m1");
  CHECK(global_memory_id("web", "shop/m1") == "shop/m1");
  CHECK(saved(R"({"memoryId":"m1","note":"a"})", kStartMs, "web").id == "web/m1");
}

TEST_CASE("Importance fades by its rate from the last access, however often it is asked for") {
  auto memory = saved(R"({"memoryId":"a","note":"It rains"})");
  const auto on = [&](double day) {
    return importance_at(memory,
                         kStartMs + static_cast<int64_t>(day * static_cast<double>(kDayMs)));
  };
  CHECK(on(0) == 0.5);
  CHECK(on(-3) == 0.5);
  CHECK(on(10) == Approx(0.299).margin(0.001));
  SeededRandom random;
  for (int i = 0; i < 200; ++i) {
    const double day = static_cast<double>(random.next() >> 40U) / 1e4;
    const double later = day + static_cast<double>(random.next() >> 50U) / 1e2;
    CHECK(on(later) <= on(day));
    CHECK(on(day) >= 0);
  }
  // So what nobody asks for is forgettable one day: below 0.1 after more than 30 days.
  CHECK(on(31) > 0.1);
  CHECK(on(32) < 0.1);
  memory.accessed_ms = kStartMs + 20 * kDayMs;
  CHECK(on(20) == 0.5);
  CHECK(on(30) == Approx(0.299).margin(0.001));
  memory.kind = "identity";
  CHECK(on(1000) == 0.5);
  memory.kind = "event";
  memory.cls = "bulletin";
  CHECK(on(1000) == 0.5);
}

TEST_CASE("Scopes are read as people write them") {
  CHECK(parse_scope("global") == Scope());
  CHECK(parse_scope("channel:a:b") == Scope{"channel", "a:b"});
  CHECK_FALSE(parse_scope("team:a"));
  CHECK_FALSE(parse_scope("channel:"));
  CHECK_FALSE(parse_scope("channel"));
}
