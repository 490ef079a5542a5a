#include "engine/executors/command_words.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace reprise;

namespace {

bool runs(const std::vector<Words>& commands, const std::string& program) {
  return std::ranges::any_of(commands, [&](const Words& command) {
    const auto& word = command.front();
    return word == program || word.ends_with("/" + program);
  });
}

}  // namespace

TEST_CASE("A program is found wherever a script may run it") {
  for (const char* script : {
           "rm -rf x",
           "/bin/rm x",
           "'rm' x",
           "r\"m\" x",
           "\\rm x",
           "r\\\nm x",
           "$'rm' x",
           "A=1 B=2 rm x",
           "cd y && rm x",
           "true || rm x",
           "cat y | rm x",
           "cat y; rm x",
           "cat y & rm x",
           "cat y\nrm x",
           "(cd y; rm x)",
           "{ rm x; }",
           "! rm x",
           "if true; then rm x; fi",
           "if rm x; then true; fi",
           "for i in 1 2; do rm $i; done",
           "while rm x; do :; done",
           "case $a in b) rm x;; esac",
           "f() { rm x; }; f",
           "function f { rm x; }",
           "echo $(rm x)",
           "echo `rm x`",
           "echo \"a $(rm x) b\"",
           "echo \"a `rm x` b\"",
           "echo ${a:-$(rm x)}",
           "diff <(rm x) y",
           "echo $(echo $(echo $(rm x)))",
           "A=$(rm x)",
           "> out rm x",
           "2>/dev/null rm x",
           "cat <<EOF\n$a\nEOF\nrm x",
           "bash -c 'rm x'",
           "bash -lc 'cd y; rm x'",
           "sh -e -c \"rm x\"",
           "bash <<EOF\nrm x\nEOF",
           "bash <<< 'rm x'",
           "env rm x",
           "env -u HOME A=1 rm x",
           "env -S 'rm x'",
           "sudo rm x",
           "sudo -u root -- rm x",
           "doas rm x",
           "nohup rm x &",
           "timeout 5 rm x",
           "timeout -k 1 5s rm x",
           "nice -n 5 rm x",
           "exec rm x",
           "exec -a name rm x",
           "command rm x",
           "time -p rm x",
           "setsid rm x",
           "stdbuf -o0 rm x",
           "ls | xargs rm",
           "ls | xargs -n 1 -I {} rm {}",
           "find . -name a -exec rm {} \\;",
           "find . -execdir rm {} +",
           "eval rm x",
           "eval 'echo; rm x'",
           "sudo env bash -c 'nohup timeout 5 rm x'",
           "bash -c \"bash -c 'bash -c \\\"rm x\\\"'\"",
           "watch -n 1 'rm x'",
           "su -c 'rm x'",
           "flock lock rm x",
           "flock lock -c 'rm x'",
       }) {
    CAPTURE(script);
    CHECK(runs(commands_in_script(script), "rm"));
    CHECK(runs(commands_in({"bash", "-c", script}), "rm"));
  }
}

TEST_CASE("A word that is no command is none") {
  for (const char* script : {
           "echo rm",
           "echo 'a; rm x'",
           "grep rm file",
           "git rm file",
           "echo hi # rm x",
           "echo \"; rm x\"",
           "env A=1 echo rm",
           "sudo -u rm echo",
           "xargs -I rm echo",
           "echo a > rm",
           "cat < rm",
           "cat <<EOF\nrm x\nEOF",
           "cat <<'rm'\nx\nrm\n",
           "echo $((1 + 2))",
           "rmdir x",
           "timeout 5 echo rm",
       }) {
    CAPTURE(script);
    CHECK_FALSE(runs(commands_in_script(script), "rm"));
  }
}

TEST_CASE("A list of words is a command, and not a script") {
  CHECK(runs(commands_in({"rm", "x"}), "rm"));
  CHECK(runs(commands_in({"/usr/bin/env", "rm"}), "rm"));
  CHECK_FALSE(runs(commands_in({"echo", "; rm x"}), "rm"));
  CHECK(commands_in({}).empty());
}

TEST_CASE("Text that is broken off anywhere is read to its end") {
  const std::string script =
      "A=\"$(b 'c' `d`)\" e <<F > g; for h in ${i:-$(j)}; do k <(l) $((m)); done\nn\nF\n o";
  for (size_t size = 0; size <= script.size(); size++) {
    commands_in_script(std::string_view(script).substr(0, size));
  }
  std::string deep;
  for (int i = 0; i < 10'000; i++) deep += "$(";
  commands_in_script(deep);
  commands_in_script(std::string(100'000, '('));
}
