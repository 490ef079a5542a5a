#include "cli/arguments.h"

#include <catch2/catch.hpp>

#include "journal/error.h"

using namespace reprise;

namespace {

Error failure_of(const std::vector<std::string>& words) {
  try {
    parse_words(words);
  } catch (const Error& error) {
    return error;
  }
  return {Exit::kOk, "NONE", "nothing was refused"};
}

std::string command_of(const std::vector<std::string>& words) {
  return std::string(parse_words(words).command().name);
}

}  // namespace

TEST_CASE("a command is named with a colon or as two words") {
  CHECK(command_of({"run:status", "r"}) == "run:status");
  CHECK(command_of({"run", "status", "r"}) == "run:status");
  CHECK(command_of({"--json", "run", "--home", "run", "status", "r"}) == "run:status");
  CHECK(command_of({"--home=x", "version"}) == "version");
}

TEST_CASE("no words are the inbox, and --version without a command is version") {
  CHECK(command_of({}) == "inbox");
  CHECK(command_of({"--json"}) == "inbox");
  CHECK(command_of({"--version"}) == "version");
}

TEST_CASE("--help behind a command is help for it") {
  for (const char* help : {"--help", "-h"}) {
    const Arguments asked = parse_words({"run:create", "--entry", help});
    CHECK(asked.command().name == "help");
    CHECK(asked.positional("COMMAND") == "run:create");
  }
  CHECK(parse_words({"run", "--help"}).positional("COMMAND") == "run");
  CHECK(parse_words({"help", "--help"}).positional("COMMAND") == "help");
  CHECK(parse_words({"--help"}).positional("COMMAND").empty());
}

TEST_CASE("flags and positionals come in any order") {
  const Arguments given = parse_words({"task:post", "--status", "ok", "r", "--value=-", "t1"});
  CHECK(given.positional("RUN") == "r");
  CHECK(given.positional("EFFECT") == "t1");
  CHECK(given.value("--status") == "ok");
  CHECK(given.value("--value") == "-");
  CHECK_FALSE(given.value("--error"));
}

TEST_CASE("values are taken as they are") {
  const Arguments given = parse_words({"run:create", "--input", "a=[1,2]", "--input=b=c=d",
                                       "--input", "-5", "--inputs", "-", "--prompt", ""});
  CHECK(given.values("--input") == std::vector<std::string>{"a=[1,2]", "b=c=d", "-5"});
  CHECK(given.value("--inputs") == "-");
  CHECK(given.value("--prompt") == "");
  CHECK(parse_words({"run:create", "--prompt=--x"}).value("--prompt") == "--x");
}

TEST_CASE("behind -- nothing is a flag") {
  CHECK(parse_words({"run:status", "--", "--json"}).positional("RUN") == "--json");
  CHECK(parse_words({"run:status", "--", "-h"}).positional("RUN") == "-h");
}

TEST_CASE("a switch may be repeated, a value may not") {
  CHECK(parse_words({"version", "--json", "--json"}).has("--json"));
  CHECK(failure_of({"run:events", "r", "--limit", "1", "--limit", "2"}).message() ==
        "--limit is given twice");
}

