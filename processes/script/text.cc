#include "processes/script/text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <span>

#include "processes/script/values.h"

namespace reprise::script {

namespace {

void append_code_point(std::string& out, char32_t point) {
  auto tail = [&out, point](int shift) {
    out += static_cast<char>(0x80 | ((point >> shift) & 0x3f));
  };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

void append_escaped(std::string& out, char32_t point) {
  switch (point) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (point < 0x20) {
    out += "\\u00";
    out += "0123456789abcdef"[point >> 4];
    out += "0123456789abcdef"[point & 15];
  } else {
    append_code_point(out, point);
  }
}

using Append = void (*)(std::string&, char32_t);

bool append_units(std::span<const char16_t> units, std::string& out, Append append) {
  bool whole = true;
  for (size_t i = 0; i < units.size(); ++i) {
    char32_t point = units[i];
    if (point >= 0xd800 && point < 0xe000) {
      bool pair =
          point < 0xdc00 && i + 1 < units.size() && units[i + 1] >= 0xdc00 && units[i + 1] < 0xe000;
      if (pair) {
        point = 0x10000 + ((point - 0xd800) << 10) + (units[++i] - char32_t{0xdc00});
      } else {
        point = 0xfffd;
        whole = false;
      }
    }
    append(out, point);
  }
  return whole;
}

bool append_with(JSLinearString* string, std::string& out, Append append) {
  JS::AutoCheckCannotGC no_gc;
  size_t length = JS::GetLinearStringLength(string);
  if (!JS::LinearStringHasLatin1Chars(string)) {
    return append_units({JS::GetTwoByteLinearStringChars(no_gc, string), length}, out, append);
  }
  for (JS::Latin1Char c : std::span(JS::GetLatin1LinearStringChars(no_gc, string), length)) {
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      out += static_cast<char>(c);
    } else {
      append(out, c);
    }
  }
  return true;
}

}  // namespace

bool append_utf8(JSLinearString* string, std::string& out) {
  return append_with(string, out, append_code_point);
}

bool append_json_string(JSLinearString* string, std::string& out) {
  out += '"';
  bool whole = append_with(string, out, append_escaped);
  out += '"';
  return whole;
}

void append_json_string(std::string& out, std::string_view utf8) {
  out += '"';
  for (char c : utf8) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      append_escaped(out, byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string unescape_json_string(std::string_view literal) {
  std::string out;
  for (size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      out += literal[i];
      continue;
    }
    switch (char c = literal[++i]) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u':
        out += static_cast<char>(
            std::strtoul(std::string(literal.substr(i + 1, 4)).c_str(), nullptr, 16));
        i += 4;
        break;
      default:
        out += c;
    }
  }
  return out;
}

void append_integer(std::string& out, int64_t number) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
}

// Number::toString of the standard: the shortest digits that read back the same, in decimal from
// 1e-6 to 1e21.
void append_json_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  if (number == 0) {
    out += '0';
    return;
  }
  char buffer[32];
  std::string_view text(
      buffer,
      static_cast<size_t>(
          std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr -
          buffer));
  if (text.front() == '-') {
    out += '-';
    text.remove_prefix(1);
  }
  size_t e = text.find('e');
  int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  std::string digits(1, text[0]);
  if (e > 1) digits += text.substr(2, e - 2);
  int count = static_cast<int>(digits.size());
  int point = exponent + 1;
  if (point > 21 || point <= -6) {
    out += digits[0];
    if (count > 1) out.append(".").append(digits, 1);
    out += exponent < 0 ? "e-" : "e+";
    append_integer(out, std::abs(exponent));
  } else if (point >= count) {
    out += digits;
    out.append(static_cast<size_t>(point - count), '0');
  } else if (point > 0) {
    out.append(digits, 0, static_cast<size_t>(point))
        .append(".")
        .append(digits, static_cast<size_t>(point));
  } else {
    out += "0.";
    out.append(static_cast<size_t>(-point), '0');
    out += digits;
  }
}

std::string iso_time(int64_t epoch_ms) {
  int64_t days = epoch_ms / 86'400'000 - (epoch_ms % 86'400'000 < 0 ? 1 : 0);
  int64_t ms = epoch_ms - days * 86'400'000;
  // Days to a civil date, by eras of 400 years that begin on 1 March.
  int64_t shifted = days + 719'468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  int64_t day_of_era = shifted - era * 146'097;
  int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t month_index = (5 * day_of_year + 2) / 153;
  int64_t day = day_of_year - (153 * month_index + 2) / 5 + 1;
  int64_t month = month_index < 10 ? month_index + 3 : month_index - 9;
  int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  auto padded = [](int64_t number, size_t width) {
    std::string digits = std::to_string(number);
    return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
  };
  std::string text;
  if (year >= 0 && year <= 9999) {
    text = padded(year, 4);
  } else {
    text = (year < 0 ? '-' : '+') + padded(std::abs(year), 6);
  }
  text += '-' + padded(month, 2) + '-' + padded(day, 2) + 'T' + padded(ms / 3'600'000, 2) + ':';
  text += padded(ms / 60'000 % 60, 2) + ':' + padded(ms / 1000 % 60, 2) + '.' +
          padded(ms % 1000, 3) + 'Z';
  return text;
}

}  // namespace reprise::script
