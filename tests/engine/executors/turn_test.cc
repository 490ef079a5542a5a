// A channel's effects as executors see them, and their answers as results.
#include "engine/executors/turn.h"

#include <catch2/catch.hpp>

#include "engine/executors/outcome.h"
#include "engine/executors/presets.h"
#include "engine/executors/turn_prompt.h"
#include "engine/executors/turn_usage.h"
#include "engine/schema.h"
#include "schemas/schemas.h"

namespace reprise::test {
namespace {

using Json = OrderedJson;

const Json kReply = Json::parse(R"({
  "channelId":"c","runId":"r1","msgId":"m2","prompt":"[channel_context_v1]\nAnswer.\nAda: Why?",
  "trigger":{"msgId":"m2","author":{"id":"u1","name":"Ada"},"content":"Why?"},
  "messages":[{"role":"user","author":"Ada","content":"Hello."},
              {"role":"assistant","content":"Hi."},
              {"role":"user","author":"Ada","content":"Why?"}],
  "tokenBudget":1000})");

Json with(Json json, const Json& more) {
  json.update(more);
  return json;
}

ExecutorConfig executor_config(const std::string& type, const std::string& json) {
  return {.name = "x", .type = type, .json = json, .origin = "config.json"};
}
const ExecutorConfig kModel = executor_config("openai", R"({"url":"http://h/v1","model":"m"})");
const ExecutorConfig kClaude = executor_config("command", R"({"preset":"claude-code"})");

/// One effect on its way through an executor.
struct Asked {
  Asked(const std::string& kind, const Json& inputs, const ExecutorConfig& by) : executor(by) {
    work.kind = kind;
    work.task = "channel." + kind;
    work.inputs = json_text(inputs);
    work.definition = json_text(
        {{"kind", kind}, {"title", "t"}, {"outputSchema", "reprise:" + kind + "-result"}});
    const auto* found = find_turn_kind(work);
    REQUIRE(found != nullptr);
    turn.emplace(*found, work, executor, events);
  }
  Json task() const { return parse_object(turn->work().definition); }
  Json result(const Outcome& outcome) { return Json::parse(turn->result(outcome).value); }
  /// What comes of this text of an agent.
  Json said(const std::string& text, const std::string& metadata = {}) {
    Outcome outcome{.ok = true, .value = json_text(text), .metadata = metadata, .answer = text};
    return result(outcome);
  }
  void prints(const std::string& bytes) { turn->events().output(false, bytes); }

  Work work;
  ExecutorConfig executor;
  std::vector<std::string> reports;
  WorkEvents events{.progress = [this](std::string_view json) { reports.emplace_back(json); }};
  std::optional<Turn> turn;
};

void check_fits(const std::string& schema, const Json& value) {
  const auto wrong = find_violation(schema, json_text(value));
  CHECK(wrong.value_or(Violation{}).why.empty());
  CHECK(wrong.value_or(Violation{}).pointer.empty());
}

TEST_CASE("An effect is a channel's when its inputs or its schema say so") {
  Work work;
  work.kind = "model";
  work.inputs = R"({"question":"?"})";
  CHECK(find_turn_kind(work) == nullptr);
  work.inputs = R"({"channelId":"c"})";
  CHECK(find_turn_kind(work) != nullptr);
  work.kind = "agent";
  CHECK(find_turn_kind(work) == nullptr);
  work.kind = "branch";
  work.inputs = "{}";
  work.definition = R"({"outputSchema":"reprise:branch-result"})";
  CHECK(find_turn_kind(work) != nullptr);
}

TEST_CASE("A model is given the conversation by its roles, and the budget as its limit") {
  const Asked asked("model", kReply, kModel);
  const auto task = asked.task();
  CHECK_FALSE(task.contains("outputSchema"));
  CHECK(task["chat"]["max_tokens"] == 1000);
  const auto& messages = task["chat"]["messages"];
  REQUIRE(messages.size() == 4);
  CHECK(messages[0]["role"] == "system");
  CHECK(messages[1] == Json({{"role", "user"}, {"content", "Hello."}}));
  CHECK(messages[2] == Json({{"role", "assistant"}, {"content", "Hi."}}));
  CHECK(messages[3] == Json({{"role", "user"}, {"content", "Why?"}}));
}

TEST_CASE("An endpoint that knows another name for the budget says so in its body") {
  const auto newer =
      executor_config("openai", R"({"url":"http://h/v1","body":{"max_completion_tokens":9}})");
  const Asked asked("model", kReply, newer);
  CHECK(asked.task()["chat"]["max_completion_tokens"] == 1000);
  CHECK_FALSE(asked.task()["chat"].contains("max_tokens"));
}

TEST_CASE("Bulletin, memories and plan mode are told to a model as the system") {
  const auto inputs = with(kReply, Json::parse(R"({"bulletin":"All quiet.","planMode":true,
                              "memories":[{"id":"k1","note":"Ada likes tea"}]})"));
  const auto system = turn_messages("model", {}, inputs)[0]["content"].get<std::string>();
  CHECK(system.find("## Memory Context\n\nAll quiet.") != std::string::npos);
  CHECK(system.find("- [k1] Ada likes tea") != std::string::npos);
  CHECK(system.find("Answer with a plan.") != std::string::npos);
}

TEST_CASE("Roles alternate, begin and end with the user, and several people have names") {
  const auto inputs = with(kReply, Json::parse(R"({"messages":[
    {"role":"assistant","content":"As I said."},
    {"role":"user","author":{"id":"u1","name":"Ada"},"content":"One."},
    {"role":"user","author":{"id":"u2"},"content":"Two."},
    {"role":"system","content":"Branch conclusion: three."},
    {"role":"user","author":"Ada","content":"Why?"}]})"));
  const auto messages = turn_messages("model", {}, inputs);
  REQUIRE(messages.size() == 4);
  CHECK(messages[1]["role"] == "user");
  CHECK(messages[2]["content"] == "As I said.");
  CHECK(messages[3]["content"] ==
        "Ada: One.\n\nu2: Two.\n\n[system] Branch conclusion: three.\n\nAda: Why?");
}

TEST_CASE("The message that triggered it is told in any case, with its attachments") {
  auto inputs = with(kReply, Json::parse(R"({"messages":[{"role":"assistant","content":"Hi."}]})"));
  inputs["trigger"]["attachments"] = Json::parse(R"(["/tmp/a.png",{"url":"http://h/b"}])");
  CHECK(turn_messages("model", {}, inputs).back()["content"] ==
        "Why?\n[attachment] /tmp/a.png\n[attachment] {\"url\":\"http://h/b\"}");
}

TEST_CASE("An agent is given the prompt, the folder and its session") {
  const auto inputs = with(
      kReply, Json::parse(R"({"sessionId":"s-1","fork":true,"planMode":true,"cwd":"/work/a"})"));
  const Asked asked("model", inputs, kClaude);
  const auto agent = asked.task()["agent"];
  CHECK(agent["prompt"] == kReply["prompt"]);
  CHECK(agent["session"] == "s-1");
  CHECK(agent["fork"] == true);
  CHECK(agent["plan"] == true);
  CHECK(agent["cwd"] == "/work/a");
}

TEST_CASE("Who has no words for planning is told to plan in the prompt") {
  const auto inputs = with(kReply, {{"planMode", true}});
  const Asked asked("model", inputs, executor_config("command", R"({"command":["agent"]})"));
  CHECK(asked.task()["agent"]["prompt"].get<std::string>().ends_with("Do nothing of it yet."));
}

TEST_CASE("A worker that may ask is told how, and one that may not is not") {
  Json inputs = {{"channelId", "c"}, {"prompt", "Do it."}, {"mode", "fire_and_forget"}};
  CHECK(turn_text("worker", {}, inputs).find("\"waiting\"") == std::string::npos);
  inputs["mode"] = "interactive";
  CHECK(turn_text("worker", {}, inputs).find("\"waiting\"") != std::string::npos);
  CHECK(turn_text("worker", {}, inputs).starts_with("Do it.\n\n"));
}

TEST_CASE("The prompt of the task itself is stronger than that of the inputs") {
  const Json inputs = {{"channelId", "c"}, {"prompt", "Why?"}};
  CHECK(turn_text("branch", "Think: why?", inputs) == "Think: why?");
  CHECK(turn_text("branch", {}, inputs).starts_with("Why?\n\nThink this through"));
}

TEST_CASE("A full session is told to shorten itself, or left behind") {
  const Json inputs = {{"channelId", "c"}, {"prompt", "Summarise."}, {"sessionId", "s-1"}};
  const Asked claude("compaction", inputs, kClaude);
  CHECK(claude.task()["agent"]["prompt"] == "/compact");
  CHECK(claude.task()["agent"]["session"] == "s-1");
  const Asked codex("compaction", inputs, executor_config("command", R"({"preset":"codex"})"));
  CHECK(codex.task()["agent"]["prompt"] == "Summarise.");
  CHECK(codex.task()["agent"]["session"] == "");
}

TEST_CASE("Plain text becomes the result of its kind, with session, usage and model") {
  const std::string metadata = R"({"session":"s-2","usage":{"input_tokens":10,
    "cache_read_input_tokens":90,"output_tokens":5},"model":"m-1"})";
  for (const auto& [kind, member] :
       {std::pair("model", "text"), std::pair("worker", "summary"), std::pair("branch", "summary"),
        std::pair("compaction", "summary")}) {
    Asked asked(kind, kReply, kClaude);
    const auto result = asked.said("It is so.", metadata);
    CHECK(result == Json::parse(R"({")" + std::string(member) + R"(":"It is so.","sessionId":"s-2",
      "usage":{"promptTokens":100,"completionTokens":5},"model":"m-1"})"));
    check_fits(std::string(kind) + "-result", result);
  }
}

