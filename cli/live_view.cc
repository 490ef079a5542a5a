#include "cli/live_view.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cli/drive_lines.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "engine/approval.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr int64_t kRepaintMs = 100;
constexpr size_t kWorkLabelWidth = 24;
constexpr size_t kPartialBytes = 400;
constexpr size_t kWaitingShown = 20;
constexpr size_t kLiveQuestionWidth = 200;
constexpr std::string_view kClearLine = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";

std::string key_of(const DriveWork& work) {
  return work.run + "/" + format_effect_id(work.effect.id);
}

// "0:04", "12:30", "1:02:03"
std::string stopwatch(int64_t ms) {
  const int64_t seconds = std::max<int64_t>(ms, 0) / 1000;
  const auto two = [](int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string end = two(seconds / 60 % 60) + ":" + two(seconds % 60);
  if (seconds >= 3600) return std::to_string(seconds / 3600) + ":" + end;
  return std::to_string(seconds / 60) + ":" + two(seconds % 60);
}

std::string padded(const std::string& text, size_t width) {
  const size_t has = width_of(text);
  return has < width ? text + std::string(width - has, ' ') : text;
}

TerminalSize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20 || size.ws_row < 4) {
    return {};
  }
  return {size.ws_col, size.ws_row};
}

std::string waiting_text(const OpenEffect& effect, int64_t now_ms) {
  if (!effect.held.empty()) return "is held until a person lets it go on: " + shown(effect.label);
  if (effect.kind == kSleepKind) return "sleeps until " + format_time(effect.due_ms);
  if (effect.available_at_ms > now_ms) {
    return "is tried again at " + format_time(effect.available_at_ms) + ": " + shown(effect.label);
  }
  if (effect.claim) return "is done by " + shown(effect.claim->worker) + ": " + shown(effect.label);
  if (effect.kind == kRunKind || effect.kind == kRunSignalKind) return {};
  return "waits: " + shown(effect.kind) + " " + shown(effect.label);
}

// Of plain text.
std::string cut_to_columns(const std::string& text, size_t columns) {
  return width_of(text) <= columns ? text : shown(text, columns);
}

}  // namespace

void LiveView::started(const DriveWork& work) {
  if (x_began_ms == 0) x_began_ms = work.started_at_ms;
  x_running[key_of(work)] = {work, {}, {}};
}

void LiveView::output(const DriveWork& work, std::string_view bytes) {
  const auto found = x_running.find(key_of(work));
  if (found == x_running.end()) return;
  auto& [of, last_line, partial] = found->second;
  partial += bytes;
  if (const size_t end = partial.find_last_not_of("\r\n"); end != std::string::npos) {
    const size_t begin = partial.find_last_of("\r\n", end);
    last_line = shown(partial.substr(begin == std::string::npos ? 0 : begin + 1,
                                     end - (begin == std::string::npos ? 0 : begin + 1) + 1),
                      200);
  }
  if (partial.size() > kPartialBytes) partial.erase(0, partial.size() - kPartialBytes);
}

void LiveView::ended(const DriveWork& work) {
  if (x_running.erase(key_of(work)) > 0) ++x_done;
}

void LiveView::see(std::span<const DrivenRun> runs, int64_t now_ms) {
  x_waiting.clear();
  if (!runs.empty()) x_run = shown(runs.front().name);
  for (const DrivenRun& run : runs) {
    if (run.state.end) continue;
    for (const auto& [id, effect] : run.state.open) {
      if (x_waiting.size() == kWaitingShown) return;
      const std::string name = run.name + "/" + format_effect_id(id);
      if (x_running.contains(name)) continue;
      std::string what = effect.kind == "breakpoint" ? "asks people: " + question(run, effect)
                                                     : waiting_text(effect, now_ms);
      if (!what.empty()) x_waiting.push_back({format_effect_id(id), std::move(what)});
    }
  }
}

// Read once: the block is painted several times a second.
const std::string& LiveView::question(const DrivenRun& run, const OpenEffect& effect) {
  const std::string name = run.name + "/" + format_effect_id(effect.id);
  const auto [found, added] = x_questions.try_emplace(name);
  if (added) {
    try {
      JsonReader reader;
      found->second = shown(title_of(run.dir, effect, reader), kLiveQuestionWidth);
    } catch (const Error&) {
      found->second = shown(effect.label, kLiveQuestionWidth);  // what is wrong there others say
    }
  }
  return found->second;
}

