#include "cli/help.h"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "cli/arguments.h"
#include "schemas/schemas.h"

using namespace reprise;

namespace {

std::vector<const CommandSpec*> all_commands() {
  std::vector<const CommandSpec*> all;
  for (const Family& family : command_families()) {
    for (const CommandSpec& command : family.commands) all.push_back(&command);
  }
  return all;
}

}  // namespace

TEST_CASE("every command is complete: summary, text, function, schema") {
  for (const CommandSpec* command : all_commands()) {
    CAPTURE(command->name);
    CHECK_FALSE(command->summary.empty());
    CHECK(command->run != nullptr);
    CHECK(command->text != nullptr);
    CHECK_FALSE(find_schema(command->name).empty());
  }
}

TEST_CASE("names are used once, flags have the shape that the parser wants") {
  std::set<std::string_view> names;
  for (const CommandSpec* command : all_commands()) {
    CAPTURE(command->name);
    CHECK(names.insert(command->name).second);
    std::set<std::string_view> flags;
    for (const Flag& flag : global_flags()) flags.insert(flag.name);
    for (const Flag& flag : command->flags) {
      CAPTURE(flag.name);
      CHECK(flag.name.starts_with("--"));
      CHECK(flag.name.find('=') == std::string_view::npos);
      CHECK_FALSE(flag.help.empty());
      CHECK(flags.insert(flag.name).second);
    }
    bool optional = false;
    for (const Positional& positional : command->positionals) {
      CHECK(positional.optional >= optional);
      optional = positional.optional;
    }
  }
}

TEST_CASE("help says what a command does to runs, and nothing where it does something else") {
  const auto help = [](std::string_view name) { return help_command(*find_command(name), {}); };
  const auto says = [&](std::string_view name, const char* words) {
    return help(name).find(words) != std::string::npos;
  };
  CHECK(says("run:iterate", "\nIt writes to the run, under its lock.\n"));
  CHECK(says("run:status", "\nIt takes no run's lock and changes no run.\n"));
  for (const char* name :
       {"agent:config", "agent:create", "backup", "doctor", "event:tail", "executor:add",
        "executor:perform", "executor:test", "hook:retry", "heartbeat:install", "index:rebuild",
        "init", "run:archive", "run:delete", "trust"}) {
    CAPTURE(name);
    CHECK_FALSE(says(name, "lock and changes"));
    CHECK_FALSE(says(name, "It writes"));
  }
}

TEST_CASE("the examples are words that the command understands") {
  for (const CommandSpec* command : all_commands()) {
    for (const Example& example : command->examples) {
      CAPTURE(example.words);
      CHECK(std::string(example.words).find("reprise " + std::string(command->name)) !=
            std::string::npos);
    }
  }
}

TEST_CASE("the help of a command names its flags, its arguments and the global flags") {
  for (const CommandSpec* command : all_commands()) {
    const std::string help = help_command(*command, {});
    for (const Flag& flag : command->flags) CHECK(help.find(flag.name) != std::string::npos);
    for (const Flag& flag : global_flags()) CHECK(help.find(flag.name) != std::string::npos);
    CHECK(help.find(usage_line(*command)) != std::string::npos);
  }
}

TEST_CASE("help fits on a terminal of 80 columns") {
  std::vector<std::string> texts = {help_overview({})};
  for (const CommandSpec* command : all_commands()) texts.push_back(help_command(*command, {}));
  for (const std::string& text : texts) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("the overview lists every command") {
  const std::string overview = help_overview({});
  for (const CommandSpec* command : all_commands()) {
    CHECK(overview.find(command->name) != std::string::npos);
  }
  CHECK(help_noun("task", {}).find("task:post") != std::string::npos);
  CHECK(help_noun("nothing", {}).empty());
}