TEST_CASE("every misuse has its own words, and exit 2") {
  struct Case {
    std::vector<std::string> words;
    std::string code;
    std::string message;
    std::string hint;
  };
  const std::vector<Case> cases = {
      {{"run:itterate", "r"},
       "UNKNOWN_COMMAND",
       "there is no command \"run:itterate\"",
       "did you mean run:iterate?"},
      {{"run", "crate"},
       "UNKNOWN_COMMAND",
       "there is no command \"run:crate\"",
       "did you mean run:create?"},
      {{"xyzzy"}, "UNKNOWN_COMMAND", "there is no command \"xyzzy\"", "see: reprise help"},
      {{"post", "r"},
       "UNKNOWN_COMMAND",
       "there is no command \"post\"",
       "did you mean task:post or message:post?"},
      {{"task"},
       "UNKNOWN_COMMAND",
       "\"task\" needs a verb: list, show, post, claim, exec, extend, release, progress, cancel, "
       "logs",
       "see: reprise help"},
      {{"run:list", "--stauts", "x"},
       "UNKNOWN_FLAG",
       "run:list has no flag --stauts",
       "did you mean --status?"},
      {{"run:list", "-x"},
       "UNKNOWN_FLAG",
       "run:list has no flag -x",
       "see: reprise run:list --help"},
      {{"run:start", "--input", "n=1"},
       "UNKNOWN_FLAG",
       "run:start has no flag --input",
       "did you mean --inputs? usage: reprise run:start PROCESS [K=V...] [FLAGS]"},
      {{"run:list", "--limit"}, "MISSING_ARGUMENT", "--limit needs a value", "--limit=N"},
      {{"run:list", "--limit", "--all"}, "MISSING_ARGUMENT", "--limit needs a value", "--limit=N"},
      {{"run:list", "--all=yes"}, "INVALID_ARGUMENT", "--all takes no value", ""},
      {{"run:list", "--help=x"}, "INVALID_ARGUMENT", "--help takes no value", ""},
      {{"run:list", "--home", ""},
       "INVALID_ARGUMENT",
       "--home is empty",
       "name a folder, or leave --home out"},
      {{"run:list", "--runs-dir="},
       "INVALID_ARGUMENT",
       "--runs-dir is empty",
       "name a folder, or leave --runs-dir out"},
      {{"run:status"},
       "MISSING_ARGUMENT",
       "run:status needs RUN",
       "usage: reprise run:status RUN [FLAGS]"},
      {{"task:post", "r", "t1"},
       "MISSING_ARGUMENT",
       "task:post needs --status",
       "usage: reprise task:post RUN [EFFECT] --status ok|error [FLAGS]"},
      {{"task:post", "r", "t1", "--status", "okay"},
       "INVALID_ARGUMENT",
       "--status is ok|error, not \"okay\"",
       ""},
      {{"run:status", "r", "s"},
       "INVALID_ARGUMENT",
       "\"s\" is one word too many for run:status",
       "usage: reprise run:status RUN [FLAGS]"},
  };
  for (const Case& expected : cases) {
    const Error error = failure_of(expected.words);
    CAPTURE(expected.message);
    CHECK(error.exit() == Exit::kUsage);
    CHECK(error.code() == expected.code);
    CHECK(error.message() == expected.message);
    CHECK(error.hint() == expected.hint);
  }
}

TEST_CASE("a count is a positive whole number") {
  const auto count = [](const char* text) {
    return parse_words({"run:list", "--limit", text}).count("--limit");
  };
  CHECK(count("12") == 12);
  for (const char* wrong : {"0", "-1", "1.5", "x", "", "1x", "99999999999999999999"}) {
    CHECK_THROWS_AS(count(wrong), Error);
  }
  CHECK_FALSE(parse_words({"run:list"}).count("--limit"));
}

TEST_CASE("an effect is a word of its own, or stands behind its run") {
  const auto words = [](const std::vector<std::string>& typed) {
    const auto [run, effect] = words_of_effect(parse_words(typed));
    return run + " " + effect;
  };
  CHECK(words({"task:show", "r", "t1"}) == "r t1");
  CHECK(words({"task:show", "r/t1"}) == "r t1");
  CHECK(words({"task:show", "runs/r/t1"}) == "runs/r t1");
  CHECK(words({"task:show", "runs/r"}) == "runs/r ");
  CHECK(words({"task:show", "runs/t1", "--key", "k"}) == "runs/t1 ");
  CHECK(words({"task:post", "r/t1", "--status", "ok", "--key", "k"}) == "r t1");
  CHECK(words({"task:post", "runs/t1", "--status", "ok", "--effect-key", "k"}) == "runs/t1 ");
  CHECK(words({"task:post", "r", "--status", "ok", "--effect-id", "t1"}) == "r t1");
  CHECK(words({"run:status", "runs/t1"}) == "runs/t1 ");
  CHECK(words({"run:list"}) == " ");
}

TEST_CASE("a global flag can be seen before the words are understood") {
  CHECK(peek_flag({"nonsense", "--what", "--json"}, "--json") == "");
  CHECK(peek_flag({"x", "--output", "json"}, "--output") == "json");
  CHECK(peek_flag({"x", "--output=none"}, "--output") == "none");
  CHECK_FALSE(peek_flag({"x", "--", "--json"}, "--json"));
  CHECK_FALSE(peek_flag({"x", "--output"}, "--output"));
}

TEST_CASE("no words make the parser do anything but answer or refuse") {
  const std::vector<std::string> pool = {"run",   ":",      "run:",  "status", "-",   "--",
                                         "--=",   "--json", "-h",    "",       "r",   "--get",
                                         "--x=y", "\xff",   "task",  "post",   "t1",  "--status",
                                         "ok",    "help",   "--all", "=",      "--a", "version"};
  // All triples: small enough to be exhaustive, long enough to reach every state.
  size_t answered = 0;
  for (const auto& a : pool) {
    for (const auto& b : pool) {
      for (const auto& c : pool) {
        const Error error = failure_of({a, b, c});
        answered += error.code() == "NONE" ? 1 : 0;
        CHECK((error.code() == "NONE" || error.exit() == Exit::kUsage));
      }
    }
  }
  CHECK(answered > 0);
}
