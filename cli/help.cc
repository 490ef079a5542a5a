#include "cli/help.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cli/arguments.h"
#include "cli/text.h"

namespace reprise {
namespace {

constexpr size_t kHelpWidth = 80;
constexpr size_t kWordsWidth = 30;
constexpr std::string_view kHelpIndent = "  ";

std::string heading(const Style& style, std::string_view title) {
  return "\n" + paint(style, Colour::kBold, title) + "\n";
}

struct Entry {
  std::string words;
  std::string what;
  Colour colour = Colour::kPlain;
};

// Words, and beside them what they mean; words that are too long for that get a line of their own.
std::string word_list(const std::vector<Entry>& entries, const Style& style) {
  size_t widest = 0;
  for (const Entry& entry : entries) {
    const size_t width = entry.words.size();
    if (width <= kWordsWidth) widest = std::max(widest, width);
  }
  const std::string indent(kHelpIndent.size() + widest + 2, ' ');
  std::string out;
  for (const Entry& entry : entries) {
    std::string what = wrapped(entry.what, kHelpWidth, indent);
    const bool beside = entry.words.size() <= widest;
    if (beside) what.erase(0, kHelpIndent.size() + entry.words.size());
    out.append(kHelpIndent).append(paint(style, entry.colour, entry.words));
    out.append(beside ? "" : "\n").append(what);
  }
  return out;
}

std::string flag_usage(const Flag& flag) {
  std::string words(flag.name);
  if (!flag.letter.empty()) words.append(", ").append(flag.letter);
  if (!flag.value.empty()) words.append(1, ' ').append(flag.value);
  return words;
}

// The words of a flag with many choices, on lines that are not too long.
std::string folded(std::string words) {
  if (kHelpIndent.size() + words.size() <= kHelpWidth) return words;
  const size_t space = words.find(' ') + 1;
  const size_t bar = words.rfind('|', kHelpWidth - kHelpIndent.size() - 1);
  return words.insert(bar + 1, "\n" + std::string(kHelpIndent.size() + space, ' '));
}

std::string flag_help(const Flag& flag) {
  std::string help(flag.help);
  if (flag.required) help += " (required)";
  if (flag.repeats) help += " (may be repeated)";
  return help;
}

std::string flag_table(std::span<const Flag> flags, const Style& style) {
  std::vector<Entry> entries;
  for (const Flag& flag : flags) entries.push_back({folded(flag_usage(flag)), flag_help(flag)});
  return word_list(entries, style);
}

std::string command_rows(const Family& family, const Style& style) {
  std::vector<Entry> entries;
  for (const CommandSpec& command : family.commands) {
    entries.push_back({std::string(command.name), std::string(command.summary), Colour::kBold});
  }
  return word_list(entries, style);
}

constexpr std::array kAllExits = {
    Exit::kOk,        Exit::kNo,      Exit::kUsage,         Exit::kNotFound,
    Exit::kConflict,  Exit::kCorrupt, Exit::kDiverged,      Exit::kLocked,
    Exit::kSystem,    Exit::kBudget,  Exit::kWaitsForInput, Exit::kWaitsForTime,
    Exit::kForbidden, Exit::kBug};

std::string exit_number(Exit exit) { return std::to_string(static_cast<int>(exit)); }

std::string exit_table(std::span<const Exit> exits, const Style& style) {
  std::vector<Entry> entries;
  for (const Exit exit : exits) {
    entries.push_back({exit_number(exit), std::string(describe_exit(exit))});
  }
  return word_list(entries, style);
}

// The shell's word for a choice like "text|json" must not end a Markdown cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_row(std::string_view left, std::string_view right) {
  return "| `" + cell(left) + "` | " + cell(right) + " |\n";
}

std::string markdown_flags(std::span<const Flag> flags) {
  std::string out = "| flag | |\n|---|---|\n";
  for (const Flag& flag : flags) out += markdown_row(flag_usage(flag), flag_help(flag));
  return out + "\n";
}

// What a command does to runs, as a sentence behind "It"; empty when there is no more to say than
// its description does.
std::string_view does_to_runs(const CommandSpec& command) {
  if (command.writes) return "writes to the run, under its lock.";
  return command.changes_else ? "" : "takes no run's lock and changes no run.";
}

std::string markdown_command(const CommandSpec& command) {
  std::string out = "### " + std::string(command.name) + "\n\n";
  out.append(command.summary).append(".\n\n    ").append(usage_line(command)).append("\n\n");
  if (!command.description.empty()) out.append(command.description).append("\n\n");
  if (!command.positionals.empty()) {
    out += "| argument | |\n|---|---|\n";
    for (const Positional& positional : command.positionals) {
      out += markdown_row(positional.name, positional.help);
    }
    out += "\n";
  }
  if (!command.flags.empty()) out += markdown_flags(command.flags);
  if (!command.examples.empty()) {
    out += "```sh\n";
    for (const Example& example : command.examples) {
      out.append("# ").append(example.what).append("\n").append(example.words).append("\n");
    }
    out += "```\n\n";
  }
  if (!command.exits.empty()) {
    out += "Exit codes besides 0, 2, 8 and 70:";
    std::string_view separator = " ";
    for (const Exit exit : command.exits) {
      out.append(separator).append(exit_number(exit)).append(" (").append(describe_exit(exit));
      out += ")";
      separator = ", ";
    }
    out += ".\n\n";
  }
  const auto does = does_to_runs(command);
  if (!does.empty()) out.append("It ").append(does).append("\n\n");
  return out;
}

}  // namespace

