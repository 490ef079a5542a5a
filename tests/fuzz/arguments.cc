// Any words as a command line: understood or refused with exit 2, in text and in JSON. What is
// understood can be said again in the plainest form and means the same.
#include "cli/arguments.h"

#include <array>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/units.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/target.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 30> kWords = {"\n--json\n",
                                                     "\n--output=json\n",
                                                     "\n--get\n",
                                                     "\n--home\n",
                                                     "\n--\n",
                                                     "\n-h\n",
                                                     "\n--help\n",
                                                     "\n-\n",
                                                     "\n--=\n",
                                                     "\n--limit=\n",
                                                     "\n--input\n",
                                                     "a=[1,2]",
                                                     "\n--flag=--x\n",
                                                     "\nrun\n",
                                                     "\ntask\n",
                                                     "\ncreate\n",
                                                     "\npost\n",
                                                     "\nstatus\n",
                                                     "\nhelp\n",
                                                     "\nversion\n",
                                                     "\nschema\n",
                                                     "\ninit\n",
                                                     "--status",
                                                     "ok",
                                                     "--value-inline",
                                                     "{}",
                                                     "--",
                                                     "=",
                                                     "[",
                                                     "\"\\"};

using Words = std::vector<std::string>;

Words words_of(std::string_view bytes) {
  Words words;
  for (Input input(bytes); !input.at_end() && words.size() < 40;) words.emplace_back(input.line());
  return words;
}

/// Prints the error in both ways.
void check_error(const Error& error) {
  expect(error.exit() == Exit::kUsage, "words are refused with exit 2");
  expect(!error.code().empty() && !error.message().empty(), "a refusal says what is wrong");
  const auto document = print_error(error, {.mode = OutputMode::kJson, .pointer = {}, .style = {}});
  expect(nlohmann::json::accept(document.out), "an error is a document");
  expect(document.exit == Exit::kUsage, "an error keeps its exit code");
  const auto text = print_error(error, {.pointer = {}, .style = {}});
  for (const char c : text.err) {
    expect(c == '\n' || static_cast<unsigned char>(c) >= 0x20, "an error is safe on a terminal");
  }
}

template <typename Action>
bool understood(Action action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    check_error(error);
    return false;
  }
}

/// The same as "--flag=value" for each flag, and the positionals behind "--".
Words plain_words(const Arguments& arguments, Subject subject) {
  const auto& command = arguments.command();
  Words words = {std::string(command.name)};
  const auto add_flags = [&](std::span<const Flag> flags) {
    for (const Flag& flag : flags) {
      for (const auto& value : arguments.values(flag.name)) {
        words.emplace_back(flag.name);
        if (!flag.value.empty()) words.back() += "=" + value;
        if (flag.value.empty() || subject == Subject::kBroken) break;
      }
    }
  };
  add_flags(command.flags);
  add_flags(global_flags());
  if (!command.runs_program) words.emplace_back("--");
  for (const auto& positional : command.positionals) {
    for (const auto& value : arguments.positionals(positional.name)) words.push_back(value);
  }
  if (!command.runs_program) return words;
  words.emplace_back("--");
  words.insert(words.end(), arguments.program().begin(), arguments.program().end());
  return words;
}

std::string told(const Arguments& arguments) {
  std::string text(arguments.command().name);
  const auto add = [&](std::string_view name, const Words& values) {
    for (const auto& value : values) text.append("\n").append(name).append(" ").append(value);
  };
  for (const auto& flag : arguments.command().flags) add(flag.name, arguments.values(flag.name));
  for (const auto& flag : global_flags()) add(flag.name, arguments.values(flag.name));
  for (const auto& positional : arguments.command().positionals) {
    add(positional.name, arguments.positionals(positional.name));
  }
  add("--", arguments.program());
  return text;
}

/// A word of a command that runs a program cannot begin with "-" and stand behind no mark.
bool can_be_said_again(const Arguments& arguments) {
  if (!arguments.command().runs_program) return true;
  for (const auto& positional : arguments.command().positionals) {
    for (const auto& value : arguments.positionals(positional.name)) {
      if (value.starts_with("-")) return false;
    }
  }
  return true;
}

void check_words(const Words& words, Subject subject) {
  std::optional<Arguments> arguments;
  if (!understood([&] { arguments = parse_words(words); })) return;
  expect(!usage_line(arguments->command()).empty(), "a command has a usage");
  if (!can_be_said_again(*arguments)) return;
  std::optional<Arguments> again;
  expect(understood([&] { again = parse_words(plain_words(*arguments, subject)); }),
         "plain words are understood");
  expect_equal(told(*again), told(*arguments), "plain words mean the same");
}

/// Each word as a value of each kind that flags have.
void check_values(const Words& words) {
  for (const auto& word : words) {
    understood([&] { parse_duration_ms(word, "--lease"); });
    understood([&] { parse_time_flag(word, "--now"); });
    understood([&] { parse_pairs({word}, "--label"); });
    understood([&] { make_inputs(word, words); });
    understood([&] { make_inputs("", words); });
    parse_size(word);
    parse_effect_id(word);
    const auto safe = shown(word);
    expect_equal(shown(safe), safe, "what is safe to show is shown as it is");
  }
}

void check(std::string_view bytes, Subject subject) {
  const auto words = words_of(bytes);
  check_words(words, subject);
  check_values(words);
  output_options([&](std::string_view name) { return peek_flag(words, name); }, false);
}

}  // namespace

const Target kTarget{"arguments", kWords, check};

}  // namespace reprise::fuzz
