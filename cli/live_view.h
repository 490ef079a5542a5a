// The live view of a drive on a terminal: what is done scrolls by above; below, repainted in place,
// what runs, for how long, its last line of output, and what waits for whom.
//
// It changes no mode of the terminal and hides no cursor, so that nothing has to be restored
// however the program ends.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cli/text.h"
#include "engine/drive/drive.h"
#include "journal/clock.h"

namespace reprise {

struct TerminalSize {
  size_t columns = 80;
  size_t rows = 24;
};

/// What is painted, without a terminal: tests look at it.
class LiveView {
 public:
  struct Line {
    std::string text;
    Colour colour = Colour::kPlain;
  };

  void started(const DriveWork& work);
  void output(const DriveWork& work, std::string_view bytes);
  /// It runs no longer.
  void ended(const DriveWork& work);
  /// What runs was told to end.
  void stopping() { x_stopping = true; }
  void see(std::span<const DrivenRun> runs, int64_t now_ms);

  /// The lines of the block, each at most `size.columns - 1` wide, at most half the rows.
  std::vector<Line> block(const TerminalSize& size, int64_t now_ms) const;

 private:
  struct Running {
    DriveWork work;
    std::string last_line;  ///< safe to show
    std::string partial;    ///< after it, without its end
  };
  struct Waiting {
    std::string effect;
    std::string what;
  };
  std::string headline(int64_t now_ms) const;
  /// Safe to show.
  const std::string& question(const DrivenRun& run, const OpenEffect& effect);

  std::map<std::string, Running> x_running;  ///< by run and effect
  std::vector<Waiting> x_waiting;
  std::string x_run;
  std::map<std::string, std::string> x_questions;  ///< of breakpoints, by run and effect
  bool x_stopping = false;
  uint64_t x_done = 0;
  int64_t x_began_ms = 0;
};

/// Paints a LiveView on standard output.
class LiveDrive : public DriveListener {
 public:
  LiveDrive(Style style, Clock& clock) : x_style(style), x_clock(clock) {}
  /// Takes the block away.
  ~LiveDrive() override;

  void started(const DriveWork& work) override;
  void output(const DriveWork& work, bool is_error, std::string_view bytes) override;
  void progress(const DriveWork&, std::string_view) override {}
  void finished(const DriveWork& work, const Post& post, const Posted& posted) override;
  void dropped(const DriveWork& work, const std::string& why) override;
  void expired(const DriveWork& work, int64_t at_ms) override;
  void stopping(const std::string& run, size_t running) override;
  void logged(const std::string& run, const std::vector<LogLine>& lines) override;
  void noted(const std::string& run, const std::string& note) override;
  bool idle(std::span<const DrivenRun> runs) override;

 private:
  void say(const std::string& line);
  void paint_block();
  std::string to_top(const TerminalSize& size) const;

  Style x_style;
  Clock& x_clock;
  LiveView x_view;
  std::string x_said;             ///< lines to be printed above the block
  std::vector<size_t> x_painted;  ///< the widths of the block's lines as they stand there
  int64_t x_painted_ms = 0;
};

}  // namespace reprise
