#include "engine/program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "engine/descendants.h"
#include "engine/descriptor.h"
#include "engine/executors/outcome.h"
#include "engine/launch.h"
#include "engine/task_log.h"
#include "tests/journal/temp_dir.h"

using namespace reprise;

namespace {

Program shell_program(const std::string& text) {
  return {.words = {"sh", "-c", text}, .environment = own_environment()};
}

/// What it wrote, and how it ended.
struct Ran {
  ProgramEnd end;
  std::string out;
  std::string err;
};

Ran run(
    const Program& program, const std::function<bool()>& tick = [] { return true; }) {
  Ran ran;
  ran.end = run_program(
      program,
      [&](bool is_error, std::string_view bytes) { (is_error ? ran.err : ran.out).append(bytes); },
      tick);
  return ran;
}

}  // namespace

TEST_CASE("A program's streams and its exit code are told") {
  const auto ran = run(shell_program("echo out; echo err >&2; exit 7"));
  CHECK(ran.out == "out\n");
  CHECK(ran.err == "err\n");
  CHECK(ran.end.exit_code == 7);
  CHECK(ran.end.out.tail == "out\n");
  CHECK(ran.end.out.bytes == 4);
}

TEST_CASE("A program that a signal ends has its code") {
  CHECK(run(shell_program("kill -KILL $$")).end.exit_code == 128 + SIGKILL);
}

TEST_CASE("Signals that this process ignores are none that a program ignores") {
  for (const int ignored : {SIGPIPE, SIGXFSZ}) {
    const auto before = ::signal(ignored, SIG_IGN);
    CHECK(run(shell_program("kill -" + std::to_string(ignored) + " $$")).end.exit_code ==
          128 + ignored);
    ::signal(ignored, before);
  }
}

TEST_CASE("What cannot be started is told with the codes of a shell") {
  auto program = shell_program("");
  program.words = {"no-such-program"};
  auto end = run(program).end;
  CHECK(end.exit_code == 127);
  CHECK(end.problem == "cannot run no-such-program: No such file or directory");
  program.words = {"/etc/passwd"};
  end = run(program).end;
  CHECK(end.exit_code == 126);
  CHECK(end.problem == "cannot run /etc/passwd: Permission denied");
  program = shell_program("true");
  program.folder = "/no/such/folder";
  const auto ran = run(program);
  CHECK(ran.end.exit_code == 126);
  CHECK(ran.err == "reprise: cannot enter /no/such/folder: No such file or directory\n");
}

TEST_CASE("A program gets the given environment, folder and input, and nothing else") {
  auto program = shell_program("printf '%s|%s|%s|' \"$A\" \"$HOME\" \"$PWD\"; cat");
  program.environment = {"A=1", "PATH=/usr/bin:/bin"};
  program.folder = "/";
  program.input = Program::Input::kText;
  program.text = "given";
  CHECK(run(program).out == "1||/|given");
  program.input = Program::Input::kNothing;
  CHECK(run(program).out == "1||/|");
}

TEST_CASE("Input that nobody reads harms nobody") {
  auto program = shell_program("exec <&-; exit 0");
  program.input = Program::Input::kText;
  program.text = std::string(1 << 20, 'x');
  CHECK(run(program).end.exit_code == 0);
}

