#include "cli/output.h"

#include <catch2/catch.hpp>

#include "cli/arguments.h"
#include "cli/long_list.h"

using namespace reprise;

namespace {

std::string list_text(const Document& document, const Style&) {
  return std::to_string(document["runs"].size()) + " runs\n";
}

CommandSpec reading() {
  CommandSpec command;
  command.name = "run:list";
  command.stream = "runs";
  command.text = list_text;
  return command;
}

Reply two_runs() {
  Reply reply{.document = new_document()};
  reply.document["runs"] = {{{"runId", "a"}}, {{"runId", "b"}}};
  return reply;
}

OutputOptions options_of(const std::vector<std::string>& words, bool terminal = false) {
  return output_options([&](std::string_view flag) { return peek_flag(words, flag); }, terminal);
}

Printed print(const std::vector<std::string>& words, Reply reply = two_runs()) {
  return print_reply(reading(), std::move(reply), options_of(words, false));
}

const Error kError{Exit::kConflict, "EFFECT_CONFLICT", "t1 has another result\nok: 1",
                   "see task:show", R"({"effectId":"t1"})"};

}  // namespace

TEST_CASE("the document is printed as text, JSON, lines, or not at all") {
  CHECK(print({}).out == "2 runs\n");
  CHECK(print({"--json"}).out ==
        "{\"schemaVersion\":\"reprise.cli.1\",\"runs\":[{\"runId\":\"a\"},{\"runId\":\"b\"}]}\n");
  CHECK(print({"--output", "jsonl"}).out == "{\"runId\":\"a\"}\n{\"runId\":\"b\"}\n");
  CHECK(print({"--output", "none"}).out.empty());
  CHECK(print({"--output", "text", "--json"}).out == "2 runs\n");
}

namespace {

// Runs by number: r1, r2, ...
class Runs : public LongList {
 public:
  explicit Runs(int count) : x_count(count) {}
  void each(const std::function<void(const Document& element)>& visit) const override {
    for (int i = 1; i <= x_count; ++i) visit({{"runId", "r" + std::to_string(i)}});
  }
  Row row(const Document& element) const override {
    return {{element["runId"], Colour::kBold}, {"run"}};
  }

 private:
  int x_count;
};

Reply long_reply(int count) {
  Reply reply{.document = new_document()};
  reply.document["runs"] = Document::array();
  reply.document["next"] = "n";
  reply.list = std::make_shared<Runs>(count);
  return reply;
}

Reply held_reply(int count) {
  Reply reply = long_reply(count);
  reply.list->each([&](const Document& run) { reply.document["runs"].push_back(run); });
  reply.list = nullptr;
  return reply;
}

}  // namespace

