#include "engine/executors/secret.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/executors/work_failed.h"
#include "engine/launch.h"
#include "engine/program.h"
#include "engine/text.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr size_t kLongestSecret = size_t{16} << 10U;
constexpr size_t kShortestSecret = 8;
constexpr int64_t kCommandMs = 30'000;
constexpr int64_t kSecretTickMs = 200;
constexpr int64_t kSecretGraceMs = 500;
constexpr std::string_view kNotSet = "it is not set";
constexpr std::string_view kSecretBlanks = " \t\r\n";

[[noreturn]] void fail(const SecretSource& source, const std::string& why) {
  throw WorkFailed("KeyMissing", source.shown() + " gives no key: " + why);
}

std::string home_path(const std::string& path) {
  if (!path.starts_with("~/")) return path;
  const char* home = std::getenv("HOME");
  return (home != nullptr ? home : "") + path.substr(1);
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : x_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~OpenFile() {
    if (x_fd >= 0) ::close(x_fd);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return x_fd; }

 private:
  int x_fd;
};

/// What is wrong with the file, judged on what was opened, or empty.
std::string fault_of_file(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "it is no regular file";
  if (status.st_uid != ::geteuid() && status.st_uid != 0) return "it belongs to another user";
  if ((status.st_mode & 0077U) != 0) return "others may read it; chmod 600 mends that";
  return {};
}

void check_file(const SecretSource& source, const OpenFile& file) {
  if (file.get() < 0) fail(source, std::strerror(errno));
  if (const auto fault = fault_of_file(file.get()); !fault.empty()) fail(source, fault);
}

std::string read_secret_file(const SecretSource& source) {
  const OpenFile file(home_path(source.name));
  check_file(source, file);
  std::string text(kLongestSecret + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const auto got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(source, std::strerror(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  return text;
}

/// What it says of itself is not repeated: it may be the secret.
std::string run_secret_command(const SecretSource& source, const std::function<bool()>& stopped) {
  const auto end = run_program(
      {.words = source.words,
       .environment = own_environment(),
       .timeout_ms = kCommandMs,
       .grace_ms = kSecretGraceMs,
       .tick_ms = kSecretTickMs,
       .tail_bytes = kLongestSecret + 1},
      [](bool, std::string_view) {}, [&] { return !stopped(); });
  if (end.stopped)
    throw WorkFailed("Stopped", "stopped before the endpoint was asked",
                     WorkFailed::Again::kMayHelp);
  if (end.timed_out) fail(source, "it was not done after 30 s");
  if (!end.problem.empty()) fail(source, end.problem);
  if (end.exit_code != 0) {
    fail(source, "it ended with exit code " + std::to_string(end.exit_code) + "; run it by hand");
  }
  return end.out.tail;
}

std::string raw_secret(const SecretSource& source, const std::function<bool()>& stopped) {
  if (source.kind == SecretSource::Kind::kFile) return read_secret_file(source);
  if (source.kind == SecretSource::Kind::kCommand) return run_secret_command(source, stopped);
  const char* value = std::getenv(source.name.c_str());
  if (value == nullptr) fail(source, std::string(kNotSet));
  return value;
}

}  // namespace

std::string SecretSource::shown() const {
  if (kind == Kind::kEnvironment) return "the variable " + name;
  if (kind == Kind::kFile) return "the file " + name;
  return "the command " + (words.empty() ? std::string() : words.front());
}

std::string read_secret(const SecretSource& source, const std::function<bool()>& stopped) {
  std::string secret(trimmed(raw_secret(source, stopped)));
  if (secret.empty()) fail(source, "it is empty");
  if (secret.size() > kLongestSecret) fail(source, "it is longer than 16 KiB");
  if (secret.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
    fail(source, "it has more than one line");
  }
  return secret;
}

void look_for_secret(
    const SecretSource& source,
    const std::function<std::optional<std::string>(const std::string&)>& environment,
    const std::string& search_path) {
  switch (source.kind) {
    case SecretSource::Kind::kEnvironment:
      if (!environment || !environment(source.name)) fail(source, std::string(kNotSet));
      return;
    case SecretSource::Kind::kFile:
      return check_file(source, OpenFile(home_path(source.name)));
    case SecretSource::Kind::kCommand: {
      const auto& word = source.words.front();
      const bool path = word.find('/') != std::string::npos;
      const bool there = path ? is_program(word) : !find_in_path(word, search_path).empty();
      if (!there) fail(source, "there is no program " + word);
    }
  }
}

void Redactor::add(std::string_view secret) {
  const auto keep = [this](std::string_view text) {
    if (text.size() < kShortestSecret) return;
    const auto quoted = quote(text);
    x_secrets.emplace_back(text);
    x_secrets.push_back(quoted.substr(1, quoted.size() - 2));  // as it stands in JSON
  };
  keep(secret);
  // "Bearer KEY": the server may repeat the key alone.
  for (size_t at = 0; at < secret.size();) {
    const auto end = std::min(secret.find_first_of(kSecretBlanks, at), secret.size());
    keep(secret.substr(at, end - at));
    at = end + 1;
  }
  std::ranges::sort(x_secrets, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  x_secrets.erase(std::unique(x_secrets.begin(), x_secrets.end()), x_secrets.end());
}

std::string Redactor::redact(std::string text) const {
  constexpr std::string_view kInstead = "[redacted]";
  for (const auto& secret : x_secrets) {
    for (size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), kInstead);
      at += kInstead.size();
    }
  }
  return text;
}

size_t Redactor::held_back(std::string_view text) const {
  size_t most = 0;
  for (const auto& secret : x_secrets) {
    for (size_t size = std::min(secret.size() - 1, text.size()); size > most; --size) {
      if (text.ends_with(std::string_view(secret).substr(0, size))) most = size;
    }
  }
  return most;
}

std::string RedactedStream::feed(std::string_view piece) {
  x_kept += piece;
  x_kept = x_redactor.redact(std::move(x_kept));
  const auto told = x_kept.size() - x_redactor.held_back(x_kept);
  auto text = x_kept.substr(0, told);
  x_kept.erase(0, told);
  return text;
}

std::string RedactedStream::finish() { return std::exchange(x_kept, {}); }

}  // namespace reprise
