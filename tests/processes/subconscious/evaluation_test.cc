#include "processes/subconscious/evaluation.h"

#include <catch2/catch.hpp>

#include "processes/subconscious/intent.h"
#include "processes/subconscious/matrix.h"
#include "processes/subconscious/recommendation.h"
#include "processes/subconscious/trouble.h"

namespace reprise::subconscious {
namespace {

using kit::Json;

const std::vector<std::string> kDue = {"task-1", "task-2"};

Json both() {
  return Json::parse(R"([{"taskId":"task-2","decision":"act","reason":"r"},
                         {"taskId":"task-1","decision":"noop","reason":""}])");
}

void check_both(const std::optional<Evaluation>& evaluation) {
  REQUIRE(evaluation);
  REQUIRE(evaluation->decisions.size() == 2);
  CHECK(evaluation->decisions[0].task_id == "task-1");
  CHECK(evaluation->decisions[1].verdict == Verdict::kAct);
  CHECK(evaluation->decisions[1].reason == "r");
  CHECK(evaluation->missing.empty());
  CHECK(evaluation->rejected.empty());
}

TEST_CASE("An evaluation is read from an envelope, an array, fences and prose") {
  const Json envelope = {{"evaluations", both()}};
  check_both(read_evaluation(envelope, kDue));
  check_both(read_evaluation(both(), kDue));
  check_both(read_evaluation(envelope.dump(), kDue));
  check_both(read_evaluation("Here it is:\n```json\n" + envelope.dump(2) + "\n```\nDone.", kDue));
  check_both(read_evaluation("I thought {hard} about it. " + both().dump(), kDue));
  check_both(read_evaluation(Json{{"text", envelope.dump()}}, kDue));
  check_both(read_evaluation(Json{{"stdout", "ok\n" + both().dump() + "\n"}}, kDue));
}

TEST_CASE("What cannot be read is no evaluation") {
  for (const Json& answer :
       {Json(), Json("I could not decide."), Json("{\"evaluations\": [{\"taskId\": \"task-1\""),
        Json(""), Json("No [] in sight."), Json(17), Json("[[[[[["), Json({1, 2}),
        Json{{"evaluations", {"noise"}}}, Json{{"evaluations", {{{"decision", "act"}}}}},
        Json{{"evaluations", {{{"taskId", "task-1"}, {"decision", "maybe"}}}}}}) {
    INFO(answer.dump());
    CHECK_FALSE(read_evaluation(answer, kDue));
  }
}

TEST_CASE("An answer that names no task, or none that is due, is an answer") {
  for (const Json& answer : {Json::array(), Json("[]"), Json{{"evaluations", Json::array()}},
                             Json("```json\n{\"evaluations\": []}\n```")}) {
    INFO(answer.dump());
    const auto evaluation = read_evaluation(answer, kDue);
    REQUIRE(evaluation);
    CHECK(evaluation->decisions.empty());
    CHECK(evaluation->missing == kDue);
    CHECK(evaluation->rejected.empty());
  }
  const auto unknown = Json::parse(R"([{"taskId":"task-9","decision":"act"}])");
  const auto evaluation = read_evaluation(unknown, kDue);
  REQUIRE(evaluation);
  CHECK(evaluation->missing == kDue);
  REQUIRE(evaluation->rejected.size() == 1);
  CHECK(evaluation->rejected[0].task_id == "task-9");
}

TEST_CASE("Unknown and repeated tasks and unknown decisions are rejected, each by name") {
  const auto answer = Json::parse(R"([{"taskId":"task-9","decision":"act"},
      {"taskId":"task-1","decision":"escalate"},{"taskId":"task-1","decision":"act"},
      {"taskId":"task-2","decision":"ignore"},{"decision":"act"},"noise"])");
  const auto evaluation = read_evaluation(answer, kDue);
  REQUIRE(evaluation);
  REQUIRE(evaluation->decisions.size() == 1);
  CHECK(evaluation->decisions[0].verdict == Verdict::kEscalate);
  CHECK(evaluation->missing == std::vector<std::string>{"task-2"});
  std::vector<std::string> rejected;
  for (const auto& it : evaluation->rejected) rejected.push_back(it.task_id);
  CHECK(rejected == std::vector<std::string>{"task-9", "task-1", "task-2", "", ""});
}

