// What config.json says, who wins, and how mistakes are told.
#include "engine/home/config.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/home/config_schema.h"
#include "journal/error.h"
#include "tests/engine/home/home_fixture.h"

namespace reprise::test {
namespace {

/// "MESSAGE | HINT" of the refusal, the folder's own path left out; empty when it is accepted.
std::string refusal(const HomeFolder& folder, const std::string& text) {
  folder.write("home/config.json", text);
  try {
    TestSources{folder}.load();
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kUsage);
    CHECK(error.code() == "CONFIG_INVALID");
    const auto path = folder / "home/";
    REQUIRE(error.message().starts_with(path));
    return error.message().substr(path.size()) + " | " + error.hint();
  }
  return {};
}

std::string origin_of(const Config& config, const std::string& key) {
  const auto found = std::ranges::find(config.settings, key, &Setting::key);
  return found == config.settings.end() ? "" : found->origin;
}

TEST_CASE("Without any file the defaults hold") {
  const HomeFolder folder;
  const auto config = TestSources{folder}.load();
  REQUIRE(config.executors.size() == 1);
  CHECK(config.executors[0].json == R"({"type":"shell"})");
  CHECK(config.executors[0].origin == "default");
  REQUIRE(config.match.size() == 2);
  CHECK(config.match[0].kind == "shell");
  CHECK(config.match[1].kind == "node");
  CHECK(config.match[1].executor == "shell");
  CHECK(config.jobs == 4);
  CHECK(config.min_free_bytes == uint64_t{256} << 20U);
  CHECK(config.lease_ms == 120'000);
  CHECK(config.policy.permission == "full");
  CHECK(config.policy.network);
  CHECK(config.policy.roots.empty());
  CHECK(std::ranges::count(config.policy.environment, "PATH") == 1);
  CHECK(config.policy.timeout_of("shell") == 1'800'000);
  CHECK(config.policy.timeout_of("of nobody's") == 3'600'000);
  CHECK(origin_of(config, "drive.jobs") == "default");
}

TEST_CASE("Relative paths of an executor lie below the folder of its file; names are for PATH") {
  const HomeFolder folder;
  folder.write("user.json", R"({"executors":{"u":{"type":"command","command":["bin/u","./x"]}}})");
  folder.write("home/config.json", R"({"executors":{
    "a":{"type":"command","command":["../tools/a"],"cwd":"."},
    "b":{"type":"command","command":["make","./x"],"writable":["out","/tmp"]},
    "c":{"type":"openai","url":"http://h/v1","apiKey":{"file":"key"},"caFile":"~/ca.pem",
         "headers":{"X":"a/b","Y":{"command":["./y"]}}},
    "shell":{"type":"shell","shell":"bin/sh"}}})");
  const auto config = TestSources{folder}.load();
  const auto member = [&](const std::string& name, const std::string& pointer) {
    const auto executor = std::ranges::find(config.executors, name, &ExecutorConfig::name);
    const auto json = nlohmann::json::parse(executor->json);
    return json.at(nlohmann::json::json_pointer(pointer)).get<std::string>();
  };
  CHECK(member("u", "/command/0") == folder / "bin/u");
  CHECK(member("u", "/command/1") == "./x");
  CHECK(member("a", "/command/0") == folder / "tools/a");
  CHECK(member("a", "/cwd") == folder / "home/");
  CHECK(member("b", "/command/0") == "make");
  CHECK(member("b", "/writable/0") == folder / "home/out");
  CHECK(member("b", "/writable/1") == "/tmp");
  CHECK(member("c", "/apiKey/file") == folder / "home/key");
  CHECK(member("c", "/caFile") == "~/ca.pem");
  CHECK(member("c", "/headers/X") == "a/b");
  CHECK(member("c", "/headers/Y/command/0") == folder / "home/y");
  CHECK(member("shell", "/shell") == folder / "home/bin/sh");
}

