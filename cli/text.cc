#include "cli/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace reprise {
namespace {

// The code point that begins at `at` and its length; length 0 when the bytes there are no UTF-8.
struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;
};

CodePoint code_point(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return {};
  uint32_t value = lead & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    value = value << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[length] || value > 0x10ffff || surrogate) return {};
  return {value, length};
}

// Characters that steer a terminal or reorder or hide what stands around them.
bool steers(uint32_t c) {
  const auto in = [c](uint32_t first, uint32_t last) { return c >= first && c <= last; };
  return c < 0x20 || in(0x7f, 0x9f) || c == 0xad || c == 0x61c || in(0x200b, 0x200f) ||
         in(0x2028, 0x202e) || in(0x2060, 0x206f) || c == 0xfeff || in(0xfff9, 0xfffb) ||
         in(0xe0000, 0xe007f);
}

std::string escape(uint32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), c < 0x100 ? "\\x%02x" : "\\u%04x", c);
  return buffer.data();
}

}  // namespace

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shown(std::string_view data) {
  std::string out;
  out.reserve(data.size());
  for (size_t i = 0; i < data.size();) {
    const CodePoint c = code_point(data, i);
    if (c.length == 0) {
      out += escape(static_cast<uint8_t>(data[i]));
      i += 1;
    } else if (steers(c.value)) {
      out += escape(c.value);
      i += c.length;
    } else {
      out.append(data.substr(i, c.length));
      i += c.length;
    }
  }
  return out;
}

std::string shown_lines(std::string_view data) {
  std::string out;
  while (!data.empty()) {
    const auto end = std::min(data.find_first_of("\n\t"), data.size());
    out += shown(data.substr(0, end));
    out += data.substr(end, 1);
    data.remove_prefix(std::min(end + 1, data.size()));
  }
  return out;
}

std::string shown(std::string_view data, size_t width) {
  // Four bytes a character are enough to know the first `width` ones.
  std::string out = shown(data.substr(0, std::min(data.size(), 4 * width + 4)));
  if (width_of(out) <= width) return out;
  size_t end = 0;
  for (size_t columns = 0; columns + 3 < width; ++columns) end += code_point(out, end).length;
  return out.substr(0, end) + "...";
}

std::string paint(const Style& style, Colour colour, std::string_view text) {
  if (!style.colour || colour == Colour::kPlain || text.empty()) return std::string(text);
  constexpr std::array<const char*, 7> kCodes = {"0", "1", "2", "31", "32", "33", "34"};
  return std::string("\x1b[") + kCodes[static_cast<size_t>(colour)] + "m" + std::string(text) +
         "\x1b[0m";
}

Colour status_colour(std::string_view status) {
  if (status == "completed" || status == "ok" || status == "resolved_ok") return Colour::kGreen;
  if (status == "failed" || status == "error" || status == "resolved_error") return Colour::kRed;
  if (status == "halted" || status == "cancelled" || status == "waiting" || status == "requested") {
    return Colour::kYellow;
  }
  return status == "ready" ? Colour::kBlue : Colour::kPlain;
}

std::string headline(const Style& style, std::string_view run, std::string_view status,
                     std::string_view reason) {
  std::string line =
      paint(style, Colour::kBold, shown(run)) + "  " + paint(style, status_colour(status), status);
  if (!reason.empty() && reason != status) line += "  " + shown(reason);
  return line + "\n";
}

std::string duration_text(int64_t ms) {
  ms = std::max<int64_t>(ms, 0);
  constexpr int64_t kSecond = 1000;
  constexpr int64_t kMinute = 60 * kSecond;
  constexpr int64_t kHour = 60 * kMinute;
  constexpr int64_t kDay = 24 * kHour;
  const auto two = [ms](int64_t large, const char* name, int64_t small, const char* small_name) {
    return std::to_string(ms / large) + name + std::to_string(ms % large / small) + small_name;
  };
  if (ms < kSecond) return std::to_string(ms) + " ms";
  if (ms < kMinute) {
    return std::to_string(ms / kSecond) + "." + std::to_string(ms % kSecond / 100) + " s";
  }
  if (ms < kHour) return two(kMinute, " m ", kSecond, " s");
  return ms < kDay ? two(kHour, " h ", kMinute, " m") : two(kDay, " d ", kHour, " h");
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xc0U) != 0x80; }));
}

void Columns::fit(const Row& row) {
  x_widths.resize(std::max(x_widths.size(), row.size()), 0);
  for (size_t i = 0; i < row.size(); ++i) {
    x_widths[i] = std::max(x_widths[i], width_of(row[i].text));
  }
}

std::string Columns::line(const Row& row, const Style& style, std::string_view indent) const {
  std::string out(indent);
  for (size_t i = 0; i < row.size(); ++i) {
    out += paint(style, row[i].colour, row[i].text);
    if (i + 1 < row.size()) out.append(x_widths[i] - width_of(row[i].text) + 2, ' ');
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out + '\n';
}

std::string Table::print(const Style& style, std::string_view indent) const {
  Columns columns;
  for (const Row& row : x_rows) columns.fit(row);
  std::string out;
  for (const Row& row : x_rows) out += columns.line(row, style, indent);
  return out;
}

std::string wrapped(std::string_view paragraph, size_t width, std::string_view indent) {
  std::string out;
  while (!paragraph.empty()) {
    size_t end = paragraph.size();
    if (end + indent.size() > width) {
      end = paragraph.rfind(' ', width - indent.size());
      if (end == std::string_view::npos) end = std::min(paragraph.find(' '), paragraph.size());
    }
    out.append(indent).append(paragraph.substr(0, end)).append(1, '\n');
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
  }
  return out;
}

}  // namespace reprise