TEST_CASE("a list that is not held is printed as one that is") {
  for (const int count : {0, 1, 2, 9'000}) {
    for (const std::string mode : {"json", "jsonl", "none"}) {
      const std::vector<std::string> words = {"--output", mode};
      const auto expected = print(words, held_reply(count)).out;
      CHECK(print(words, long_reply(count)).out == expected);
      std::string out;
      const Sink sink = [&out](std::string_view bytes) {
        out += bytes;
        return true;
      };
      const Printed rest = print_reply(reading(), long_reply(count), options_of(words), sink);
      CHECK((out.empty() || rest.out.size() < out.size()));
      CHECK(out + rest.out == expected);
    }
    for (const std::string pointer : {"", "/next", "/runs", "/runs/1/runId", "/runs/9000"}) {
      const auto expected = print({"--get", pointer}, held_reply(count));
      const auto printed = print({"--get", pointer}, long_reply(count));
      CHECK(printed.out == expected.out);
      CHECK(printed.err == expected.err);
      CHECK(printed.exit == expected.exit);
    }
  }
  CHECK(print({}, long_reply(10)).out.ends_with("r9   run\nr10  run\n0 runs\n"));
}

TEST_CASE("a long list ends when nobody takes it") {
  size_t pieces = 0;
  const Sink sink = [&pieces](std::string_view) { return ++pieces < 2; };
  const Printed printed = print_reply(reading(), long_reply(100'000), options_of({"--json"}), sink);
  CHECK(pieces == 2);
  CHECK(printed.out.empty());
  CHECK(printed.exit == Exit::kOk);
}

TEST_CASE("--get prints one value, bare") {
  CHECK(print({"--json", "--get", "/runs/1/runId"}).out == "b\n");
  const Printed nothing = print({"--get", "/runs/2"});
  CHECK(nothing.out.empty());
  CHECK(nothing.exit == Exit::kNotFound);
  CHECK(nothing.err ==
        "reprise: the document holds nothing at /runs/2\n  it holds /schemaVersion /runs\n");
}

TEST_CASE("a pointer to nothing does not change the exit code of a command that wrote") {
  CommandSpec command = reading();
  command.writes = true;
  CHECK(print_reply(command, two_runs(), options_of({"--get", "/x"}, false)).exit == Exit::kOk);
}

TEST_CASE("a reply's exit code is the command's") {
  Reply reply = two_runs();
  reply.exit = Exit::kNo;
  CHECK(print({"--get", "/nothing"}, reply).exit == Exit::kNo);
  CHECK(print({}, reply).exit == Exit::kNo);
}

TEST_CASE("warnings join the document or go to standard error") {
  Reply reply = two_runs();
  reply.warnings = {"main.js changed"};
  CHECK(print({}, reply).err == "reprise: warning: main.js changed\n");
  CHECK(print({"--quiet"}, reply).err.empty());
  CHECK(print({"--json"}, reply).err.empty());
  CHECK(print({"--json"}, reply).out.ends_with("\"warnings\":[\"main.js changed\"]}\n"));
  CHECK(print({"--json", "--get", "/runs"}, reply).err == "reprise: warning: main.js changed\n");
}

TEST_CASE("an error is lines on standard error, or a document on standard output") {
  const Printed text = print_error(kError, options_of({}, false));
  CHECK(text.out.empty());
  CHECK(text.err == "reprise: t1 has another result\n  ok: 1\n  see task:show\n");
  CHECK(text.exit == Exit::kConflict);
  const Printed json = print_error(kError, options_of({"--json"}, false));
  CHECK(json.err.empty());
  CHECK(json.out ==
        "{\"schemaVersion\":\"reprise.cli.1\",\"error\":{\"code\":\"EFFECT_CONFLICT\",\"message\":"
        "\"t1 has another "
        "result\\nok: 1\",\"hint\":\"see task:show\",\"details\":{\"effectId\":\"t1\"}}}\n");
  CHECK(print_error(kError, options_of({"--json", "--get", "/x"}, false)).out.empty());
}

TEST_CASE("an error's data cannot act on the terminal") {
  const Error error(Exit::kUsage, "X", "no run \"\x1b[2J\"");
  CHECK(print_error(error, options_of({}, false)).err == "reprise: no run \"\\x1b[2J\"\n");
}

TEST_CASE("commands in an error's hint can be typed as they stand") {
  const Error error{Exit::kCorrupt, "JOURNAL_CORRUPT", "corrupt", "see: reprise run:verify RUN"};
  const auto hint = [&](const std::vector<std::string>& words, const std::string& run) {
    auto options = options_of(words);
    options.run = run;
    return print_error(error, options).err;
  };
  CHECK(hint({}, "") == "reprise: corrupt\n  see: reprise run:verify RUN\n");
  CHECK(hint({}, "a b") == "reprise: corrupt\n  see: reprise run:verify 'a b'\n");
  CHECK(hint({"--home", "/h"}, "r") == "reprise: corrupt\n  see: reprise run:verify --home /h r\n");
  CHECK(hint({"--home", "/h", "--runs-dir=/d"}, "r") ==
        "reprise: corrupt\n  see: reprise run:verify --runs-dir /d r\n");
}

TEST_CASE("colour is for terminals, unless it is asked for or forbidden") {
  CHECK_FALSE(options_of({}, false).style.colour);
  CHECK(options_of({}, true).style.colour);
  CHECK(options_of({"--color", "always"}, false).style.colour);
  CHECK_FALSE(options_of({"--color=never"}, true).style.colour);
}
