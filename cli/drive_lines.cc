#include "cli/drive_lines.h"

#include "cli/document.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "engine/approval.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr size_t kLineLabelWidth = 60;
constexpr size_t kFailureWidth = 160;

Document event(const char* name, const std::string& run) {
  Document document = new_document();
  document["event"] = name;
  document["runId"] = run;
  return document;
}

Document event(const char* name, const DriveWork& work) {
  Document document = event(name, work.run);
  document["effectId"] = format_effect_id(work.effect.id);
  document["attempt"] = work.effect.attempt;
  return document;
}

void print_document(const Document& document) { write_out(print_json(document) + "\n"); }

// "r t3 build"
std::string name_of(const Style& style, const DriveWork& work) {
  return shown(work.run) + " " + paint(style, Colour::kBold, format_effect_id(work.effect.id)) +
         " " + shown(work.effect.label, kLineLabelWidth);
}

}  // namespace

void JsonDriveLines::started(const DriveWork& work) {
  Document document = event("started", work);
  document["at"] = format_time(work.started_at_ms);
  document["taskId"] = work.effect.task;
  document["kind"] = work.effect.kind;
  document["label"] = work.effect.label;
  document["executor"] = work.executor;
  print_document(document);
}

void JsonDriveLines::output(const DriveWork& work, bool is_error, std::string_view bytes) {
  Document document = event("output", work);
  document["stream"] = is_error ? "stderr" : "stdout";
  document["text"] = std::string(bytes);
  print_document(document);
}

void JsonDriveLines::progress(const DriveWork& work, std::string_view json) {
  Document document = event("progress", work);
  document["progress"] = raw_json(json);
  print_document(document);
}

void JsonDriveLines::finished(const DriveWork& work, const Post& post, const Posted& posted) {
  Document document = event("finished", work);
  document["at"] = format_time(posted.at_ms);
  document["status"] = post.ok ? "ok" : "error";
  document["recorded"] = posted.recorded;
  if (!post.ok) document["error"] = raw_json(post.value.text);
  if (posted.followup.again) {
    document["retry"] = {{"attempt", posted.effect.attempt + 1}};
    if (!posted.followup.held.empty()) document["retry"]["held"] = posted.followup.held;
  }
  print_document(document);
}

void JsonDriveLines::dropped(const DriveWork& work, const std::string& why) {
  Document document = event("dropped", work);
  document["reason"] = why;
  print_document(document);
}

void JsonDriveLines::expired(const DriveWork& work, int64_t at_ms) {
  Document document = event("expired", work);
  document["at"] = format_time(at_ms);
  document["timeoutMs"] = work.effect.timeout_ms;
  print_document(document);
}

void JsonDriveLines::stopping(const std::string& run, size_t running) {
  Document document = event("stopping", run);
  document["running"] = running;
  print_document(document);
}

void JsonDriveLines::logged(const std::string& run, const std::vector<LogLine>& lines) {
  for (const LogLine& line : lines) {
    Document document = event("log", run);
    document["at"] = format_time(line.at_ms);
    document["label"] = line.label;
    document["message"] = raw_json(line.message);
    print_document(document);
  }
}

void JsonDriveLines::noted(const std::string& run, const std::string& note) {
  Document document = event("note", run);
  document["message"] = note;
  print_document(document);
}

std::string started_line(const Style& style, const DriveWork& work) {
  std::string line = paint(style, Colour::kBlue, "start") + "  " + name_of(style, work) + "  " +
                     paint(style, Colour::kDim, shown(work.executor));
  if (work.effect.attempt > 1) line += ", attempt " + std::to_string(work.effect.attempt);
  return line;
}

std::string finished_line(const Style& style, const DriveWork& work, const Post& post,
                          const Posted& posted) {
  const std::string status = post.ok ? "ok" : "error";
  std::string line = paint(style, status_colour(status), post.ok ? "ok   " : "error") + "  " +
                     name_of(style, work) + "  " + duration_text(posted.at_ms - work.started_at_ms);
  if (!post.ok) line += "  " + shown(text_member(post.value.text, "message"), kFailureWidth);
  if (posted.followup.again) {
    line += posted.followup.held.empty() ? ", is tried again" : ", waits for a person";
  }
  return line;
}

std::string dropped_line(const Style& style, const DriveWork& work, const std::string& why) {
  return paint(style, Colour::kYellow, "drop ") + "  " + name_of(style, work) + "  " +
         shown(why, kFailureWidth);
}

std::string expired_line(const Style& style, const DriveWork& work, int64_t at_ms) {
  return paint(style, Colour::kRed, "error") + "  " + name_of(style, work) + "  " +
         duration_text(at_ms - work.started_at_ms) + "  timed out after " +
         duration_text(work.effect.timeout_ms);
}

std::string stopping_line(const Style& style, size_t running) {
  return paint(style, Colour::kYellow, "stopping") + " " +
         counted(running, "piece of work", "pieces of work") +
         " ...  what ignores SIGTERM is killed after its grace";
}

std::string log_line(const Style& style, const LogLine& line) {
  const std::string message = get_pointer(raw_json(line.message), "").value_or(line.message);
  return paint(style, Colour::kDim, line.label.empty() ? "log" : shown(line.label)) + ": " +
         shown(message, kFailureWidth);
}

void TextDriveLines::started(const DriveWork& work) {
  write_out(started_line(x_style, work) + "\n");
}

void TextDriveLines::finished(const DriveWork& work, const Post& post, const Posted& posted) {
  write_out(finished_line(x_style, work, post, posted) + "\n");
}

void TextDriveLines::dropped(const DriveWork& work, const std::string& why) {
  write_out(dropped_line(x_style, work, why) + "\n");
}

void TextDriveLines::expired(const DriveWork& work, int64_t at_ms) {
  write_out(expired_line(x_style, work, at_ms) + "\n");
}

void TextDriveLines::stopping(const std::string&, size_t running) {
  write_out(stopping_line(x_style, running) + "\n");
}

void TextDriveLines::logged(const std::string&, const std::vector<LogLine>& lines) {
  for (const LogLine& line : lines) write_out(log_line(x_style, line) + "\n");
}

void TextDriveLines::noted(const std::string& run, const std::string& note) {
  write_err("reprise: " + shown(run) + ": " + shown(note) + "\n");
}

}  // namespace reprise
