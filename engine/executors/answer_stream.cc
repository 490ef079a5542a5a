#include "engine/executors/answer_stream.h"

#include <cerrno>

#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

constexpr int64_t kReportWorkMs = 1000;

}  // namespace

AnswerStream::AnswerStream(const Work& work, const WorkEvents& events, const Redactor& redactor)
    : x_work(work), x_events(events), x_redactor(redactor), x_stream(redactor) {}

void AnswerStream::open() {
  if (x_work.run_dir.empty()) return;
  x_run = open_real_dir(x_work.run_dir, false);
  if (!x_run) throw system_error("open", x_work.run_dir, ENOENT);
  x_log.emplace(*x_run, x_work.effect, x_work.attempt, kTaskLogBytes);
}

void AnswerStream::write(bool is_error, std::string_view bytes) {
  if (bytes.empty()) return;
  if (x_events.output) x_events.output(is_error, bytes);
  if (x_log) x_log->write(is_error, bytes);
  if (!is_error) x_size += bytes.size();
}

void AnswerStream::text(std::string_view piece) { write(false, x_stream.feed(piece)); }

void AnswerStream::end_text() {
  write(false, x_stream.finish());
  if (x_size > x_whole) write(false, "\n");
  x_whole = x_size;
}

void AnswerStream::start_anew() {
  x_stream.finish();
  x_size = x_whole;
  if (x_log) x_log->cut_output(x_size);
}

void AnswerStream::notice(const std::string& sentence) {
  write(true, x_redactor.redact(sentence) + "\n");
}

void AnswerStream::progress(int64_t now_ms, uint64_t completion_tokens) {
  if (!x_events.progress || x_size == x_whole) return;
  if (x_reported_ms && now_ms - *x_reported_ms < kReportWorkMs) return;
  x_reported_ms = now_ms;
  JsonWriter report;
  report.text("state", "answering").number("bytes", x_size - x_whole);
  if (completion_tokens > 0) report.number("completionTokens", completion_tokens);
  x_events.progress(report.done());
}

AnswerStream::Logs AnswerStream::finish() {
  end_text();
  if (!x_log) return {};
  x_log->close();
  return {x_log->stdout_ref(), x_log->stderr_ref(), x_log->problem()};
}

}  // namespace reprise
