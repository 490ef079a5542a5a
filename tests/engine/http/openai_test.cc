// The executor in a world whose endpoint, clock and pauses a test decides.
#include "engine/executors/openai.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/executors/chat_asker.h"
#include "journal/clock.h"

namespace reprise::test {
namespace {

using Json = nlohmann::ordered_json;

/// What the endpoint does with one request.
struct Exchange {
  int status = 200;
  std::string body;
  HttpError error = HttpError::kNone;
  std::string retry_after;
  std::string type = "application/json";
};

Exchange says(const std::string& text) {
  return {.body =
              Json({{"id", "c-1"},
                    {"choices", {{{"message", {{"content", text}}}, {"finish_reason", "stop"}}}},
                    {"usage", {{"prompt_tokens", 4}, {"completion_tokens", 2}}}})
                  .dump()};
}
Exchange refuses(int status, const std::string& body = "{}", const std::string& retry_after = {}) {
  return {.status = status, .body = body, .retry_after = retry_after};
}
Exchange breaks(HttpError error) { return {.status = 0, .error = error}; }

class World {
 public:
  explicit World(std::vector<Exchange> turns) : x_turns(std::move(turns)) {
    setenv("REPRISE_TEST_KEY", "sk-test-key-1", 1);
    work.effect = "t1";
    work.task = "ask";
    work.idempotency_key = "r/t1";
    work.definition = R"({"kind":"agent","agent":{"prompt":"Say."}})";
  }

  Outcome perform(const std::string& more = "") {
    const ExecutorConfig executor = {
        "chat", "openai",
        R"({"url":"https://h/v1","model":"m","apiKey":{"env":"REPRISE_TEST_KEY"})" + more + "}",
        "config.json"};
    const ChatOutside outside = {
        .send = [this](const HttpRequest& request) { return send(request); },
        .wall_ms = [this] { return wall_ms + steady_ms; },
        .steady_ms = [this] { return steady_ms; },
        .pause = [this](int64_t ms) { wait(ms); }};
    const WorkEvents events = {
        .progress = [this](std::string_view json) { reports.emplace_back(json); },
        .output = [this](bool is_error,
                         std::string_view bytes) { (is_error ? notices : told) += bytes; },
        .stopped = [this] { return stopped; }};
    return perform_openai(work, executor, events, outside);
  }

  /// The error's name; "ok" when there is none.
  std::string name_of(const std::string& more = "") {
    last = perform(more);
    return last.ok ? "ok" : Json::parse(last.value)["name"].get<std::string>();
  }

  Work work;
  Outcome last;
  std::vector<HttpRequest> requests;
  std::vector<std::string> reports;
  std::string told;
  std::string notices;
  int64_t wall_ms = parse_time("1994-11-06T08:49:30.000Z").value();
  int64_t steady_ms = 0;
  int64_t request_ms = 0;  ///< that each request takes
  bool stopped = false;
  bool stop_in_pause = false;

 private:
  HttpResponse send(const HttpRequest& request) {
    requests.push_back(request);
    steady_ms += request_ms;
    REQUIRE(requests.size() <= x_turns.size());
    const auto& turn = x_turns[requests.size() - 1];
    HttpResponse response{.message = "why", .status = turn.status};
    response.headers.emplace_back("content-type", turn.type);
    if (!turn.retry_after.empty()) response.headers.emplace_back("retry-after", turn.retry_after);
    const bool more = turn.body.empty() || request.on_body(response, turn.body);
    response.error = more ? turn.error : HttpError::kStopped;
    if (request.stopped()) response.error = HttpError::kStopped;
    return response;
  }
  void wait(int64_t ms) {
    steady_ms += ms;
    stopped = stopped || stop_in_pause;
  }

  std::vector<Exchange> x_turns;
};

Json sent(const World& world, size_t n) { return Json::parse(world.requests.at(n).body); }

TEST_CASE("An answer is the result, its cost the metadata") {
  World world({says("Hello")});
  const auto outcome = world.perform();
  CHECK(outcome.ok);
  CHECK(outcome.value == R"({"text":"Hello","model":"m","finishReason":"stop",)"
                         R"("usage":{"promptTokens":4,"completionTokens":2,"totalTokens":6}})");
  CHECK(outcome.metadata ==
        R"({"executor":"chat","model":"m","requests":1,"finishReason":"stop","responseId":"c-1",)"
        R"("usage":{"promptTokens":4,"completionTokens":2,"totalTokens":6}})");
  CHECK(world.told == "Hello\n");
  CHECK(world.requests[0].url == "https://h/v1/chat/completions");
  CHECK(world.requests[0].headers.back() == "Authorization: Bearer sk-test-key-1");
  CHECK(world.requests[0].body ==
        R"({"model":"m","messages":[{"role":"user","content":"Say.\n"}],"stream":true})");
}

TEST_CASE("The task has the last word on model, messages and further members") {
  World world({says("x")});
  world.work.definition = R"({"agent":{"model":"big"},"chat":{"temperature":0,"top_p":0.5,
    "messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]}})";
  world.perform(R"(,"system":"Be brief.","body":{"temperature":1,"seed":7},"stream":false)");
  CHECK(sent(world, 0) == Json::parse(R"({"temperature":0,"seed":7,"model":"big","top_p":0.5,
    "messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"},
                {"role":"assistant","content":"Ho"}],"stream":false})"));
}

