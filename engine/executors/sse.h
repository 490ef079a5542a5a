// Server-sent events, read as their bytes come (the WHATWG's format, as far as chat endpoints use
// it). How the bytes are cut into pieces makes no difference.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace reprise {

struct SseEvent {
  std::string type;  ///< of "event:"; mostly empty
  std::string data;  ///< its "data:" lines, joined by newlines
};

class SseParser {
 public:
  /// `take` gets each event when it is whole. Events without data are none.
  explicit SseParser(std::function<void(const SseEvent&)> take) : x_take(std::move(take)) {}

  void feed(std::string_view bytes);
  /// The stream is over: an event without its closing blank line counts, since servers forget that
  /// line; a line without its end does not: it may be cut off.
  void finish();

 private:
  void end_line();
  void end_event();

  std::function<void(const SseEvent&)> x_take;
  std::string x_line;
  SseEvent x_event;
  bool x_has_data = false;
  bool x_after_cr = false;  ///< a newline now belongs to the line that has ended
  bool x_first_line = true;
};

}  // namespace reprise