TEST_CASE("A variable of the configuration that says nothing is told, with what was meant") {
  const HomeFolder folder;
  TestSources sources{folder};
  sources.variables = {{"REPRISE_DRIVE_JOBS", "2"}, {"REPRISE_HOME", "/h"}};
  CHECK(sources.load().warnings.empty());
  sources.variables["REPRISE_DRIVE_JOB"] = "8";
  const auto warnings = sources.load().warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0] == "$REPRISE_DRIVE_JOB says nothing; did you mean REPRISE_DRIVE_JOBS?");
}

TEST_CASE("A flag is stronger than the environment, the home, the user and the defaults") {
  const HomeFolder folder;
  TestSources sources{folder};
  const auto jobs = [&] {
    const auto config = sources.load();
    return std::to_string(config.jobs) + " " + origin_of(config, "drive.jobs");
  };
  CHECK(jobs() == "4 default");
  const auto user = folder.write("user.json", R"({"drive":{"jobs":5,"lease":"9s"}})");
  CHECK(jobs() == "5 " + user + ":1");
  const auto home = folder.write("home/config.json", "{\n  // mine\n  \"drive\": {\"jobs\": 6}\n}");
  CHECK(jobs() == "6 " + home + ":3");
  sources.variables["REPRISE_DRIVE_JOBS"] = "7";
  CHECK(jobs() == "7 $REPRISE_DRIVE_JOBS");
  sources.set = {"drive.jobs=8"};
  CHECK(jobs() == "8 --set drive.jobs");
  CHECK(sources.load().lease_ms == 9000);  // what a stronger one does not name stays
}

TEST_CASE("Every scalar key has a variable") {
  CHECK(variable_of("drive.minFreeBytes") == "REPRISE_DRIVE_MIN_FREE_BYTES");
  const HomeFolder folder;
  const auto config = TestSources{
      folder,
      {{"REPRISE_DRIVE_MIN_FREE_BYTES", "4096"},
       {"REPRISE_DRIVE_LEASE", "1h"},
       {"REPRISE_POLICY_NETWORK", "false"},
       {"REPRISE_POLICY_PERMISSION", "read"},
       {"REPRISE_POLICY_TIMEOUTS_SHELL",
        "1s"}}}.load();
  CHECK(config.min_free_bytes == 4096);
  CHECK(config.lease_ms == 3'600'000);
  CHECK_FALSE(config.policy.network);
  CHECK(config.policy.permission == "read");
  CHECK(config.policy.timeout_of("shell") == 1000);
}

TEST_CASE("Executors are merged by name, rules stay in the order home, user, defaults") {
  const HomeFolder folder;
  folder.write("user.json", R"({"executors":{"a":{"type":"mock"},"shell":{"type":"mock"}},
                                "match":[{"kind":"x","executor":"a"}]})");
  folder.write("home/config.json",
               R"({"executors":{"shell":{"type":"shell","shell":"/bin/bash"}},
                   "match":[{"agent":"w*","executor":"a"},{"label":"l","executor":"shell"}]})");
  const auto config = TestSources{folder}.load();
  REQUIRE(config.executors.size() == 2);
  CHECK(config.executors[0].name == "a");
  CHECK(config.executors[0].type == "mock");
  CHECK(config.executors[1].json == R"({"shell":"/bin/bash","type":"shell"})");
  REQUIRE(config.match.size() == 5);
  CHECK(config.match[0].agent == "w*");
  CHECK(config.match[1].label == "l");
  CHECK(config.match[2].kind == "x");
  CHECK(config.match[3].kind == "shell");
}