TEST_CASE("An answer that is JSON and says more is the result itself") {
  Asked worker("worker", kReply, kClaude);
  CHECK(worker.said("```json\n{\"status\":\"waiting\",\"report\":\"Which one?\"}\n```") ==
        Json::parse(R"({"status":"waiting","report":"Which one?"})"));
  Asked model("model", kReply, kClaude);
  CHECK(model.said(R"({"spawn":{"worker":{"objective":"build"}}})") ==
        Json::parse(R"({"spawn":{"worker":{"objective":"build"}},"text":""})"));
}

TEST_CASE("JSON that is something else, or of the wrong shape, stays the text that it was") {
  Asked model("model", kReply, kClaude);
  const std::string pretty = "{\n  \"text\": \"as you asked\"\n}";
  CHECK(model.said(pretty)["text"] == pretty);
  const std::string wrong = R"({"spawn":{"worker":{}}})";
  CHECK(model.said(wrong)["text"] == wrong);
  Asked worker("worker", kReply, kClaude);
  CHECK(worker.said(R"({"status":"done"})")["summary"] == R"({"status":"done"})");
}

TEST_CASE("What a program prints as a document is the result as it is") {
  Asked asked("model", kReply, executor_config("command", R"({"command":["bot"]})"));
  const Outcome printed{.ok = true, .value = R"({"text":"x","sessionId":"own"})"};
  CHECK(asked.result(printed) == Json::parse(printed.value));
  const Outcome wrong{.ok = true, .value = R"({"reply":"x"})"};
  CHECK(asked.result(wrong) == Json::parse(wrong.value));
}

