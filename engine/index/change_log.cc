// Lines are added with O_APPEND under a shared lock, so writers do not wait for each other; only
// who empties the log locks it exclusively, and never waits. The inode stays the same: a writer
// that has opened the log cannot lose its line.
#include "engine/index/change_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "journal/ids.h"
#include "journal/real_files.h"
#include "journal/real_lock.h"
#include "journal/real_lookup.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLogMagic = "reprise-changes 1 ";
constexpr size_t kGenerationSize = 16;
constexpr size_t kHeaderSize = kLogMagic.size() + kGenerationSize + 1;
constexpr int64_t kLogLockTimeoutMs = 10'000;
constexpr int kOpenFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

Fd open_log(const std::string& path, int flags) {
  return Fd(::open(path.c_str(), flags | kOpenFlags, 0600));
}

bool write_line(int fd, std::string_view text) {
  return ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string header_line(const std::string& generation) {
  return std::string(kLogMagic) + generation + "\n";
}

/// Nobody may trust the log any more.
void spoil(int fd, const std::string& path, int why) {
  if (fd >= 0 && ::ftruncate(fd, 0) == 0) return;
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return;
  const auto error = system_error("write", path, why);
  throw Error(error.exit(), error.code(), error.message(),
              "the index would not learn of this command, so nothing was recorded; make the file "
              "writable for you, or remove it");
}

std::string read_all(int fd, uint64_t offset, uint64_t size) {
  std::string text(size - offset, '\0');
  const auto got = ::pread(fd, text.data(), text.size(), static_cast<off_t>(offset));
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

/// Empty when the log has none.
std::string read_generation(int fd) {
  const auto line = read_all(fd, 0, kHeaderSize);
  const bool valid =
      line.size() == kHeaderSize && line.starts_with(kLogMagic) && line.back() == '\n';
  if (!valid) return {};
  auto generation = line.substr(kLogMagic.size(), kGenerationSize);
  return parse_hex64(generation) ? generation : std::string();
}

std::optional<uint64_t> size_of(int fd) {
  struct stat status;
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<uint64_t>(status.st_size);
}

/// "RUN 12"
std::optional<Mark> parse_mark(std::string_view line) {
  const auto blank = line.find(' ');
  if (blank == std::string_view::npos || !valid_run_id(line.substr(0, blank))) return std::nullopt;
  Mark mark{std::string(line.substr(0, blank)), 0};
  const char* end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(line.data() + blank + 1, end, mark.head_seq);
  return error == std::errc() && stop == end ? std::optional(mark) : std::nullopt;
}

/// False when a line is none of a writer's.
bool parse_marks(std::string_view text, LogReading& reading) {
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    auto mark = parse_mark(text.substr(0, end));
    if (!mark) return false;
    reading.marks.push_back(std::move(*mark));
    reading.end.offset += end + 1;
  }
  return true;
}

}  // namespace

IndexFiles index_files(const std::string& runs_path) {
  const fs::path runs(runs_path);
  const auto name = runs.filename().string();
  const auto prefix = name == "runs" ? std::string() : name + ".";
  return {runs.parent_path().string(), prefix + "changes.log", prefix + "index.db",
          prefix + "index.lock", prefix + "memory.mark"};
}

void ChangeLog::touch(const std::string& run_path, uint64_t head_seq) {
  const fs::path run(run_path);
  if (!valid_run_id(run.filename().string())) return;  // no list shows it
  const auto path = index_files(run.parent_path().string()).changes_path();
  const auto log = open_log(path, O_WRONLY | O_APPEND);
  if (!log.valid() && errno == ENOENT) return;
  if (!log.valid()) return spoil(-1, path, errno);
  if (!wait_for_lock(log.get(), LockMode::kShared, kLogLockTimeoutMs, path)) {
    throw Error(Exit::kLocked, "CHANGES_LOCKED",
                path + " was locked for " + std::to_string(kLogLockTimeoutMs / 1000) + " seconds",
                "a command that emptied it was stopped: end it, and repeat");
  }
  const auto line = run.filename().string() + " " + std::to_string(head_seq) + "\n";
  if (!write_line(log.get(), line)) spoil(log.get(), path, errno);
}

void ChangeLog::remember(const std::string& run_path) {
  const fs::path run(run_path);
  if (valid_run_id(run.filename().string())) mark_memory(index_files(run.parent_path().string()));
}

bool remembers(const IndexFiles& files) {
  return ::access((files.folder + "/" + files.memory).c_str(), F_OK) == 0;
}

void mark_memory(const IndexFiles& files) {
  if (remembers(files)) return;
  const auto folder = open_real_dir(files.folder, false);
  if (!folder) return;
  folder->open(files.memory, Access::kCreate);
  folder->sync_dir("");
}

LogReading read_changes(const IndexFiles& files, const LogPosition& from) {
  LogReading reading;
  const auto path = files.changes_path();
  const auto log = open_log(path, O_RDONLY);
  if (!log.valid() || !wait_for_lock(log.get(), LockMode::kShared, kLogLockTimeoutMs, path)) {
    return reading;
  }
  const auto size = size_of(log.get());
  const auto generation = size ? read_generation(log.get()) : std::string();
  if (generation.empty()) return reading;
  const bool known = generation == from.generation && from.offset >= kHeaderSize;
  reading.end = {generation, known ? from.offset : kHeaderSize};
  if (*size < reading.end.offset) return LogReading();
  const bool whole = parse_marks(read_all(log.get(), reading.end.offset, *size), reading);
  if (!whole) reading.end.offset = *size;
  reading.continues = whole && known;
  return reading;
}

bool begin_changes(const IndexFiles& files, const std::string& generation) {
  const auto path = files.changes_path();
  auto log = open_log(path, O_RDWR | O_APPEND);
  if (!log.valid() && errno == ENOENT) {
    const auto folder = open_real_dir(files.folder, false);
    if (!folder) return false;
    folder->open(files.changes, Access::kCreate);  // a home that is shared shares it, too
    log = open_log(path, O_RDWR | O_APPEND);
  }
  if (!log.valid() || !size_of(log.get())) return false;
  if (!wait_for_lock(log.get(), LockMode::kExclusive, kLogLockTimeoutMs, path)) return false;
  if (!read_generation(log.get()).empty()) return true;
  return ::ftruncate(log.get(), 0) == 0 && write_line(log.get(), header_line(generation));
}

std::optional<LogPosition> trim_changes(const IndexFiles& files, const LogPosition& end,
                                        const std::string& generation) {
  const auto path = files.changes_path();
  const auto log = open_log(path, O_RDWR | O_APPEND);
  if (!log.valid() || !wait_for_lock(log.get(), LockMode::kExclusive, 0, path)) return std::nullopt;
  if (size_of(log.get()) != end.offset || read_generation(log.get()) != end.generation) {
    return std::nullopt;
  }
  if (::ftruncate(log.get(), 0) != 0 || !write_line(log.get(), header_line(generation))) {
    return std::nullopt;
  }
  return LogPosition{generation, kHeaderSize};
}

}  // namespace reprise