TEST_CASE("Input is there as a whole before the program begins, whatever becomes of its starter") {
  auto program = shell_program("stat -L -c %s /dev/stdin");
  program.input = Program::Input::kText;
  program.text = std::string(200'000, 'x');
  CHECK(run(program).out == "200000\n");
}

TEST_CASE("A program is stopped when its time is over") {
  auto program = shell_program("sleep 600");
  program.timeout_ms = 30;
  const auto end = run(program).end;
  CHECK(end.timed_out);
  CHECK_FALSE(end.silent);
  CHECK(end.exit_code == 128 + SIGTERM);
}

TEST_CASE("Silence is timed apart") {
  auto program = shell_program("sleep 600");
  program.idle_timeout_ms = 30;
  const auto end = run(program).end;
  CHECK(end.timed_out);
  CHECK(end.silent);
}

TEST_CASE("Who ignores SIGTERM is killed after the grace") {
  auto program = shell_program("trap '' TERM; echo ready; while :; do sleep 600; done");
  program.timeout_ms = 30;
  program.grace_ms = 30;
  CHECK(run(program).end.exit_code == 128 + SIGKILL);
}

TEST_CASE("A tick that says no stops the program") {
  auto program = shell_program("sleep 600");
  program.tick_ms = 5;
  int ticks = 0;
  const auto end = run(program, [&] { return ++ticks < 3; }).end;
  CHECK(end.stopped);
  CHECK(ticks == 3);
}

TEST_CASE("The end of a program is seen though another thread took its signal") {
  auto program = shell_program("exec sleep 600");
  program.tick_ms = 1;
  program.timeout_ms = 2000;
  bool killed = false;
  const auto end = run(program, [&] {
                     if (killed) return true;
                     for (const auto pid : living_descendants()) ::kill(pid, SIGKILL);
                     sigset_t signals{};
                     sigemptyset(&signals);
                     sigaddset(&signals, SIGCHLD);
                     killed = sigwaitinfo(&signals, nullptr) == SIGCHLD;
                     return true;
                   }).end;
  CHECK(killed);
  CHECK(end.exit_code == 128 + SIGKILL);
  CHECK_FALSE(end.timed_out);
}

TEST_CASE("The end of the lifeline stops the program, and leaves the descriptor alone") {
  Pipe line = make_pipe();
  auto program = shell_program("sleep 600");
  program.lifeline = line.reader.get();
  line.writer.reset();
  CHECK(run(program).end.stopped);
  CHECK(::fcntl(line.reader.get(), F_GETFD) >= 0);
}

TEST_CASE("What forks away is ended, too") {
  for (const char* text : {"sleep 600 & exit 0", "(setsid sleep 600 &) ; exit 0",
                           "setsid sh -c 'trap \"\" TERM; sleep 600' & exit 0",
                           "(setsid sh -c 'setsid sleep 600 & sleep 600' &) ; exit 0"}) {
    CAPTURE(text);
    auto program = shell_program(text);
    program.grace_ms = 50;
    CHECK(run(program).end.exit_code == 0);
    CHECK(living_descendants().empty());
    CHECK_FALSE(has_children());
  }
}

TEST_CASE("Children that this process had before are left alone") {
  const auto mine = launch({.words = {"sleep", "600"}, .environment = own_environment()});
  REQUIRE(mine.pid != 0);
  CHECK(run(shell_program("sleep 600 & exit 0")).end.exit_code == 0);
  CHECK(living_descendants() == std::vector<pid_t>{mine.pid});
  ::kill(mine.pid, SIGKILL);
  CHECK(::waitpid(mine.pid, nullptr, 0) == mine.pid);
}

TEST_CASE("Streams that are closed early are no end") {
  const auto ran = run(shell_program("echo a; exec >&- 2>&-; sleep 0.05; exit 3"));
  CHECK(ran.out == "a\n");
  CHECK(ran.end.exit_code == 3);
}

TEST_CASE("A flood is counted, and its end kept") {
  auto program = shell_program("head -c 3000000 /dev/zero; echo end");
  program.tail_bytes = 100;
  uint64_t passed = 0;
  const auto end = run_program(
      program, [&](bool, std::string_view bytes) { passed += bytes.size(); }, [] { return true; });
  CHECK(passed == 3'000'004);
  CHECK(end.out.bytes == 3'000'004);
  CHECK(end.out.tail.size() == 100);
  CHECK(end.out.tail.ends_with("end\n"));
}

TEST_CASE("Bytes that are no text become text that is") {
  CHECK(valid_text("a\xffz") == "a\xef\xbf\xbdz");
  CHECK(valid_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") ==
        "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(valid_text("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(valid_text("\xe2\x82") == "\xef\xbf\xbd\xef\xbf\xbd");
  ProgramEnd end;
  end.out = {.tail = "\x82\xac end", .bytes = 1000};
  CHECK(program_outcome(end, {.name = "x"}).value ==
        R"({"exitCode":0,"stdout":" end","stderr":"","stdoutTruncated":true,"success":true})");
}

TEST_CASE("The exit code that was expected is success") {
  ProgramEnd end;
  end.exit_code = 3;
  CHECK(program_outcome(end, {.name = "x", .expected_exit_code = 3}).ok);
  CHECK_FALSE(program_outcome(end, {.name = "x"}).ok);
  end.exit_code = 0;
  CHECK(program_outcome(end, {.name = "x", .expected_exit_code = 3})
            .value.starts_with(R"({"name":"CommandFailed","message":"x ended with exit code 0, )"));
}

TEST_CASE("A log keeps so much, and says that there was more") {
  const TempDir temp;
  const auto run_dir = temp.open();
  TaskLog log(*run_dir, "t1", 2, 10);
  log.write(false, "12345678");
  log.write(false, "9abcdef");
  log.write(true, "");
  log.close();
  CHECK(log.stdout_ref() == "tasks/t1/stdout.2.log");
  CHECK_FALSE(log.whole(false));
  CHECK(log.whole(true));
  CHECK(read_file(*run_dir, log.stdout_ref()) ==
        "123456789a\n[reprise: 5 more bytes were not kept]\n");
  CHECK(read_file(*run_dir, log.stderr_ref()) == "");
}

TEST_CASE("A log that is begun again is another file") {
  const TempDir temp;
  const auto run_dir = temp.open();
  TaskLog lost(*run_dir, "t1", 1, 100);
  lost.write(false, "of a worker that is lost");
  TaskLog log(*run_dir, "t1", 1, 100);
  log.write(false, "new");
  lost.write(false, ", and writes on");
  log.close();
  lost.close();
  CHECK(read_file(*run_dir, "tasks/t1/stdout.log") == "new");
}