TEST_CASE("A program that cannot go on with a session gives none") {
  Asked asked("model", kReply, executor_config("command", R"({"command":["bot"]})"));
  CHECK_FALSE(asked.said("x", R"({"session":"s"})").contains("sessionId"));
}

TEST_CASE("The answer of an endpoint becomes a reply; thoughts are a turn") {
  Asked asked("model", kReply,
              executor_config("openai", R"({"url":"http://h/v1","contextWindow":8192})"));
  const Outcome answered{
      .ok = true,
      .value = R"({"text":"So.","model":"m-9","finishReason":"length","reasoning":"Hm.",
                   "usage":{"promptTokens":7,"completionTokens":3,"totalTokens":10}})",
      .metadata = R"({"model":"m-9","usage":{"promptTokens":7,"completionTokens":3}})"};
  const auto result = asked.result(answered);
  CHECK(result == Json::parse(R"({"text":"So.","finishReason":"length",
    "usage":{"promptTokens":7,"completionTokens":3},"model":"m-9","contextWindow":8192,
    "turns":[{"kind":"thinking","text":"Hm."}]})"));
  check_fits("model-result", result);
}

const std::string kLines =
    R"({"type":"system","subtype":"init","session_id":"s-1","model":"m"})"
    "\n"
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"I look."},)"
    R"({"type":"tool_use","id":"u1","name":"Bash","input":{"command":"ls"}}]}})"
    "\nno JSON\n"
    R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"u1",)"
    R"("content":[{"type":"text","text":"a.txt"}]}]}})"
    "\n"
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"There is a.txt."}]}})"
    "\n";

