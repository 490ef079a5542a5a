#include "cli/user_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "journal/error.h"

namespace reprise {
namespace {

class InputFile {
 public:
  explicit InputFile(int fd) : x_fd(fd) {}
  ~InputFile() {
    if (x_fd > STDERR_FILENO) ::close(x_fd);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  int get() const { return x_fd; }

 private:
  int x_fd;
};

/// How large a regular file is; 0 of what is none, a pipe, say.
size_t file_size(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  return static_cast<size_t>(info.st_size);
}

void check_size(size_t size, size_t most, const std::string& name) {
  if (size <= most) return;
  throw Error(
      Exit::kUsage, "FILE_TOO_LARGE",
      name + " is larger than " + std::to_string(most >> 20U) + " MiB",
      "leave large data in a file that the tasks read and write, and let the value name it");
}

std::string read_all(int fd, const std::string& name, size_t most) {
  const size_t size = file_size(fd);
  check_size(size, most, name);
  std::string text;
  text.reserve(size);
  std::array<char, size_t{64} * 1024> buffer{};
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EISDIR) {
      throw Error(Exit::kUsage, "NOT_A_FILE", name + " is a directory");
    }
    if (count < 0) throw system_error("read", name, errno);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<size_t>(count));
    check_size(text.size(), most, name);
  }
}

}  // namespace

std::string read_user_file(const std::string& name, const std::vector<std::string>& folders,
                           std::string_view flag, size_t most) {
  if (name == "-") return read_all(STDIN_FILENO, "standard input", most);
  std::string looked;
  for (const std::string& folder : folders) {
    std::string path = name;
    if (!name.starts_with('/')) path.insert(0, "/").insert(0, folder);
    const InputFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file.get() >= 0) return read_all(file.get(), path, most);
    if (errno != ENOENT && errno != ENOTDIR) throw system_error("open", path, errno);
    looked.append(looked.empty() ? "" : ", nor ").append(path);
    if (name.starts_with('/')) break;
  }
  throw Error(Exit::kNotFound, "FILE_NOT_FOUND",
              std::string(flag) + ": there is no file " + looked);
}

std::optional<std::string> read_source_file(const std::string& path) {
  // Non-blocking: a pipe planted in place of a source must not hang the command.
  const InputFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file.get() < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (file.get() < 0) throw system_error("open", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) throw system_error("stat", path, errno);
  if (!S_ISREG(info.st_mode)) {
    throw Error(Exit::kUsage, "NOT_A_FILE", path + " is no regular file");
  }
  return read_all(file.get(), path, kLargestUserFile);
}

std::string working_folder() {
  std::array<char, PATH_MAX> path{};
  if (::getcwd(path.data(), path.size()) == nullptr) {
    throw system_error("getcwd", "the working directory", errno);
  }
  return path.data();
}

}  // namespace reprise
