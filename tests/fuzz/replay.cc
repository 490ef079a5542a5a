// The target without a fuzzing engine: every file of the kept corpus, then seeded mutations of
// them.
//
//   fuzz_NAME FILE-OR-FOLDER... [--mutations N] [--seed S] [--broken]
//
// A child process works through the inputs and tells, in memory that both share, which one it is
// at; so the parent can keep the input whatever ended the child: an abort, a signal, a sanitizer,
// or the time that one input may take. With --broken the target must fail: that is the answer yes.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

using namespace reprise::fuzz;

namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 60;  ///< for one input, on a busy machine
constexpr uint64_t kNightly = 50;      ///< times as many mutations, with $REPRISE_NIGHTLY
constexpr const char* kUsage = "usage: FILE-OR-FOLDER... [--mutations N] [--seed S] [--broken]\n";

struct Request {
  std::vector<fs::path> files;
  uint64_t mutations = 0;
  uint64_t seed = 1;
  Subject subject = Subject::kReal;
};

/// What the child tells.
struct Progress {
  uint64_t inputs = 0;
  size_t size = 0;
  char bytes[size_t{4} << 20U];
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "%s\n%s", why.c_str(), kUsage);
  std::exit(2);
}

void add_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) return files.push_back(path);
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
}

Request read_request(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto number = [&] {
      if (i + 1 == argc) refuse(std::string(word) + " needs a number");
      return std::strtoull(argv[++i], nullptr, 10);
    };
    if (word == "--mutations") {
      request.mutations = number();
    } else if (word == "--seed") {
      request.seed = number();
    } else if (word == "--broken") {
      request.subject = Subject::kBroken;
    } else {
      add_files(argv[i], request.files);
    }
  }
  if (std::getenv("REPRISE_NIGHTLY") != nullptr) request.mutations *= kNightly;
  std::ranges::sort(request.files);
  if (request.files.empty()) refuse("there is nothing to begin with");
  return request;
}

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void check(std::string_view input, Subject subject, Progress& progress) {
  progress.size = std::min(input.size(), sizeof progress.bytes);
  std::memcpy(progress.bytes, input.data(), progress.size);
  ++progress.inputs;
  alarm(kMostSeconds);
  kTarget.check(input, subject);
}

void check_all(const Request& request, Progress& progress) {
  std::vector<std::string> corpus;
  for (const auto& file : request.files) corpus.push_back(read_bytes(file));
  for (const auto& input : corpus) check(input, request.subject, progress);
  Chance chance(request.seed);
  for (uint64_t i = 0; i < request.mutations; ++i) {
    const auto& input = corpus[chance.below(corpus.size())];
    const auto& other = corpus[chance.below(corpus.size())];
    check(mutate(input, other, kTarget.words, chance.next()), request.subject, progress);
  }
}

/// Keeps the input that the child was at. The name says what it is.
std::string keep(const Progress& progress, uint64_t seed) {
  const auto name = "crash-" + std::string(kTarget.name) + "-" + std::to_string(seed) + "-" +
                    std::to_string(progress.inputs);
  std::ofstream(name, std::ios::binary)
      .write(progress.bytes, static_cast<std::streamsize>(progress.size));
  return fs::absolute(name).string();
}

int answer(int status, const Request& request, const Progress& progress) {
  const auto inputs = std::to_string(progress.inputs);
  const bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (request.subject == Subject::kBroken) {
    std::printf("%s: the fault was %s\n", kTarget.name.data(),
                failed ? ("found by input " + inputs).c_str() : "not found");
    return failed ? 0 : 1;
  }
  if (!failed) {
    std::printf("%s: %s inputs\n", kTarget.name.data(), inputs.c_str());
    return 0;
  }
  const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  std::printf("%s: input %s %s; it is kept as %s\n", kTarget.name.data(), inputs.c_str(),
              late ? "takes too long" : "fails", keep(progress, request.seed).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto request = read_request(argc, argv);
  void* const shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) refuse("no memory to share");
  auto& progress = *new (shared) Progress;
  const pid_t child = fork();
  if (child < 0) refuse("cannot fork");
  if (child == 0) {
    check_all(request, progress);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) refuse("cannot wait");
  return answer(status, request, progress);
}