TEST_CASE("Steps of an agent are turns of the reply, however its output is cut in pieces") {
  for (const size_t size : {size_t{1}, size_t{7}, kLines.size()}) {
    Asked asked("model", kReply, kClaude);
    for (size_t at = 0; at < kLines.size(); at += size) asked.prints(kLines.substr(at, size));
    const auto result = asked.said("There is a.txt.");
    CHECK(result["turns"] == Json::parse(R"([{"kind":"message","text":"I look."},
      {"kind":"tool_use","tool":"Bash","id":"u1","input":{"command":"ls"}},
      {"kind":"tool_result","text":"a.txt","id":"u1"},
      {"kind":"message","text":"There is a.txt."}])"));
    check_fits("model-result", result);
    REQUIRE_FALSE(asked.reports.empty());
    CHECK(asked.reports.front().starts_with(R"({"turn":{"kind":)"));
  }
}

TEST_CASE("A reply that was all there is has no turns besides it") {
  Asked asked("model", kReply, kClaude);
  asked.prints(kLines.substr(kLines.rfind("{\"type\":\"assistant\"")));
  CHECK_FALSE(asked.said("There is a.txt.").contains("turns"));
}

TEST_CASE("Without streaming nothing is reported, and the turns are there at the end") {
  Asked asked("model", with(kReply, {{"streaming", false}}), kClaude);
  asked.prints(kLines);
  CHECK(asked.reports.empty());
  CHECK(asked.said("x")["turns"].size() == 4);
  const Outcome failed{.value = R"({"name":"AgentError","message":"no"})"};
  CHECK_FALSE(asked.result(failed).contains("data"));
}

TEST_CASE("A text that grows is reported as a turn, without what was taken back") {
  Asked asked("model", kReply, kModel);
  asked.prints("Hello ");
  asked.turn->events().progress(R"({"state":"answering","bytes":6})");
  asked.prints("Once more");
  asked.turn->events().progress(R"({"state":"answering","bytes":9})");
  asked.turn->events().progress(R"({"state":"loading"})");
  CHECK(asked.reports ==
        std::vector<std::string>{R"({"turn":{"kind":"message","text":"Hello "}})",
                                 R"({"turn":{"kind":"message","text":"Once more"}})",
                                 R"({"state":"loading"})"});
}

TEST_CASE("A prompt that is too long has one name, whoever says so") {
  for (const char* error : {R"({"name":"AgentError","message":"Prompt is too long"})",
                            R"({"name":"AgentError","message":"exceeds the context window"})",
                            R"({"name":"CommandFailed","message":"agent ended with exit code 1",
                                "data":{"stderr":"Error: prompt is too long"}})"}) {
    Asked asked("model", kReply, kClaude);
    CHECK(asked.result({.value = error})["name"] == "too_long");
  }
  Asked asked("model", kReply, kClaude);
  CHECK(asked.result({.value = R"({"name":"AgentError","message":"no"})"})["name"] == "AgentError");
}

TEST_CASE("An error says what was told by then") {
  Asked asked("model", kReply, kClaude);
  asked.prints(kLines);
  const auto error = asked.result({.value = R"({"name":"AgentError","message":"no"})"});
  CHECK(error["data"]["streamed"] == true);
  CHECK(error["data"]["turns"].size() == 4);
}

TEST_CASE("A plan or a question that an agent hands back by a tool is told as such") {
  const auto used = [](const std::string& tool, const std::string& input) {
    return R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"u","name":")" +
           tool + R"(","input":)" + input + "}]}}\n";
  };
  Asked plan("model", with(kReply, {{"planMode", true}}), kClaude);
  plan.prints(used("ExitPlanMode", R"({"plan":"1. Build."})"));
  CHECK(plan.said("x")["plan"] == "1. Build.");
  Asked ask("model", kReply, kClaude);
  ask.prints(used("AskUserQuestion",
                  R"({"questions":[{"question":"Which?","options":[{"label":"a"}]}]})"));
  CHECK(ask.said("x")["ask"] == Json::parse(R"({"question":"Which?","options":[{"label":"a"}]})"));
  check_fits("model-result", ask.said("x"));
}

