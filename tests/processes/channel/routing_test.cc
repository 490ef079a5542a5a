// The routing vectors: both policies, both languages of the lists, and what Unicode calls the same.
#include <catch2/catch.hpp>

#include "processes/channel/router.h"
#include "tests/processes/channel/harness.h"

namespace reprise::channel {
namespace {

constexpr double kEmpty = 0.1;

/// "spawn_worker fix"
std::string routed(const std::string& text, double utilization = kEmpty,
                   const Settings& settings = {}) {
  const auto decision = route(settings, utilization, text, "");
  return decision.action + (decision.matched.empty() ? "" : " " + decision.matched);
}

Settings with(const Json& routing) {
  Settings settings;
  const Json payload = {{"settings", {{"routing", routing}}}};
  settings.evolve({"channel.configured", payload, 0});
  return settings;
}

TEST_CASE("The decisions of the keyword policy carry the documented numbers") {
  const auto check = [](const std::string& text, double used, const char* action,
                        const char* reason, double confidence, int64_t budget) {
    const auto decision = route(Settings(), used, text, "");
    CHECK(decision.action == action);
    CHECK(decision.reason == reason);
    CHECK(decision.confidence == confidence);
    CHECK(decision.token_budget == budget);
  };
  check("hello", 0.86, "spawn_branch", "context_over_85_percent", 0.92, 1500);
  check("fix it", kEmpty, "spawn_worker", "matched_worker_intent", 0.86, 3500);
  check("analyze it", kEmpty, "spawn_branch", "matched_branch_intent", 0.81, 2000);
  check("hello", kEmpty, "respond", "direct_response", 0.75, 1000);
}

TEST_CASE("A full context comes before the words, and 85 percent is not full yet") {
  CHECK(routed("fix it", 0.85) == "spawn_worker fix");
  CHECK(routed("fix it", 0.8501) == "spawn_branch");
  CHECK(routed("hello", 1.0) == "spawn_branch");
}

TEST_CASE("Worker words come before branch words") {
  CHECK(routed("analyze the build") == "spawn_worker build");
  CHECK(routed("research current plan") == "spawn_branch research");
  CHECK(routed("Analyse this") == "respond");
}

TEST_CASE("A word is found as a whole word, not inside of another") {
  CHECK(routed("what is the prefix?") == "respond");
  CHECK(routed("return the rundown") == "respond");
  CHECK(routed("the rebuild is running") == "respond");
  CHECK(routed("I was reanalyzed") == "respond");
  CHECK(routed("truncate run") == "spawn_worker run");
  CHECK(routed("fix_it") == "respond");
  CHECK(routed("(fix)") == "spawn_worker fix");
  CHECK(routed("please,fix!") == "spawn_worker fix");
}

TEST_CASE("Every word of the lists is found, in both languages and any case") {
  for (const auto* text : {"implement it", "FIX it", "Run", "bUiLd", "execute.", "тест",
                           "СДЕЛАЙ это", "Запусти сборку"}) {
    INFO(text);
    CHECK(routed(text).starts_with("spawn_worker"));
  }
  for (const auto* text : {"ANALYZE", "Research", "РАЗБЕРИ это", "Обдумай", "новая архитектура",
                           "об АРХИТЕКТУРЕ", "архитектурный вопрос"}) {
    INFO(text);
    CHECK(routed(text).starts_with("spawn_branch"));
  }
  CHECK(routed("микроархитектура") == "respond");  // a stem begins the word
  CHECK(routed("тесты") == "respond");             // and not every entry is a stem
}

TEST_CASE("Case is folded in full, and composed and decomposed letters are the same") {
  const auto words = [](const Json& list) { return with({{"workerWords", list}}); };
  CHECK(routed("die STRASSE", kEmpty, words({"straße"})) == "spawn_worker straße");
  CHECK(routed("die STRAẞE", kEmpty, words({"strasse"})) == "spawn_worker strasse");
  CHECK(routed("İş", kEmpty, words({"i\u0307ş"})) == "spawn_worker i\u0307ş");
  CHECK(routed("is", kEmpty, words({"İs"})) == "respond");
  CHECK(routed("обдумаи\u0306") == "spawn_branch обдумай");
  CHECK(routed("cafe\u0301 now", kEmpty, words({"CAFÉ"})) == "spawn_worker CAFÉ");
  CHECK(routed("ru\u0301n", kEmpty, words({"run"})) == "respond");  // a mark makes another letter
  CHECK(routed("ΣΊΣΥΦΟΣ", kEmpty, words({"σίσυφος"})) == "spawn_worker σίσυφος");
}

TEST_CASE("An entry of some words is found where they stand in a row") {
  const auto settings = with({{"workerWords", {"pick up", "set the serv*"}}});
  CHECK(routed("please PICK  up #3", kEmpty, settings) == "spawn_worker pick up");
  CHECK(routed("pick it up", kEmpty, settings) == "respond");
  CHECK(routed("set the servers", kEmpty, settings) == "spawn_worker set the serv*");
  CHECK(routed("fix it", kEmpty, settings) == "respond");  // the list was replaced
  CHECK(routed("analyze", kEmpty, settings) == "spawn_branch analyze");
  CHECK(routed("fix", kEmpty, with({{"workerWords", Json::array()}})) == "respond");
}

TEST_CASE("The direct policy always responds") {
  const auto settings = with({{"policy", "direct"}});
  for (const auto* text : {"fix it", "analyze", "hello"}) {
    const auto decision = route(settings, 0.99, text, "");
    CHECK(decision.action == "respond");
    CHECK(decision.reason == "direct_response");
    CHECK(decision.confidence == 0.9);
    CHECK(decision.token_budget == 3500);
  }
}

TEST_CASE("A plan is made before anything is done") {
  CHECK(route(Settings(), kEmpty, "fix it", "plan").action == "respond");
  CHECK(route(Settings(), 0.99, "fix it", "plan").action == "respond");
  CHECK(route(Settings(), 0.99, " \n", "").action == "respond");  // only attachments
}

TEST_CASE("An explanation is the decision that the text would get, and changes nothing") {
  TestChannel channel;
  const auto before = channel.snapshot();
  const auto told = channel.ask({{"ask", "route"}, {"text", "fix and build, then analyze"}});
  CHECK(channel.snapshot() == before);
  CHECK(told.at("action") == "spawn_worker");
  CHECK(told.at("matched") == "fix");
  CHECK(told.at("policy") == "keyword");
  CHECK(told.at("words").at("worker") == Json({"fix", "build"}));
  CHECK(told.at("words").at("branch") == Json({"analyze"}));

  channel.say("m1", "hello", {{"platform", "local"}});
  const auto decided = channel.events("channel.route.decided").back().payload;
  TestChannel other;
  const auto explained = other.ask({{"ask", "route"}, {"text", "hello"}});
  for (const auto* name : {"action", "reason", "confidence", "tokenBudget", "utilization"}) {
    CHECK(explained.at(name) == decided.at(name));
  }
}

}  // namespace
}  // namespace reprise::channel
