// The logs of a task: what the program that performs an attempt writes to its two streams, kept as
// bytes while it comes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "journal/files.h"

namespace reprise {

/// Of each stream.
constexpr uint64_t kTaskLogBytes = uint64_t{16} << 20U;

/// Relative to the run: "tasks/t1/stdout.log", of a later attempt "tasks/t1/stdout.2.log".
std::string task_log_path(std::string_view effect, uint32_t attempt, std::string_view stream);

class TaskLog {
 public:
  /// Makes both files anew; keeps a reference to the run.
  TaskLog(Dir& run, const std::string& effect, uint32_t attempt, uint64_t limit_bytes);

  /// What is beyond the limit is counted and dropped; the log's last line will say so. A disk that
  /// refuses it ends the log, not the work.
  void write(bool is_error, std::string_view bytes);
  /// Of what was written to standard output, only the first `bytes` remain.
  void cut_output(uint64_t bytes);
  /// Files and names are durable when it returns.
  void close();

  /// Empty when the disk refused it, and nobody shall rely on it.
  std::string stdout_ref() const { return x_out.path; }
  std::string stderr_ref() const { return x_err.path; }
  bool whole(bool is_error) const { return (is_error ? x_err : x_out).dropped == 0; }
  /// What the disk said; empty: nothing.
  const std::string& problem() const { return x_problem; }

 private:
  struct Stream {
    std::string path;
    std::unique_ptr<File> file;
    uint64_t size = 0;
    uint64_t dropped = 0;
  };
  void open(Stream& stream, std::string path);
  template <typename Action>
  void attempt(Stream& stream, Action action);

  Dir& x_run;
  std::string x_folder;
  uint64_t x_limit;
  Stream x_out;
  Stream x_err;
  std::string x_problem;
};

}  // namespace reprise