TEST_CASE("In plan mode the text of a model is the plan") {
  Asked asked("model", with(kReply, {{"planMode", true}}), kModel);
  const Outcome answered{.ok = true, .value = R"({"text":"1. Build."})"};
  CHECK(asked.result(answered)["plan"] == "1. Build.");
}

TEST_CASE("Usage is what was counted, and nothing where nobody counted") {
  const auto usage = [](const std::string& said) {
    return turn_usage(Json::parse(said)).value_or(Json());
  };
  const auto of = [](int prompt, int completion) {
    return Json({{"promptTokens", prompt}, {"completionTokens", completion}});
  };
  CHECK(usage(R"({"prompt_tokens":7,"completion_tokens":3})") == of(7, 3));
  CHECK(usage(R"({"input_tokens":7,"cached_input_tokens":5,"output_tokens":3})") == of(7, 3));
  CHECK(usage(R"({"input_tokens":1,"cache_creation_input_tokens":2,
                  "cache_read_input_tokens":4,"output_tokens":3})") == of(7, 3));
  CHECK(usage(R"({"models":{"a":{"tokens":{"prompt":4,"candidates":1,"thoughts":1}},
                            "b":{"tokens":{"prompt":3,"candidates":1}}}})") == of(7, 3));
  CHECK(usage(R"({"output_tokens":3})").is_null());
  CHECK(usage("null").is_null());
}

TEST_CASE("The results of a wrong shape are named by pointer") {
  const auto pointer = [](const char* schema, const char* value) {
    const auto wrong = find_violation(schema, value);
    return wrong ? wrong->pointer : "fits";
  };
  CHECK(pointer("model-result", R"({"text":1})") == "/text");
  CHECK(pointer("model-result", R"({})").empty());
  CHECK(
      pointer("model-result", R"({"text":"","usage":{"promptTokens":-1,"completionTokens":0}})") ==
      "/usage/promptTokens");
  CHECK(pointer("model-result", R"({"text":"","spawn":{}})") == "/spawn");
  CHECK(pointer("model-result", R"({"text":"","more":1})") == "fits");
  CHECK(pointer("worker-result", R"({"status":"done"})") == "/status");
  CHECK(pointer("worker-result", R"({"artifact":{}})") == "/artifact");
  CHECK(pointer("worker-result", "{}") == "fits");
  CHECK(pointer("branch-result", R"({"summary":7,"artifactRefs":"x"})") == "fits");
  CHECK(pointer("branch-result", "[]").empty());
  CHECK(pointer("compaction-result", R"({"summary":null})") == "/summary");
}

TEST_CASE("A mock answers what a channel asks by what was said, and by the cycle of a worker") {
  const auto mock = executor_config("mock", R"({"answers":[
    {"kind":"model","contains":"Why?","where":{"/fork":true},"error":{"name":"too_long"}},
    {"kind":"model","contains":["Wh","?"],"value":"Because."},
    {"kind":"worker","values":[{"status":"waiting","report":"Which?"},"Done."]}],"echo":true})");
  const auto perform_it = [&](const std::string& kind, const Json& inputs) {
    Work work;
    work.kind = kind;
    work.inputs = json_text(inputs);
    return Json::parse(perform(work, mock, {}, {}).value);
  };
  CHECK(perform_it("model", kReply) == Json({{"text", "Because."}}));
  CHECK(perform_it("model", with(kReply, {{"fork", true}}))["name"] == "too_long");
  const auto other = with(kReply, Json::parse(R"({"trigger":{"content":"Hello."}})"));
  CHECK(perform_it("model", other) == Json({{"text", "Hello."}}));
  Json worker = {{"channelId", "c"}, {"objective", "o"}, {"cycle", 1}};
  CHECK(perform_it("worker", worker)["status"] == "waiting");
  worker["cycle"] = 2;
  CHECK(perform_it("worker", worker) == Json({{"summary", "Done."}}));
  worker["cycle"] = 3;
  CHECK(perform_it("worker", worker) == Json({{"summary", "Done."}}));
}

}  // namespace
}  // namespace reprise::test