TEST_CASE("--set takes text, JSON and whole lists, and knows the keys") {
  const HomeFolder folder;
  const auto set = [&](const std::string& word) { return TestSources{folder, {}, {word}}.load(); };
  CHECK(set(R"(policy.roots=["/a","/b"])").policy.roots == std::vector<std::string>{"/a", "/b"});
  CHECK(set("policy.timeouts.model=5s").policy.timeout_of("model") == 5000);
  CHECK(set(R"(executors.m={"type":"mock"})").executors[0].name == "m");
  const auto refused = [&](const std::string& word) {
    try {
      set(word);
    } catch (const Error& error) {
      return error.message() + " | " + error.hint();
    }
    return std::string();
  };
  CHECK(refused("drive.jbos=1") == "--set: there is no key drive.jbos | did you mean drive.jobs?");
  CHECK(refused("drive.jobs") ==
        "--set: it is KEY=VALUE, not \"drive.jobs\" | as --set drive.jobs=8");
  CHECK(refused("drive.lease=\xff").find("not valid UTF-8") != std::string::npos);
  const auto deep = std::string(60'000, '[') + std::string(60'000, ']');
  CHECK(refused(R"(executors.m={"type":"mock","value":)" + deep + "}")
            .find("it should be object, not string") != std::string::npos);
  CHECK(refused("drive.jobs=many") ==
        "--set drive.jobs: it should be integer, not string | how many "
        "effects are performed side by side");
}

TEST_CASE("A mistake is told with its line, its place and what was probably meant") {
  const HomeFolder folder;
  CHECK(refusal(folder, "{\n\n \"drvie\": {}}") ==
        "config.json:3: /drvie: there is no such key | did you mean drive?");
  CHECK(refusal(folder, R"({"drive":{"zebra":1}})") ==
        "config.json:1: /drive/zebra: there is no such key | here stand jobs, lease, minFreeBytes");
  CHECK(refusal(folder, R"({"drive":{"lease":"2 min"}})") ==
        "config.json:1: /drive/lease: it is not written so | how long a claim lives without being "
        "renewed: 1s or more");
  for (const auto* lease : {"0s", "00m", "1ms", "999ms", "000000999ms"}) {
    CAPTURE(lease);
    CHECK(refusal(folder, R"({"drive":{"lease":")" + std::string(lease) + "\"}}")
              .ends_with("renewed: 1s or more"));
  }
  for (const auto* lease : {"1s", "01s", "1000ms", "1m", "999999999h"}) {
    CAPTURE(lease);
    CHECK(refusal(folder, R"({"drive":{"lease":")" + std::string(lease) + "\"}}").empty());
  }
  CHECK(refusal(folder, R"({"executors":{"x":{"type":"shel"}}})") ==
        "config.json:1: /executors/x/type: it is one of shell, command, openai, mock, not \"shel\""
        " | did you mean shell?");
  CHECK(refusal(folder, R"({"executors":{"x":{"type":"shell","shall":""}}})") ==
        "config.json:1: /executors/x/shall: there is no such key | did you mean shell?");
  CHECK(refusal(folder, "{\"match\": [{\"executor\": \"shell\"},\n{\"executor\": \"shll\"}]}") ==
        "config.json:2: a rule of match names the executor \"shll\", and there is none of that name"
        " | did you mean shell?");
  CHECK(refusal(folder, "{\"a\": 1,\n \"a\": 2}") ==
        "config.json:2: \"a\" is named twice in one object | ");
  CHECK(refusal(folder, "[]") == "config.json: it is no JSON object | ");
}

