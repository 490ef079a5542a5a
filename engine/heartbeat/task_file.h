// HEARTBEAT.md of a home: tasks, one a line.
//
//   Headings ("# ..."), rules ("---"), comments ("<!-- ... -->") and blank lines say nothing. List
//   marks ("- ", "* ", "+ ", "1. ") and an empty box ("[ ] ") are stripped; a line with a ticked
//   box ("[x] ") is done, and no task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

constexpr size_t kLargestTaskFile = size_t{256} * 1024;
constexpr size_t kMostFileTasks = 200;
constexpr size_t kMostFileTitleBytes = 500;

struct TaskFile {
  std::string digest;                ///< of what it says; empty: it cannot be used
  std::vector<std::string> titles;   ///< in order, each once
  std::vector<std::string> notices;  ///< for people: what of it cannot be used, and why
};

/// Of the text of a file.
TaskFile parse_task_file(std::string_view text);

/// HEARTBEAT.md below this folder. A home without one has one that is empty. What cannot be read,
/// is too large or no UTF-8 is a notice, never an error.
TaskFile read_task_file(const std::string& home);

}  // namespace reprise