TEST_CASE("Prose full of braces ends, and the answer in it is found when it comes soon") {
  CHECK_FALSE(read_evaluation(std::string(100'000, '{'), kDue));
  CHECK(read_evaluation("{a} [b] {c} " + both().dump(), kDue));
}

TEST_CASE("An order at the beginning asks for an action, a word elsewhere does not") {
  for (const char* title :
       {"Send email digest to Telegram", "Post weekly standup to Slack",
        "Create a summary in Notion", "Delete old calendar events", "Forward urgent emails to team",
        "Schedule a meeting for tomorrow", "SEND a message to Slack", "please send the digest",
        "Draft and send the answer", "Write to the log", "Check the mail, then delete spam"}) {
    INFO(title);
    CHECK(asks_for_action(title));
  }
  for (const char* title :
       {"Review my schedule for conflicts", "Summarize unread messages", "Check postponed meetings",
        "Look forward to deadlines", "List removed files", "Check who the sender was",
        "Summarize unread emails", "Check skills runtime health", "Monitor Ollama status",
        "Review upcoming deadlines", "Analyze email patterns", "Write a poem", "", "please"}) {
    INFO(title);
    CHECK_FALSE(asks_for_action(title));
  }
}

bool is_full(const Step& step) { return step.work != nullptr && step.work->full; }

TEST_CASE("The matrix gives full permission for write intent only") {
  CHECK(step_of(Verdict::kNoop, true, false).work == nullptr);
  CHECK(step_of(Verdict::kNoop, false, true).work == nullptr);
  CHECK(step_of(Verdict::kAct, false, false).work->noun == "act");
  CHECK(step_of(Verdict::kAct, true, false).work->noun == "act-full");
  CHECK(step_of(Verdict::kEscalate, false, false).work->noun == "analyse");
  CHECK(step_of(Verdict::kEscalate, true, false).work->noun == "agent-full");
  for (const auto verdict : {Verdict::kAct, Verdict::kEscalate}) {
    CHECK(step_of(verdict, true, true).asks);
    CHECK_FALSE(step_of(verdict, true, false).asks);
    CHECK_FALSE(step_of(verdict, false, true).asks);
    CHECK(is_full(step_of(verdict, true, false)));
    CHECK_FALSE(is_full(step_of(verdict, false, false)));
  }
}

std::string action_in(std::string_view analysis) { return recommendation_in(analysis).action; }

TEST_CASE("A recommendation begins a line, and goes on to the end") {
  CHECK(action_in("All is well.").empty());
  CHECK(action_in("No RECOMMENDED ACTION: here").empty());
  CHECK(action_in("Recommended actions were taken.").empty());
  CHECK(action_in("Three mails.\n  RECOMMENDED ACTION: forward them\nto the team\n") ==
        "forward them\nto the team");
  CHECK(recommendation_in("Three mails.\n\nRECOMMENDED ACTION: x").findings == "Three mails.");
  CHECK(action_in("RECOMMENDED ACTION: delete *.tmp") == "delete *.tmp");
  CHECK(action_in("RECOMMENDED ACTION: **restart** it") == "**restart** it");
}

TEST_CASE("A recommendation may be Markdown") {
  for (const char* line :
       {"**RECOMMENDED ACTION:** restart it", "**RECOMMENDED ACTION**: restart it",
        "**RECOMMENDED ACTION: restart it**", "__Recommended action:__ restart it",
        "- RECOMMENDED ACTION: restart it", "* **Recommended Action:** restart it",
        "## RECOMMENDED ACTION\n\nrestart it", "### 2. Recommended action: restart it",
        "> RECOMMENDED ACTION: restart it", "> **RECOMMENDED ACTION:**\n> restart it",
        "1. *RECOMMENDED ACTION:* restart it", "Recommended action: restart it",
        "`RECOMMENDED ACTION: restart it`", "\"RECOMMENDED ACTION: restart it\"",
        "**RECOMMENDED ACTION**\nrestart it", "RECOMMENDED ACTION : restart it\r\n"}) {
    INFO(line);
    CHECK(action_in(line) == "restart it");
    CHECK(recommendation_in("Broken.\n" + std::string(line)).findings == "Broken.");
  }
  CHECK(action_in("**RECOMMENDED ACTION:** delete *.tmp*") == "delete *.tmp*");
}

TEST_CASE("None is no recommendation, and several are one list") {
  for (const char* text : {"RECOMMENDED ACTION: None.", "RECOMMENDED ACTION:",
                           "## Recommended action", "**RECOMMENDED ACTION:** none\nAll is well.",
                           "RECOMMENDED ACTION: none\nRECOMMENDED ACTION: Nothing"}) {
    INFO(text);
    CHECK(action_in(text).empty());
  }
  CHECK(action_in("RECOMMENDED ACTION: restart it\n\n- RECOMMENDED ACTION: clear the cache\n") ==
        "1. restart it\n2. clear the cache");
  CHECK(action_in("RECOMMENDED ACTION: none\nRECOMMENDED ACTION: clear the cache") ==
        "clear the cache");
}

TEST_CASE("Rate limits, what only a person can mend, and the rest are told apart") {
  const auto error = [](const char* name, const char* message) {
    return trouble_of(Json{{"name", name}, {"message", message}});
  };
  CHECK(error("RateLimited", "slow down") == Trouble::kRateLimited);
  CHECK(error("CommandFailed", "HTTP 429: too many requests") == Trouble::kRateLimited);
  CHECK(error("AgentError", "Rate limit reached") == Trouble::kRateLimited);
  CHECK(error("AgentError", "line 4290 failed") == Trouble::kOther);
  CHECK(error("KeyRefused", "401") == Trouble::kPermanent);
  CHECK(error("QuotaExceeded", "429: no money left") == Trouble::kPermanent);
  CHECK(error("EndpointFailed", "503") == Trouble::kOther);
}

}  // namespace
}  // namespace reprise::subconscious