std::string LiveView::headline(int64_t now_ms) const {
  return x_run + "  " + std::to_string(x_done) + " done, " + std::to_string(x_running.size()) +
         " running, " + std::to_string(x_waiting.size()) + " waiting  " +
         stopwatch(x_began_ms == 0 ? 0 : now_ms - x_began_ms) +
         (x_stopping && !x_running.empty() ? "  stopping ..." : "");
}

std::vector<LiveView::Line> LiveView::block(const TerminalSize& size, int64_t now_ms) const {
  const size_t columns = size.columns - 1;
  const size_t most = std::max<size_t>(size.rows / 2, 2);
  std::vector<Line> lines = {{cut_to_columns(headline(now_ms), columns), Colour::kBold}};
  size_t left_out = 0;
  const auto add = [&](Colour colour, const std::string& text) {
    if (lines.size() + 1 >= most) {
      ++left_out;
    } else {
      lines.push_back({cut_to_columns(text, columns), colour});
    }
  };
  for (const auto& [key, running] : x_running) {
    const auto& work = running.work;
    add(Colour::kPlain, "  " + padded(format_effect_id(work.effect.id), 4) + " " +
                            padded(shown(work.effect.label, kWorkLabelWidth), kWorkLabelWidth) +
                            " " + padded(stopwatch(now_ms - work.started_at_ms), 5) + "  " +
                            running.last_line);
  }
  for (const Waiting& waiting : x_waiting) {
    add(Colour::kYellow, "  " + padded(waiting.effect, 4) + " " + waiting.what);
  }
  if (left_out > 0) lines.push_back({"  and " + std::to_string(left_out) + " more"});
  return lines;
}

LiveDrive::~LiveDrive() {
  if (x_painted.empty() && x_said.empty()) return;
  write_out(to_top(terminal_size()) + std::string(kClearBelow) + x_said);
}

void LiveDrive::started(const DriveWork& work) { x_view.started(work); }

void LiveDrive::output(const DriveWork& work, bool, std::string_view bytes) {
  x_view.output(work, bytes);
}

void LiveDrive::finished(const DriveWork& work, const Post& post, const Posted& posted) {
  x_view.ended(work);
  say(finished_line(x_style, work, post, posted));
}

void LiveDrive::dropped(const DriveWork& work, const std::string& why) {
  x_view.ended(work);
  say(dropped_line(x_style, work, why));
}

void LiveDrive::expired(const DriveWork& work, int64_t at_ms) {
  x_view.ended(work);
  say(expired_line(x_style, work, at_ms));
}

void LiveDrive::stopping(const std::string&, size_t running) {
  x_view.stopping();
  say(stopping_line(x_style, running));
}

void LiveDrive::logged(const std::string&, const std::vector<LogLine>& lines) {
  for (const LogLine& line : lines) say(log_line(x_style, line));
}

void LiveDrive::noted(const std::string& run, const std::string& note) {
  say(paint(x_style, Colour::kYellow, "note ") + "  " + shown(run) + ": " + shown(note, 300));
}

void LiveDrive::say(const std::string& line) { x_said += line + "\n"; }

bool LiveDrive::idle(std::span<const DrivenRun> runs) {
  const int64_t now_ms = x_clock.now_ms();
  if (x_painted_ms != 0 && now_ms >= x_painted_ms && now_ms < x_painted_ms + kRepaintMs) {
    return false;
  }
  x_painted_ms = now_ms;
  x_view.see(runs, now_ms);
  paint_block();
  return false;
}

// One write, each line cleared behind its text and never before it: nothing flickers.
void LiveDrive::paint_block() {
  const TerminalSize size = terminal_size();
  const auto block = x_view.block(size, x_clock.now_ms());
  std::string out = to_top(size);
  for (size_t begin = 0; begin < x_said.size();) {
    const size_t end = x_said.find('\n', begin);
    out += x_said.substr(begin, end - begin);
    out.append(kClearLine).append("\n");
    begin = end + 1;
  }
  x_said.clear();
  x_painted.clear();
  for (const auto& [text, colour] : block) {
    out.append(paint(x_style, colour, text)).append(kClearLine).append("\n");
    x_painted.push_back(width_of(text));
  }
  write_out(out + std::string(kClearBelow));
}

// Where the terminal became narrower, lines have wrapped.
std::string LiveDrive::to_top(const TerminalSize& size) const {
  size_t rows = 0;
  for (const size_t width : x_painted)
    rows += width <= size.columns ? 1 : 1 + (width - 1) / size.columns;
  return rows == 0 ? std::string() : "\x1b[" + std::to_string(rows) + "A\r";
}

}  // namespace reprise