TEST_CASE("A task that cannot be asked is refused before anything is sent") {
  World world({});
  for (const std::string definition :
       {R"({"kind":"agent"})", R"([])", R"({"chat":{"messages":[]}})", R"({"chat":{"n":2}})",
        R"({"prompt":"x","chat":{"stream":false}})"}) {
    INFO(definition);
    world.work.definition = definition;
    CHECK(world.name_of() == "TaskInvalid");
  }
  world.work.definition = R"({"prompt":"x","outputSchema":{"type":"no such type"}})";
  CHECK(world.name_of() == "SchemaInvalid");
  world.work.definition = R"({"prompt":"x"})";
  CHECK(world.name_of(R"(,"model":"")") == "ConfigInvalid");
  unsetenv("REPRISE_TEST_KEY");
  CHECK(world.name_of() == "KeyMissing");
}

TEST_CASE("What may pass is asked again, after growing pauses") {
  World world({refuses(500), refuses(503), breaks(HttpError::kConnect), says("x")});
  CHECK(world.name_of() == "ok");
  CHECK(world.requests.size() == 4);
  CHECK(world.steady_ms >= 750 + 1500 + 3000);
  CHECK(world.steady_ms <= 1000 + 2000 + 4000);
  CHECK(world.notices.find("(4 of 4)") != std::string::npos);
}

TEST_CASE("Each way to break off is asked again, and named when it stays so") {
  const std::vector<std::pair<Exchange, std::string>> rows = {
      {refuses(500), "EndpointFailed"},
      {refuses(429), "RateLimited"},
      {refuses(408), "EndpointFailed"},
      {breaks(HttpError::kResolve), "EndpointUnreachable"},
      {breaks(HttpError::kConnectTimeout), "EndpointUnreachable"},
      {breaks(HttpError::kCutOff), "ReplyCutOff"},
      {breaks(HttpError::kIdle), "EndpointSilent"},
      {{.body = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
        .type = "text/event-stream"},
       "ReplyCutOff"},
      {{.body = "data: {\"error\":{\"code\":429,\"message\":\"slow\"}}\n\n",
        .type = "text/event-stream"},
       "RateLimited"},
      {{.body = "error: {\"message\":\"slot\"}\n\n", .type = "text/event-stream"},
       "EndpointFailed"}};
  for (const auto& [turn, name] : rows) {
    INFO(name);
    World world({turn, turn});
    CHECK(world.name_of(R"(,"attempts":2)") == name);
    CHECK(world.requests.size() == 2);
    CHECK(Json::parse(world.last.value)["data"]["requests"] == 2);
    CHECK_FALSE(Json::parse(world.last.value).contains("retryable"));
  }
}

TEST_CASE("What would not change is not asked again, and no policy tries it") {
  const std::string too_long = R"({"error":{"code":"context_length_exceeded","message":"long"}})";
  const std::vector<std::pair<Exchange, std::string>> rows = {
      {refuses(400), "RequestRefused"},
      {refuses(302), "RequestRefused"},
      {refuses(401), "KeyRefused"},
      {refuses(403), "KeyRefused"},
      {refuses(404), "NotFound"},
      {refuses(400, too_long), "too_long"},
      {refuses(400, R"({"error":"the request exceeds the available context size"})"), "too_long"},
      {refuses(413, R"([{"error":{"message":"maximum context length is 8"}}])"), "too_long"},
      {{.body = "data: " + too_long + "\n\n", .type = "text/event-stream"}, "too_long"},
      {refuses(429, R"({"error":{"code":"insufficient_quota"}})"), "QuotaExceeded"},
      {breaks(HttpError::kTls), "EndpointUntrusted"},
      {breaks(HttpError::kTooLarge), "ReplyTooLarge"},
      {breaks(HttpError::kNotHttp), "ReplyInvalid"},
      {{.body = "<html>", .type = "text/html"}, "ReplyInvalid"},
      {{.body = "{}"}, "ReplyInvalid"}};
  for (const auto& [turn, name] : rows) {
    INFO(name << " " << turn.status);
    World world({turn});
    CHECK(world.name_of() == name);
    CHECK(Json::parse(world.last.value)["retryable"] == false);
  }
}

