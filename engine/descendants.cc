#include "engine/descendants.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/descriptor.h"

namespace reprise {

namespace {

/// The parent of a living process; 0 when it has ended.
pid_t parent_pid_of(const char* name) {
  const Descriptor file(
      ::open(("/proc/" + std::string(name) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 512> buffer{};
  const auto size = file.is_open() ? ::read(file.get(), buffer.data(), buffer.size()) : 0;
  const std::string_view text(buffer.data(), size > 0 ? static_cast<size_t>(size) : 0);
  // "PID (NAME) STATE PARENT ...": the name may hold anything.
  const auto name_end = text.rfind(") ");
  if (name_end == std::string_view::npos || name_end + 4 >= text.size()) return 0;
  const char state = text[name_end + 2];
  if (state == 'Z' || state == 'X') return 0;
  pid_t parent = 0;
  std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  return parent;
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  while (folder != nullptr) {
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    pid_t pid = 0;
    std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), pid);
    if (pid <= 0) continue;
    if (const auto parent = parent_pid_of(entry->d_name)) found.emplace(parent, pid);
  }
  return found;
}

}  // namespace

Subreaper::Subreaper() {
  ::prctl(PR_GET_CHILD_SUBREAPER, &x_before);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Subreaper::~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, x_before); }

std::vector<pid_t> living_descendants(const std::vector<pid_t>& spared) {
  const auto children = children_by_parent();
  std::vector<pid_t> found = {::getpid()};
  for (size_t i = 0; i < found.size(); i++) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto child = begin; child != end; ++child) {
      if (std::ranges::find(spared, child->second) == spared.end()) found.push_back(child->second);
    }
  }
  found.erase(found.begin());
  return found;
}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace reprise
