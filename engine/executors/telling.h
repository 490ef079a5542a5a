// What is told of an answer while it comes: its text to the effect's log and to those who watch,
// and how far it is. Secrets are taken out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/executors/executor.h"
#include "engine/executors/secret.h"
#include "engine/task_log.h"

namespace reprise {

class Telling {
 public:
  /// The logs of the task, relative to the run; empty where there is none.
  struct Refs {
    std::string out;
    std::string err;
  };

  /// The logs are made with the first bytes; without a run there are none. What is given must
  /// outlive this.
  Telling(const Work& work, const WorkEvents& events, const Redactor& redactor);

  void text(std::string_view piece);
  /// The answer is whole: what comes now is another one, behind it.
  void end_text();
  /// The text of this answer came to nothing, and begins anew.
  void start_anew();
  /// What is worth knowing besides: a line of the error log.
  void notice(const std::string& sentence);
  /// When there is text, and at most once a second, counted with `now_ms` of a clock that only goes
  /// forward.
  void progress(int64_t now_ms, uint64_t completion_tokens);
  /// Makes the logs durable.
  Refs finish();

 private:
  void write(bool is_error, std::string_view bytes);

  const Work& x_work;
  const WorkEvents& x_events;
  const Redactor& x_redactor;
  RedactedStream x_stream;
  std::unique_ptr<Dir> x_run;
  std::optional<TaskLog> x_log;
  uint64_t x_size = 0;   ///< of the text that was told
  uint64_t x_whole = 0;  ///< of the whole answers in it
  std::optional<int64_t> x_reported_ms;
};

}  // namespace reprise
