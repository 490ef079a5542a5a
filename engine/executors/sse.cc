#include "engine/executors/sse.h"

namespace reprise {

void SseParser::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (x_after_cr && bytes.front() == '\n') bytes.remove_prefix(1);
    x_after_cr = false;
    const auto end = bytes.find_first_of("\r\n");
    x_line += bytes.substr(0, end);
    if (end == std::string_view::npos) return;
    x_after_cr = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line();
  }
}

void SseParser::finish() { end_event(); }

void SseParser::end_line() {
  std::string_view line = x_line;
  if (x_first_line && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  x_first_line = false;
  if (line.empty()) {
    end_event();
    x_line.clear();
    return;
  }
  const auto colon = line.find(':');
  const auto name = line.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  // "error: {...}" is how llama.cpp's server has said that it failed.
  if (name == "data" || name == "error") {
    if (x_has_data) x_event.data += '\n';
    x_event.data += value;
    x_has_data = true;
    if (name == "error") x_event.type = name;
  } else if (name == "event") {
    x_event.type = value;
  }
  x_line.clear();
}

void SseParser::end_event() {
  const bool whole = x_has_data;
  const SseEvent event = std::move(x_event);
  x_event = {};
  x_has_data = false;
  if (whole) x_take(event);
}

}  // namespace reprise
