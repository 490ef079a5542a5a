// Signals that one run sends to another.
#include "engine/run_signal.h"

#include <catch2/catch.hpp>

#include "tests/engine/folder_fixture.h"

namespace reprise::test {
namespace {

std::string letter(const std::string& args) {
  return R"({"ask":[{"kind":"run.signal","args":)" + args + "}]}";
}
const std::string kLetter = letter(R"({"run":"other","name":"news","value":{"n":1}})");
/// Waits for an agent, so that it takes signals.
const std::string kListener = R"({"ask":[{"kind":"agent"}]})";

size_t received(Folder& folder, const std::string& id) {
  const auto types = folder.run(id).types();
  size_t count = 0;
  for (size_t at = 0; (at = types.find("SIGNAL_RECEIVED", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST_CASE("A signal for another run is delivered after the sender's commit, once") {
  Folder folder;
  folder.create("other", kListener);
  folder.iterate("other");
  folder.create("r", kLetter);
  folder.iterate("r");
  CHECK(folder.run("r").end() == R"([{"name":"news","runId":"other"}])");
  CHECK(received(folder, "other") == 1);
  CHECK(folder.run("other").status() == "ready");
  folder.iterate("r");
  CHECK(received(folder, "other") == 1);
}

TEST_CASE("What the other run cannot take is the sender's result") {
  Folder folder;
  const auto [args, code] = GENERATE(table<std::string, std::string>({
      {R"({"run":"nobody","name":"news"})", "RUN_NOT_FOUND"},
      {R"({"run":"../r","name":"news"})", "RUN_NOT_FOUND"},
      {R"({"run":"r","name":"news"})", "INVALID_SIGNAL"},
      {R"({"run":"over","name":"news"})", "RUN_ENDED"},
      {R"({"run":"other","name":""})", "INVALID_SIGNAL"},
      {R"({})", "RUN_NOT_FOUND"},
  }));
  INFO(args);
  folder.create("other", kListener);
  folder.create("over", R"({"ask":[]})");
  folder.iterate("over");
  folder.cancel("over");
  folder.iterate("over");
  REQUIRE(folder.run("over").state().end);
  folder.create("r", letter(args));
  folder.iterate("r");
  CHECK(folder.run("r").end() ==
        R"([{"data":{"code":")" + code + R"("},"name":"RunSignalRefused"}])");
  CHECK(received(folder, "other") == 0);
}

TEST_CASE("A run that cannot be written now has its signal the next time") {
  Folder folder;
  folder.create("other", kListener);
  folder.create("r", kLetter);
  {
    const auto lock = folder.run("other").dir().lock("run.lock", LockMode::kExclusive, 0, "test");
    folder.world.context.lock_timeout_ms = 0;
    const auto iteration = folder.iterate("r");
    REQUIRE(iteration.notes.size() == 1);
    CHECK(folder.run("r").pending() == "t1:run.signal");
  }
  folder.iterate("r");
  CHECK(folder.run("r").status() == "completed");
  CHECK(received(folder, "other") == 1);
}

TEST_CASE("A crash between any two commits of a sender and the receiver heals") {
  Folder whole;
  whole.create("other", kListener);
  whole.create("r", kLetter);
  whole.iterate("r");
  const auto senders = whole.run("r").commits();
  const auto receivers = whole.run("other").commits();
  for (size_t sender = 1; sender <= senders; ++sender) {
    for (size_t receiver = 1; receiver <= receivers; ++receiver) {
      // What a sender was told is durable in the receiver, and what it asked for comes first.
      if (sender > 2 && receiver < receivers) continue;
      if (sender < 2 && receiver == receivers) continue;
      INFO("sender cut behind commit " << sender << ", receiver behind " << receiver);
      Folder cut;
      for (const std::string id : {"r", "other"}) {
        cut.world.runs->make_dir(id);
        const auto copy = cut.world.runs->open_dir(id);
        copy_tree(whole.run(id).dir(), *copy, "");
        cut_run(*copy, id == "r" ? sender : receiver);
      }
      cut.iterate("r");
      CHECK(cut.run("r").end() == whole.run("r").end());
      CHECK(received(cut, "other") == 1);
      cut.run("r").check_replay();
    }
  }
}

}  // namespace
}  // namespace reprise::test
