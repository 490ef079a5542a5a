#include "cli/man_page.h"

#include <map>

#include "cli/arguments.h"
#include "cli/command_table.h"

namespace reprise {
namespace {

// Text that roff takes as it is: no escapes, no requests, no dashes of the typographer.
std::string roff_text(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return out;
}

void add_flags(std::string& out, std::span<const Flag> flags) {
  for (const Flag& flag : flags) {
    out += ".TP\n.B " + roff_text(flag.name);
    if (!flag.value.empty()) out += " \\fI" + roff_text(flag.value) + "\\fR";
    out += "\n" + roff_text(flag.help) + "\n";
  }
}

void add_command(std::string& out, const CommandSpec& command) {
  out += ".SS " + roff_text(usage_line(command)) + "\n" + roff_text(command.summary) + ".\n";
  if (!command.description.empty()) out += roff_text(command.description) + "\n";
  for (const Positional& positional : command.positionals) {
    out += ".TP\n.I " + roff_text(positional.name) + "\n" + roff_text(positional.help) + "\n";
  }
  add_flags(out, command.flags);
  for (const Example& example : command.examples) {
    out += ".PP\n" + roff_text(example.what) + ":\n.PP\n.RS\n.nf\n" + roff_text(example.words) +
           "\n.fi\n.RE\n";
  }
}

}  // namespace

std::string man_page() {
  std::string out =
      ".TH REPRISE 1 \"\" \"reprise " REPRISE_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nreprise \\- durable orchestration runs, from the command line\n"
      ".SH SYNOPSIS\n.B reprise\n.I NOUN:VERB\n[\\fIWORDS\\fR...] [\\fIFLAGS\\fR...]\n"
      ".SH DESCRIPTION\nA run is a directory; its append\\-only journal is the only truth. "
      "\\fBNOUN:VERB\\fR and \\fBNOUN VERB\\fR are the same. Without words it shows what waits for "
      "a person.\n"
      ".SH COMMANDS\n";
  std::map<Exit, std::string_view> exits;
  for (const Exit exit : {Exit::kOk, Exit::kUsage, Exit::kSystem, Exit::kBug})
    exits.emplace(exit, describe_exit(exit));
  for (const Family& family : command_families()) {
    for (const CommandSpec& command : family.commands) {
      add_command(out, command);
      for (const Exit exit : command.exits) exits.emplace(exit, describe_exit(exit));
    }
  }
  out += ".SH GLOBAL FLAGS\n";
  add_flags(out, global_flags());
  out += ".SH EXIT STATUS\n";
  for (const auto& [exit, meaning] : exits) {
    out += ".TP\n.B " + std::to_string(static_cast<int>(exit)) + "\n" + roff_text(meaning) + "\n";
  }
  out +=
      ".SH ENVIRONMENT\n.TP\n.B REPRISE_HOME\nwhere runs are kept\n.TP\n.B NO_COLOR\n"
      "no colour on terminals\n";
  return out;
}

}  // namespace reprise