std::string help_overview(const Style& style) {
  std::string out =
      "reprise " REPRISE_VERSION ": durable orchestration in one command-line tool\n\n";
  out += "usage: reprise COMMAND [ARGUMENTS] [FLAGS]    (run:create is run create)\n";
  for (const Family& family : command_families()) {
    out += heading(style, family.title) + command_rows(family, style);
  }
  out += heading(style, "flags of every command") + flag_table(global_flags(), style);
  out += heading(style, "more");
  out +=
      "  reprise COMMAND --help   what a command does, its flags, examples, exit codes\n"
      "  reprise schema COMMAND   the JSON Schema of what it prints with --json\n";
  return out;
}

std::string help_noun(std::string_view noun, const Style& style) {
  std::string out;
  const std::string prefix = std::string(noun) + ":";
  for (const Family& family : command_families()) {
    if (!family.commands.front().name.starts_with(prefix)) continue;
    out += paint(style, Colour::kBold, family.title) + "\n" + command_rows(family, style);
  }
  return out;
}

std::string help_command(const CommandSpec& command, const Style& style) {
  std::string out = paint(style, Colour::kBold, "reprise " + std::string(command.name)) + ": ";
  out.append(command.summary).append("\n\nusage: ").append(usage_line(command)).append("\n");
  if (!command.description.empty()) out += "\n" + wrapped(command.description, kHelpWidth, {});
  if (!command.positionals.empty()) {
    std::vector<Entry> entries;
    for (const Positional& positional : command.positionals) {
      entries.push_back({std::string(positional.name), std::string(positional.help)});
    }
    out += heading(style, "arguments") + word_list(entries, style);
  }
  if (!command.flags.empty()) out += heading(style, "flags") + flag_table(command.flags, style);
  out += heading(style, "flags of every command") + flag_table(global_flags(), style);
  if (!command.examples.empty()) out += heading(style, "examples");
  for (const Example& example : command.examples) {
    out += "  " + paint(style, Colour::kDim, "# " + std::string(example.what)) + "\n";
    out.append("  ").append(example.words).append("\n");
  }
  if (!command.exits.empty()) {
    out += heading(style, "exit codes besides 0, 2 (usage), 8 (system) and 70 (bug)");
    out += exit_table(command.exits, style);
  }
  const auto does = does_to_runs(command);
  if (!does.empty()) out.append("\nIt ").append(does).append("\n");
  return out;
}

std::string help_markdown() {
  std::string out =
      "# Commands\n\n"
      "<!-- Written by scripts/docs from the command table in cli/. Do not edit. -->\n\n"
      "`reprise NOUN:VERB` and `reprise NOUN VERB` are the same; so are `--flag value` and\n"
      "`--flag=value`. RUN is a run's id, a unique prefix of one, a path, or `@last`.\n"
      "Standard output holds only the document, diagnostics go to standard error.\n\n"
      "## Flags of every command\n\n";
  out += markdown_flags(global_flags());
  out +=
      "## Exit codes\n\nThe exit code answers the command's own job.\n\n| code | meaning "
      "|\n|---|---|\n";
  for (const Exit exit : kAllExits) {
    out += "| " + exit_number(exit) + " | " + std::string(describe_exit(exit)) + " |\n";
  }
  out +=
      "\nWith JSON output an error is a document, too: "
      "`{\"schemaVersion\":\"reprise.cli.1\",\"error\":{\"code\",\"message\",\"hint\",\"details\"}}"
      "`.\n\n";
  for (const Family& family : command_families()) {
    out.append("## ").append(family.title).append("\n\n");
    for (const CommandSpec& command : family.commands) out += markdown_command(command);
  }
  out.pop_back();
  return out;
}

}  // namespace reprise