TEST_CASE("A name that cannot be one is told, with what names are like") {
  const HomeFolder folder;
  const auto said = [&](const std::string& config, const std::string& place,
                        const std::string& name, const std::string& like) {
    const auto text = refusal(folder, config);
    CAPTURE(text);
    CHECK(text.starts_with("config.json:1: " + place + "/" + name + ": \"" + name +
                           "\" is no name for it | "));
    CHECK(text.ends_with(like));
  };
  const std::string names = "by name: 1 to 64 letters, digits, _ and -, a letter or digit first";
  said(R"({"hooks":{"a b":{"types":["x"],"url":"http://x"}}})", "/hooks", "a b", names);
  said(R"({"executors":{"a.b":{"type":"shell"}}})", "/executors", "a.b", names);
  said(R"({"executors":{"x":{"type":"shell","environment":{"a-b":"1"}}}})",
       "/executors/x/environment", "a-b", "names of letters, digits and _, no digit first");
  said(R"({"hooks":{"x":{"types":["x"],"url":"http://x","headers":{"a b":""}}}})",
       "/hooks/x/headers", "a b", "names of letters, digits and -");
  said(R"({"executors":{"x":{"type":"openai","url":"http://x","headers":{"a b":""}}}})",
       "/executors/x/headers", "a b", "names of letters, digits and -");
  const std::string long_name(500'000, 'a');
  said(R"({"executors":{")" + long_name + R"(":{"type":"shell"}}})", "/executors", long_name,
       names);
  CHECK(
      refusal(folder, R"({"executors":{"x":{"type":"shell","environment":{"A_1":"1"}}}})").empty());
}

TEST_CASE("A url says by which protocols it is reached") {
  const HomeFolder folder;
  CHECK(refusal(folder, R"({"hooks":{"x":{"types":["x"],"url":"ftp://x/y"}}})") ==
        "config.json:1: /hooks/x/url: it is not written so | where the event is posted, by http or "
        "https, as https://example.org/hook");
}

TEST_CASE("What is no JSON is refused with line and column, and not repeated") {
  const HomeFolder folder;
  const auto said = refusal(folder, "{\n  \"executors\": \"sk-secret");
  CHECK(said.starts_with("config.json: line 2, column "));
  CHECK(said.find("secret") == std::string::npos);
  CHECK(refusal(folder, "{\"drive\": \xff}").find("line 1") != std::string::npos);
  CHECK_FALSE(refusal(folder, std::string(100'000, '[')).empty());
  CHECK_FALSE(refusal(folder, "").empty());
  CHECK_FALSE(refusal(folder, std::string(2'000'000, ' ')).empty());
}

TEST_CASE("A key is not written where the file may be read by others") {
  const HomeFolder folder;
  CHECK(refusal(folder, R"({"executors":{"x":{"type":"openai","url":"http://h","apiKey":"sk-1"}}})")
            .find("apiKey: it should be object, not string") != std::string::npos);
  CHECK(refusal(folder, R"({"executors":{"x":{"type":"openai","url":"http://u:p@h/v1"}}})")
            .find("/executors/x/url") != std::string::npos);
  CHECK(refusal(folder, R"({"executors":{"x":{"type":"openai","url":"http://h",
                                         "apiKey":{"env":"K","file":"f"}}}})") != "");
}

TEST_CASE("A long text does not exhaust the stack") {
  const HomeFolder folder;
  CHECK_FALSE(
      refusal(folder, R"({"drive":{"lease":")" + std::string(500'000, '1') + "\"}}").empty());
}

TEST_CASE("The section of channels is handed on, without what says the defaults") {
  const HomeFolder folder;
  TestSources sources{folder};
  CHECK(sources.load().channels == "{}");
  folder.write("home/config.json", R"({"channels": {"contextWindow": 32000, "prefix": "!bot",
    "routing": {"policy": "direct"}, "compactor": {"soft": 0.8, "emergency": 0.9}}})");
  CHECK(sources.load().channels ==
        R"({"compactor":{"emergency":0.9},"prefix":"!bot","routing":{"policy":"direct"}})");
  sources.variables["REPRISE_CHANNELS_CONTEXT_WINDOW"] = "1000";
  CHECK(sources.load().channels.starts_with(
      R"({"compactor":{"emergency":0.9},"contextWindow":1000)"));
}

TEST_CASE("channelSessions at the top is the same as the sessions of channels") {
  const HomeFolder folder;
  const TestSources sources{folder};
  folder.write("home/config.json", R"({"channelSessions": {"autoCloseEnabled": true,
    "autoCloseAfterMinutes": 5}})");
  CHECK(sources.load().channels ==
        R"({"sessions":{"autoCloseAfterMinutes":5,"autoCloseEnabled":true}})");
  folder.write("home/config.json", R"({"channelSessions": {"autoCloseEnabled": true,
    "autoCloseAfterMinutes": 5}, "channels": {"sessions": {"autoCloseAfterMinutes": 7}}})");
  CHECK(sources.load().channels ==
        R"({"sessions":{"autoCloseAfterMinutes":7,"autoCloseEnabled":true}})");
  const auto config = sources.load();
  CHECK(origin_of(config, "channels.sessions.autoCloseEnabled") == folder / "home/config.json:1");
  CHECK(origin_of(config, "channels.sessions.autoCloseAfterMinutes") ==
        folder / "home/config.json:2");
  const auto value = [](const Config& all) {
    return std::ranges::find(all.settings, "channels.sessions.autoCloseEnabled", &Setting::key)
        ->json;
  };
  CHECK(value(config) == "true");

  folder.write("home/config.json", R"({"channelSessions": {"autoCloseEnabled": true},
    "channels": {"sessions": {"autoCloseEnabled": false}}})");
  CHECK(sources.load().channels == "{}");
  CHECK(value(sources.load()) == "false");

  // Of two places the stronger one holds, however it calls it.
  folder.write("user.json", R"({"channels": {"sessions": {"autoCloseEnabled": false}}})");
  folder.write("home/config.json", R"({"channelSessions": {"autoCloseEnabled": true}})");
  CHECK(value(sources.load()) == "true");
}

