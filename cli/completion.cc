// Each script holds the whole table: nothing is run while somebody types. Values are completed as
// files, except where the table lists the choices.
#include "cli/completion.h"

#include <functional>

#include "cli/command_table.h"
#include "cli/commands.h"
#include "engine/suggest.h"

namespace reprise {
namespace {

void for_each_command(const std::function<void(const CommandSpec&)>& use) {
  for (const Family& family : command_families()) {
    for (const CommandSpec& command : family.commands) use(command);
  }
}

// "ok|error" as "ok error"; empty where a value is free.
std::string choices_of(const Flag& flag) {
  const bool listed = flag.value.find('|') != std::string_view::npos &&
                      flag.value.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  std::string words(listed ? flag.value : "");
  for (char& c : words) c = c == '|' ? ' ' : c;
  return words;
}

std::string replaced(std::string_view text, std::string_view special, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += before;
    out += c;
  }
  return out;
}

// In single quotes of a POSIX shell, and of fish.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string flag_names(std::span<const Flag> flags) {
  std::string words;
  for (const Flag& flag : flags) words += (words.empty() ? "" : " ") + std::string(flag.name);
  return words;
}

// "--status) choices=(ok error) ;;"
void add_bash_choices(std::string& out, std::span<const Flag> flags) {
  for (const Flag& flag : flags) {
    const std::string choices = choices_of(flag);
    if (choices.empty()) continue;
    out += "        " + std::string(flag.name) + ") choices='" + choices + "' ;;\n";
  }
}

constexpr std::string_view kBashHead =
    R"(# reprise completion bash > ~/.local/share/bash-completion/completions/reprise
_reprise() {
  local line="${COMP_LINE:0:COMP_POINT}" typed word last command choices=''
  read -ra typed <<<"$line"
  [[ $line == *[[:space:]] ]] && typed+=('')
  word="${typed[${#typed[@]}-1]}" last="${typed[${#typed[@]}-2]}" command="${typed[1]-}"
  local count=${#typed[@]}
  if ((count > 2)) && [[ " $_reprise_nouns " == *" $command "* ]]; then
    if ((count == 3)); then
      local name
      for name in $_reprise_commands; do
        [[ $name == "$command":* ]] && choices+=" ${name#*:}"
      done
    fi
    command="$command:${typed[2]}"
    ((count > 3)) && count=3
  fi
  if ((${#typed[@]} == 2)); then
    choices="$_reprise_commands"
  elif [[ -z $choices ]]; then
    case "$command" in
)";

constexpr std::string_view kBashTail = R"(    esac
  fi
  [[ -z $choices ]] && return
  local IFS=$' \n'
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  # Where a colon ends a word, what stands before it is on the line already.
  if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local before="${word%"${word##*:}"}"
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
  fi
}
complete -o bashdefault -o default -F _reprise reprise
)";

std::string zsh_flag(const Flag& flag) {
  std::string spec = std::string(flag.repeats ? "*" : "") + std::string(flag.name);
  if (!flag.value.empty()) spec += "=";
  spec += "[" + replaced(flag.help, "[]\\:", "\\") + "]";
  if (flag.value.empty()) return in_quotes(spec);
  const std::string choices = choices_of(flag);
  spec += ":" + replaced(flag.value, ":\\", "\\") + ":";
  return in_quotes(spec + (choices.empty() ? "_files" : "(" + choices + ")"));
}

}  // namespace

std::string bash_completion() {
  std::string names;
  std::string nouns;
  std::string cases;
  for_each_command([&](const CommandSpec& command) {
    names += (names.empty() ? "" : " ") + std::string(command.name);
    const auto colon = command.name.find(':');
    const std::string noun(command.name.substr(0, colon));
    const bool known = (" " + nouns + " ").find(" " + noun + " ") != std::string::npos;
    if (colon != std::string_view::npos && !known) nouns += (nouns.empty() ? "" : " ") + noun;
    cases += "      " + std::string(command.name) + ")\n        case \"$last\" in\n";
    add_bash_choices(cases, command.flags);
    add_bash_choices(cases, global_flags());
    cases += "        *) [[ $word == -* ]] && choices='" + flag_names(command.flags) + " " +
             flag_names(global_flags()) + "' ;;\n        esac ;;\n";
  });
  return "_reprise_commands='" + names + "'\n_reprise_nouns='" + nouns + "'\n" +
         std::string(kBashHead) + cases + std::string(kBashTail);
}

std::string zsh_completion() {
  std::string commands;
  std::string cases;
  for_each_command([&](const CommandSpec& command) {
    commands += "    " +
                in_quotes(replaced(command.name, ":", "\\") + ":" + std::string(command.summary)) +
                "\n";
    cases += "    " + std::string(command.name) + ")\n      _arguments";
    for (const Flag& flag : command.flags) cases += " \\\n        " + zsh_flag(flag);
    cases += " \\\n        $global '*:file:_files' ;;\n";
  });
  std::string global;
  for (const Flag& flag : global_flags()) global += "    " + zsh_flag(flag) + "\n";
  return "#compdef reprise\n"
         "# reprise completion zsh > a folder of $fpath, as _reprise\n"
         "_reprise() {\n  local -a commands global\n  commands=(\n" +
         commands + "  )\n  global=(\n" + global +
         "  )\n"
         "  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n"
         "  words=(\"${(@)words[2,-1]}\")\n  ((CURRENT--))\n"
         "  case $command in\n" +
         cases + "  esac\n}\n_reprise \"$@\"\n";
}

std::string fish_completion() {
  std::string out = "# reprise completion fish > ~/.config/fish/completions/reprise.fish\n";
  const auto add = [&out](const std::string& when, const Flag& flag) {
    const std::string choices = choices_of(flag);
    out += "complete -c reprise -n " + in_quotes(when) + " -l " + std::string(flag.name.substr(2)) +
           (flag.value.empty() ? "" : " -r") +
           (choices.empty() ? "" : " -f -a " + in_quotes(choices)) + " -d " + in_quotes(flag.help) +
           "\n";
  };
  for_each_command([&](const CommandSpec& command) {
    out += "complete -c reprise -n __fish_use_subcommand -f -a " + in_quotes(command.name) +
           " -d " + in_quotes(command.summary) + "\n";
    const std::string when = "__fish_seen_subcommand_from " + std::string(command.name);
    for (const Flag& flag : command.flags) add(when, flag);
  });
  for (const Flag& flag : global_flags()) add("true", flag);
  return out;
}

Reply show_completion(const Arguments& arguments) {
  const std::string shell = arguments.positional("SHELL");
  Reply reply{.document = new_document()};
  reply.document["shell"] = shell;
  if (shell == "bash") reply.document["script"] = bash_completion();
  if (shell == "zsh") reply.document["script"] = zsh_completion();
  if (shell == "fish") reply.document["script"] = fish_completion();
  if (reply.document.contains("script")) return reply;
  constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
  const std::string meant = did_you_mean(shell, kShells);
  throw Error(Exit::kUsage, "INVALID_ARGUMENT", "SHELL is bash, zsh or fish, not \"" + shell + "\"",
              meant);
}

std::string completion_text(const Document& document, const Style&) {
  return document["script"].get<std::string>();
}

}  // namespace reprise
