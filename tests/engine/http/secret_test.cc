// Where secrets come from, and that they do not come out.
#include "engine/executors/secret.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>

#include "engine/executors/work_failed.h"
#include "tests/journal/temp_dir.h"

namespace reprise::test {
namespace {

using Kind = SecretSource::Kind;

bool never() { return false; }

/// The secret, or "! " and what the error says.
std::string secret_of(const SecretSource& source) {
  try {
    return read_secret(source, never);
  } catch (const WorkFailed& failed) {
    CHECK(failed.name() == "KeyMissing");
    return "! " + failed.message();
  }
}

std::string file_with(const TempDir& folder, const std::string& text, mode_t mode) {
  auto path = folder.path() + "/key";
  std::ofstream(path) << text;
  chmod(path.c_str(), mode);
  return path;
}

TEST_CASE("A key in a variable") {
  setenv("REPRISE_TEST_KEY", "  sk-123 \n", 1);
  CHECK(secret_of({Kind::kEnvironment, "REPRISE_TEST_KEY", {}}) == "sk-123");
  setenv("REPRISE_TEST_KEY", "", 1);
  CHECK(secret_of({Kind::kEnvironment, "REPRISE_TEST_KEY", {}}) ==
        "! the variable REPRISE_TEST_KEY gives no key: it is empty");
  unsetenv("REPRISE_TEST_KEY");
  CHECK(secret_of({Kind::kEnvironment, "REPRISE_TEST_KEY", {}}) ==
        "! the variable REPRISE_TEST_KEY gives no key: it is not set");
}

TEST_CASE("A key in a file that nobody else may read") {
  const TempDir folder;
  const auto path = file_with(folder, "sk-456\n", 0600);
  CHECK(secret_of({Kind::kFile, path, {}}) == "sk-456");
  setenv("HOME", folder.path().c_str(), 1);
  CHECK(secret_of({Kind::kFile, "~/key", {}}) == "sk-456");
  for (const mode_t mode : {0640U, 0604U, 0620U}) {
    chmod(path.c_str(), mode);
    CHECK(secret_of({Kind::kFile, path, {}}).find("chmod 600") != std::string::npos);
  }
  CHECK(secret_of({Kind::kFile, folder.path() + "/no", {}}).find("No such file") !=
        std::string::npos);
  CHECK(secret_of({Kind::kFile, folder.path(), {}}).find("no regular file") != std::string::npos);
  mkfifo((folder.path() + "/pipe").c_str(), 0600);
  CHECK(secret_of({Kind::kFile, folder.path() + "/pipe", {}}).find("no regular file") !=
        std::string::npos);
}

TEST_CASE("A key of more than a line, or of many kilobytes, is none") {
  const TempDir folder;
  CHECK(secret_of({Kind::kFile, file_with(folder, "a\nb", 0600), {}}).find("one line") !=
        std::string::npos);
  CHECK(secret_of({Kind::kFile, file_with(folder, std::string(20'000, 'x'), 0600), {}})
            .find("16 KiB") != std::string::npos);
}

TEST_CASE("A key that a command prints; what it says of itself is not repeated") {
  CHECK(secret_of({Kind::kCommand, {}, {"sh", "-c", "echo sk-789; echo note >&2"}}) == "sk-789");
  CHECK(secret_of({Kind::kCommand, {}, {"sh", "-c", "echo sk-789; echo sk-789 >&2; exit 3"}}) ==
        "! the command sh gives no key: it ended with exit code 3; run it by hand");
  CHECK_THROWS_AS(read_secret({Kind::kCommand, {}, {"sleep", "600"}}, [] { return true; }),
                  WorkFailed);
}

TEST_CASE("Secrets are taken out of texts, as they are and as JSON writes them") {
  Redactor redactor;
  redactor.add("sk-\"quoted\"-key");
  redactor.add("Bearer abcdefgh-1");
  redactor.add("none");
  CHECK(redactor.redact("x sk-\"quoted\"-key y sk-\\\"quoted\\\"-key none") ==
        "x [redacted] y [redacted] none");
  CHECK(redactor.redact("Bearer abcdefgh-1, abcdefgh-1") == "[redacted], [redacted]");
  CHECK(redactor.redact("Bearer") == "Bearer");
  CHECK(Redactor().redact("as it is") == "as it is");
}

TEST_CASE("A secret that arrives in pieces is found however it is cut") {
  Redactor redactor;
  redactor.add("abababac-secret");
  redactor.add("second-secret");
  const std::string text =
      "ababababac-secret abababac-secresecond-secret second-secre abababac-secret!";
  const auto expected = redactor.redact(text);
  CHECK(expected == "ab[redacted] abababac-secre[redacted] second-secre [redacted]!");
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    RedactedStream stream(redactor);
    std::string told;
    for (size_t at = 0; at < text.size();) {
      const size_t size = random() % 9;
      told += stream.feed(text.substr(at, size));
      at += size;
    }
    told += stream.finish();
    INFO("round " << round);
    REQUIRE(told == expected);
  }
}

}  // namespace
}  // namespace reprise::test
