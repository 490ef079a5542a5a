// The text of a model's answer while it comes: to the effect's log and to those who watch, with
// reports of how far it is. Secrets are taken out.
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

class AnswerStream {
 public:
  /// The logs of the task.
  struct Logs {
    std::string out;  ///< relative to the run; empty where there is none
    std::string err;
    std::string problem;  ///< why a log is not kept; empty: it is, or there is no run
  };

  /// What is given must outlive this.
  AnswerStream(const Work& work, const WorkEvents& events, const Redactor& redactor);

  /// Makes the logs; without a run there are none. To be called before anything is asked: an
  /// endpoint is not paid for an attempt whose log cannot be made. Throws Error, LOG_IN_USE when
  /// somebody else performs the same attempt.
  void open();
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
  /// Makes the logs durable. A disk that refuses what is written ends a log, not the work.
  Logs finish();

 private:
  void write(bool is_error, std::string_view bytes);

  const Work& x_work;
  const WorkEvents& x_events;
  const Redactor& x_redactor;
  RedactedStream x_stream;
  std::unique_ptr<Dir> x_run;
  std::optional<TaskLog> x_log;
  uint64_t x_size = 0;   ///< of the text so far
  uint64_t x_whole = 0;  ///< of the whole answers in it
  std::optional<int64_t> x_reported_ms;
};

}  // namespace reprise
