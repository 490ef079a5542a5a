#include "journal/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "journal/error.h"

namespace reprise {

namespace {

Error invalid_path(std::string_view path, std::string_view reason) {
  return Error(
      Exit::kUsage, "INVALID_PATH",
      "the path \"" + std::string(path.substr(0, path.find('\0'))) + "\" " + std::string(reason),
      "paths inside a run are relative and stay below it");
}

void write_all(File& file, std::string_view bytes) {
  size_t done = 0;
  do {
    const auto piece = bytes.substr(done, kPieceBytes);
    file.write_at(done, piece);
    done += piece.size();
  } while (done < bytes.size());
}

}  // namespace

void check_path(std::string_view path) {
  if (path.empty()) throw invalid_path(path, "is empty");
  if (path.find('\0') != std::string_view::npos) throw invalid_path(path, "holds a NUL");
  if (path.front() == '/') throw invalid_path(path, "is absolute");
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty()) throw invalid_path(path, "holds an empty component");
    if (part == "." || part == "..") throw invalid_path(path, "holds a . or .. component");
    begin = end + 1;
  }
}

std::optional<std::string> read_file(Dir& dir, std::string_view path) {
  const std::unique_ptr<File> file = dir.open(path, Access::kRead);
  if (!file) return std::nullopt;
  std::string bytes(static_cast<size_t>(file->stat().size), '\0');
  bytes.resize(file->read_at(0, bytes.data(), bytes.size()));
  return bytes;
}

void replace_file(Dir& dir, std::string_view path, std::string_view bytes, bool durable) {
  // The pid keeps two processes that replace the same file apart; a leftover with our pid is a dead
  // one's.
  const std::string aside = std::string(path) + '.' + std::to_string(getpid()) + ".tmp";
  std::unique_ptr<File> file = dir.open(aside, Access::kCreateNew);
  if (!file) {
    dir.remove(aside);
    file = dir.open(aside, Access::kCreateNew);
    if (!file) throw system_error("create", aside, EEXIST);
  }
  try {
    write_all(*file, bytes);
    if (durable) file->sync();
    dir.rename(aside, path, true);
  } catch (const Error&) {
    try {
      dir.remove(aside);
    } catch (const Error&) {
      // The first error says what is wrong.
    }
    throw;
  }
  if (!durable) return;
  const size_t slash = path.rfind('/');
  dir.sync_dir(slash == std::string_view::npos ? "" : path.substr(0, slash));
}

void write_new_file(Dir& dir, std::string_view path, std::string_view bytes, bool durable) {
  const std::unique_ptr<File> file = dir.open(path, Access::kCreateNew);
  if (!file) throw system_error("create", path, EEXIST);
  file->write_at(0, bytes);
  if (durable) file->sync();
}

}  // namespace reprise
