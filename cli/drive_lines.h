// What a drive does, as lines: one JSON document an event, or plain text for people without a
// terminal.
#pragma once

#include <string>

#include "cli/reply.h"
#include "engine/drive/drive.h"

namespace reprise {

/// One document an event: docs/driving.md, schemas/commands/run-drive.schema.json.
class JsonDriveLines final : public DriveListener {
 public:
  void started(const DriveWork& work) override;
  void output(const DriveWork& work, bool is_error, std::string_view bytes) override;
  void progress(const DriveWork& work, std::string_view json) override;
  void finished(const DriveWork& work, const Post& post, const Posted& posted) override;
  void dropped(const DriveWork& work, const std::string& why) override;
  void expired(const DriveWork& work, int64_t at_ms) override;
  void stopping(const std::string& run, size_t running) override;
  void logged(const std::string& run, const std::vector<LogLine>& lines) override;
  void noted(const std::string& run, const std::string& note) override;
  bool idle(std::span<const DrivenRun>) override { return false; }
};

/// The texts of these events for people, each a line without its end.
std::string started_line(const Style& style, const DriveWork& work);
std::string finished_line(const Style& style, const DriveWork& work, const Post& post,
                          const Posted& posted);
std::string dropped_line(const Style& style, const DriveWork& work, const std::string& why);
std::string expired_line(const Style& style, const DriveWork& work, int64_t at_ms);
std::string stopping_line(const Style& style, size_t running);
std::string log_line(const Style& style, const LogLine& line);

class TextDriveLines final : public DriveListener {
 public:
  explicit TextDriveLines(Style style) : x_style(style) {}

  void started(const DriveWork& work) override;
  void output(const DriveWork&, bool, std::string_view) override {}
  void progress(const DriveWork&, std::string_view) override {}
  void finished(const DriveWork& work, const Post& post, const Posted& posted) override;
  void dropped(const DriveWork& work, const std::string& why) override;
  void expired(const DriveWork& work, int64_t at_ms) override;
  void stopping(const std::string& run, size_t running) override;
  void logged(const std::string& run, const std::vector<LogLine>& lines) override;
  void noted(const std::string& run, const std::string& note) override;
  bool idle(std::span<const DrivenRun>) override { return false; }

 private:
  Style x_style;
};

/// Nothing is said before the end.
class SilentDrive final : public DriveListener {
 public:
  void started(const DriveWork&) override {}
  void output(const DriveWork&, bool, std::string_view) override {}
  void progress(const DriveWork&, std::string_view) override {}
  void finished(const DriveWork&, const Post&, const Posted&) override {}
  void dropped(const DriveWork&, const std::string&) override {}
  void expired(const DriveWork&, int64_t) override {}
  void stopping(const std::string&, size_t) override {}
  void logged(const std::string&, const std::vector<LogLine>&) override {}
  void noted(const std::string&, const std::string&) override {}
  bool idle(std::span<const DrivenRun>) override { return false; }
};

}  // namespace reprise
