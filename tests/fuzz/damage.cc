// Damage done to real runs: a line of the input is one blow. The first line chooses the run.
//
//   flip FILE OFFSET BIT    cut FILE OFFSET         drop FILE OFFSET SIZE    put FILE OFFSET TEXT
//   zero FILE OFFSET SIZE   remove FILE             copy FILE FILE           swap FILE LINE LINE
//   double FILE LINE
//
// Files are counted through; numbers beyond an end begin anew.
#include <array>
#include <functional>

#include "engine/context.h"
#include "engine/create.h"
#include "engine/iterate.h"
#include "engine/mend.h"
#include "engine/post.h"
#include "journal/error.h"
#include "journal/memory_files.h"
#include "processes/checklist/checklist.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/journal_check.h"
#include "tests/fuzz/target.h"
#include "tests/journal/journal_fixture.h"

namespace reprise::fuzz {

namespace {

constexpr std::array<std::string_view, 16> kWords = {
    "\nflip 1 100 3\n", "\nflip 0 7 0\n", "\ncut 1 900\n",        "\ndrop 0 50 20\n",
    "\nput 1 80 x\n",   "\nzero 1 9 9\n", "\nremove 2\n",         "\ncopy 0 1\n",
    "\nswap 1 2 3\n",   "\ndouble 1 2\n", "\ncopy 5 6\n",         "\ncut 0 0\n",
    "\nflip 8 70 1\n",  "\nremove 7\n",   "\nput 1 99999 torn\n", "small\n"};

/// A machine on which nothing else runs.
class QuietHost final : public Host {
 public:
  std::string name() override { return "host"; }
  std::string boot() override { return "boot"; }
  std::optional<uint64_t> start_time(uint64_t) override { return std::nullopt; }
  bool has_ended(uint64_t, uint64_t) override { return false; }
  void pause(int64_t) override {}
};

struct World {
  FixedClock clock{1'767'225'600'000};
  SeededRandom random;
  ScriptHost scripts{ScriptHost::Options{}};
  QuietHost host;
  std::array<BuiltIn, 1> processes{checklist_process()};
  Context context{clock, random, scripts, host, processes, {"tester", "host", "fuzz"}};
};

/// Five steps, the third of which waits; one result is long enough for a blob.
FileTree make_run() {
  World world;
  MemoryFiles files;
  const auto runs = files.root();
  CreateRequest request{.run_id = "run", .process = {}, .inputs = {}, .labels = {}};
  request.process.built_in = "checklist";
  request.inputs = parse_value(R"({"steps":["a","b","c","d","e"]})", "inputs");
  create_run(runs.get(), "/home/runs", world.context, {}, request);
  const auto run = runs->open_dir("run");
  for (uint64_t effect = 1; effect <= 3; ++effect) {
    iterate(*run, world.context);
    if (effect == 3) break;
    Post post;
    post.effect.id = effect;
    const auto value = effect == 2 ? std::string(size_t{70} << 10U, 'x') : std::string("done");
    post.value = parse_value(R"({"exitCode":0,"stdout":")" + value + "\"}", "value");
    post_result(*run, world.context, post);
  }
  return files_of(*run);
}

/// Six commits of one to four records, in four segments.
FileTree make_segments() {
  MemoryFiles files;
  const auto run = files.root();
  start(*run);
  append(*run, events({"a"}), 700);
  append(*run, events({"b", "c", "d", "e"}), 700);
  append(*run, events({"f", "g"}), 700);
  append(*run, events({"h"}), 700);
  append(*run, events({"i", "j", "k"}), 1);
  return files_of(*run);
}

const FileTree& base_of(bool small) {
  static const FileTree kRun = make_run();
  static const FileTree kSegments = make_segments();
  return small ? kSegments : kRun;
}

/// Larger ones are not doubled any more.
constexpr size_t kLargestFile = size_t{1} << 20U;

struct Line {
  size_t begin;
  size_t size;
};

/// With its newline; `number` counts through.
Line line_of(const std::string& text, uint64_t number) {
  const auto lines = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
  size_t begin = 0;
  for (uint64_t left = lines == 0 ? 0 : number % lines; left > 0; --left) {
    begin = text.find('\n', begin) + 1;
  }
  return {begin, std::min(text.find('\n', begin), text.size() - 1) + 1 - begin};
}

class Blows {
 public:
  explicit Blows(FileTree files) : x_files(std::move(files)) {}

  void strike(std::string_view blow) {
    Input words(blow);
    const auto verb = words.word();
    if (x_files.empty()) return;
    auto file = x_files.begin();
    std::advance(file, static_cast<ptrdiff_t>(words.number() % x_files.size()));
    if (verb == "remove") {
      x_files.erase(file);
      return;
    }
    auto other = x_files.begin();
    const auto number = words.number();
    std::advance(other, static_cast<ptrdiff_t>(number % x_files.size()));
    if (verb == "copy") {
      file->second = other->second;
    } else if (!file->second.empty()) {
      change(verb, file->second, number, words);
    }
  }
  const FileTree& files() const { return x_files; }

 private:
  static void change(std::string_view verb, std::string& bytes, uint64_t number, Input& words) {
    const size_t at = static_cast<size_t>(number % (bytes.size() + 1));
    if (verb == "flip") {
      char& byte = bytes[at % bytes.size()];
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << words.number() % 8);
    } else if (verb == "cut") {
      bytes.resize(at);
    } else if (verb == "drop") {
      bytes.erase(at, static_cast<size_t>(words.number()));
    } else if (verb == "put") {
      bytes.insert(at, words.rest());
    } else if (verb == "zero") {
      const auto size = std::min<uint64_t>(words.number(), bytes.size() - at);
      bytes.replace(at, static_cast<size_t>(size), static_cast<size_t>(size), '\0');
    } else if (verb == "double" && bytes.size() < kLargestFile) {
      const auto line = line_of(bytes, number);
      bytes.insert(line.begin, bytes.substr(line.begin, line.size));
    } else if (verb == "swap") {
      const auto from = line_of(bytes, number);
      const auto text = bytes.substr(from.begin, from.size);
      bytes.erase(from.begin, from.size);
      if (!bytes.empty()) bytes.insert(line_of(bytes, words.number()).begin, text);
    }
  }

  FileTree x_files;
};

/// Is it done? Refusals are exit 5.
bool done(const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    expect(error.exit() == Exit::kCorrupt, "a damaged run is refused with exit 5");
    return false;
  }
}

/// The whole run, by the commands that a person would use.
void check_run(const FileTree& files) {
  World world;
  MemoryFiles disk;
  const auto run = disk.root();
  put_files(*run, files);
  done([&] { verify_run(*run, "run"); });
  expect(files_of(*run) == files, "run:verify changes nothing");
  if (!done([&] { repair_run(*run, world.context, true, false); })) return;
  done([&] { verify_run(*run, "run"); });
  expect(!repair_run(*run, world.context, true, false).needed, "one repair is enough");
  done([&] { iterate(*run, world.context); });
}

void check(std::string_view bytes, Subject subject) {
  Input input(bytes);
  const bool small = input.line() == "small";
  Blows blows(base_of(small));
  while (!input.at_end()) blows.strike(input.line());
  check_journal(blows.files(), subject);
  if (!small) check_run(blows.files());
}

}  // namespace

const Target kTarget{"damage", kWords, check};

}  // namespace reprise::fuzz