TEST_CASE("Retry-After is honoured, in seconds and as a date") {
  World seconds({refuses(429, "{}", "17"), says("x")});
  CHECK(seconds.name_of() == "ok");
  CHECK(seconds.steady_ms == 17'000);
  World date({refuses(503, "{}", "Sun, 06 Nov 1994 08:49:37 GMT"), says("x")});
  CHECK(date.name_of() == "ok");
  CHECK(date.steady_ms == 7000);
  World now({refuses(429, "{}", "0"), says("x")});
  CHECK(now.name_of() == "ok");
  CHECK(now.steady_ms == 0);
}

TEST_CASE("No pause goes beyond the time that the work has, nor beyond requestTimeout") {
  World world({refuses(429, "{}", "60")});
  world.work.timeout_ms = 60'000;
  CHECK(world.name_of() == "RateLimited");
  CHECK(world.steady_ms == 0);
  CHECK(Json::parse(world.last.value)["data"]["retryAfterMs"] == 60'000);
  World patient({refuses(429, "{}", "999999")});
  CHECK(patient.name_of() == "RateLimited");
}

TEST_CASE("A request has the time that is left, and none is sent without") {
  World world({refuses(500), refuses(500)});
  world.work.timeout_ms = 5000;
  world.request_ms = 2600;
  CHECK(world.name_of(R"(,"backoff":"1s")") == "EndpointFailed");
  CHECK(world.requests[0].timeout_ms == 5000);
  CHECK(world.requests[1].timeout_ms < 2400);
  World late({breaks(HttpError::kTimeout)});
  late.work.timeout_ms = 10;
  CHECK(late.name_of() == "TimeoutError");
}

TEST_CASE("Stopped before, while and between requests") {
  World before({});
  before.stopped = true;
  CHECK(before.name_of() == "Stopped");
  World between({refuses(500)});
  between.stop_in_pause = true;
  CHECK(between.name_of() == "Stopped");
  CHECK(between.steady_ms <= 200);
}

TEST_CASE("An answer that is not what the schema asks for gets one chance") {
  World world({says("It is 7."), says("```json\n{\"n\":7}\n```")});
  world.work.definition = R"({"prompt":"Count.","outputSchema":{"type":"object",
    "required":["n"],"properties":{"n":{"type":"integer"}}}})";
  const auto outcome = world.perform(R"(,"structured":"json_schema")");
  CHECK(outcome.ok);
  CHECK(outcome.value == R"({"n":7})");
  const auto metadata = Json::parse(outcome.metadata);
  CHECK(metadata["repaired"] == true);
  CHECK(metadata["usage"]["totalTokens"] == 12);
  const auto first = sent(world, 0);
  CHECK(first["messages"][0]["content"].get<std::string>().find(R"({"type":"object")") !=
        std::string::npos);
  CHECK(first["response_format"]["json_schema"]["schema"]["required"][0] == "n");
  const auto second = sent(world, 1);
  CHECK(second["messages"][1] == Json({{"role", "assistant"}, {"content", "It is 7."}}));
  CHECK(second["messages"][2]["role"] == "user");
}

TEST_CASE("Wrong twice is an error that says what is wrong") {
  World world({says(R"({"n":"a"})"), says(R"({"n":"b"})")});
  world.work.definition =
      R"({"agent":{"prompt":"Count.","outputSchema":{"properties":{"n":{"type":"integer"}}}}})";
  CHECK(world.name_of() == "OutputInvalid");
  const auto error = Json::parse(world.last.value);
  CHECK(error["data"]["reason"].get<std::string>().find("/n: ") == 0);
  CHECK(error["data"]["text"] == R"({"n":"b"})");
  CHECK(sent(world, 1)["messages"].size() == 3);
  CHECK(Json::parse(world.last.metadata)["requests"] == 2);
}

TEST_CASE("The key is in no text, whoever repeats it") {
  const std::string echo = R"({"error":{"message":"no: Bearer sk-test-key-1"}})";
  World refused({refuses(401, echo)});
  CHECK(refused.name_of() == "KeyRefused");
  CHECK(refused.last.value.find("the variable REPRISE_TEST_KEY") != std::string::npos);
  World failing({refuses(500, echo), says("it is sk-test-key-1")});
  CHECK(failing.name_of() == "ok");
  CHECK(failing.last.value.find("it is [redacted]") != std::string::npos);
  for (const auto* world : {&refused, &failing}) {
    const auto all = world->last.value + world->last.metadata + world->told + world->notices;
    CHECK(all.find("sk-test") == std::string::npos);
  }
}

TEST_CASE("Progress is told at most once a second") {
  std::string stream;
  for (int i = 0; i < 50; ++i)
    stream += "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
  World world({{.body = stream + "data: [DONE]\n\n", .type = "text/event-stream"}});
  CHECK(world.name_of() == "ok");
  CHECK(world.told == std::string(50, 'x') + "\n");
  CHECK(world.reports == std::vector<std::string>{R"({"state":"answering","bytes":1})"});
}

}  // namespace
}  // namespace reprise::test