TEST_CASE("The defaults are what the schema allows") {
  const ConfigSchema schema;
  CHECK_FALSE(schema.find_problem(schema.defaults()));
}

TEST_CASE("The section of channels can be had alone, and is the same wherever it is said") {
  const HomeFolder folder;
  const auto text = GENERATE(
      as<std::string>(), "", "{}", R"({"drive":{"jobs":2}})", R"({"channels":{"prefix":"!bot"}})",
      R"({"ch\u0061nnels":{"prefix":"!bot"}})", R"({"channelSessions":{"autoCloseEnabled":true}})");
  const bool is_users = GENERATE(false, true);
  if (!text.empty()) folder.write(is_users ? "user.json" : "home/config.json", text);
  const TestSources plain{folder};
  CHECK(load_channels(plain.sources()) == plain.load().channels);
  TestSources other{folder};
  if (is_users) {
    other.set = {"channels.prefix=!b"};
  } else {
    other.variables["REPRISE_CHANNEL_SESSIONS_AUTO_CLOSE_ENABLED"] = "true";
  }
  CHECK(load_channels(other.sources()) == other.load().channels);
  CHECK(load_channels(other.sources()) != "{}");
}

TEST_CASE("What is wrong elsewhere does not keep a message from its channel") {
  const HomeFolder folder;
  folder.write("home/config.json", R"({"drive":{"jobs":"many"}})");
  CHECK(load_channels(TestSources{folder}.sources()) == "{}");
}

TEST_CASE("Executors alone are those of the whole configuration") {
  const HomeFolder folder;
  const std::string text = GENERATE(
      "", "// \"match\"\n{}", R"({"executors":{"fake":{"type":"mock"}}})",
      R"({"match":[{"kind":"agent","executor":"shell"}]})",
      R"({"m\u0061tch":[{"kind":"agent","executor":"shell"}]})", R"({"drive":{"jobs":2}})");
  const bool is_users = GENERATE(false, true);
  if (!text.empty()) folder.write(is_users ? "user.json" : "home/config.json", text);
  const auto told = [](const Config& config) {
    std::string words;
    for (const auto& executor : config.executors) {
      words +=
          executor.name + " " + executor.type + " " + executor.json + " " + executor.origin + "\n";
    }
    for (const auto& rule : config.match) {
      words += rule.kind + " " + rule.task + rule.label + rule.agent + " " + rule.executor + "\n";
    }
    return words;
  };
  TestSources sources{folder};
  CHECK(told(load_executors(sources.sources())) == told(sources.load()));
  sources.set = {R"(match=[{"kind":"x","executor":"shell"}])"};
  CHECK(told(load_executors(sources.sources())) == told(sources.load()));
}

TEST_CASE("A mistake elsewhere does not keep anybody from knowing the executors") {
  const HomeFolder folder;
  folder.write("home/config.json", R"({"drive":{"jobs":"many"}})");
  CHECK(load_executors(TestSources{folder}.sources()).executors.size() == 1);
}

TEST_CASE("A mistake in the section of channels is told with its line") {
  const HomeFolder folder;
  CHECK(refusal(folder, "{\n\"channels\": {\"routing\": {\"policy\": \"keywords\"}}}")
            .starts_with("config.json:2: /channels/routing/policy: it is one of keyword, direct"));
  CHECK(refusal(folder, R"({"channels": {"historyMessages": 0}})").starts_with("config.json:1"));
  CHECK(refusal(folder, R"({"channels": {"contextWindw": 1}})").find("contextWindow") !=
        std::string::npos);
}

}  // namespace
}  // namespace reprise::test
