// nlohmann/json reads the text twice: once as events, to learn on which line each value stands (the
// iterator counts line breaks as they are consumed), and once as a document.
#include "engine/home/config_text.h"

#include <iterator>
#include <set>

#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr size_t kDeepestLevel = 64;

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, size_t* line) : x_at(at), x_line(line) {}
  reference operator*() const { return *x_at; }
  CountingIterator& operator++() {
    if (*x_at++ == '\n') ++*x_line;
    return *this;
  }
  CountingIterator operator++(int) {
    const auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return x_at == other.x_at; }

 private:
  const char* x_at;
  size_t* x_line;
};

std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

/// What nlohmann says, without the text around the error: it may hold a secret.
std::string reason_of(const std::string& what) {
  const auto begin = what.find("line ");
  const auto end = what.find("; last read");
  return begin == std::string::npos ? what : what.substr(begin, end - begin);
}

class LineFinder final : public nlohmann::json_sax<Json> {
 public:
  LineFinder(const std::string& name, const size_t& line, std::map<std::string, size_t>& lines)
      : x_name(name), x_line(line), x_lines(lines) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(true); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = x_levels.back();
    level.next = level.pointer + "/" + escaped(name);
    if (!x_lines.emplace(level.next, x_line).second) {
      refuse_config(where(), "\"" + name + "\" is named twice in one object");
    }
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    refuse_config(x_name, reason_of(error.what()),
                  "it is JSON in which // and /* */ comments are allowed");
  }

 private:
  struct Level {
    std::string pointer;
    bool array = false;
    size_t index = 0;
    std::string next;  ///< the pointer of the value that comes, in an object
  };

  std::string where() const { return x_name + ":" + std::to_string(x_line); }
  std::string next_pointer() {
    if (x_levels.empty()) return {};
    Level& level = x_levels.back();
    if (!level.array) return level.next;
    auto pointer = level.pointer + "/" + std::to_string(level.index++);
    x_lines.emplace(pointer, x_line);
    return pointer;
  }
  bool value() {
    next_pointer();
    return true;
  }
  bool open(bool array) {
    if (x_levels.size() == kDeepestLevel) {
      refuse_config(where(), "it is nested deeper than " + std::to_string(kDeepestLevel));
    }
    x_levels.push_back({next_pointer(), array, 0, {}});
    return true;
  }
  bool close() {
    x_levels.pop_back();
    return true;
  }

  const std::string& x_name;
  const size_t& x_line;
  std::map<std::string, size_t>& x_lines;
  std::vector<Level> x_levels;
};

}  // namespace

std::string ConfigLayer::origin(const std::string& pointer) const {
  const auto found = lines.find(pointer);
  return found == lines.end() ? name : name + ":" + std::to_string(found->second);
}

ConfigLayer parse_config_text(const std::string& name, std::string_view text) {
  ConfigLayer layer{.name = name, .values = {}, .lines = {}};
  size_t line = 1;
  LineFinder finder(name, line, layer.lines);
  Json::sax_parse(CountingIterator(text.data(), &line),
                  CountingIterator(text.data() + text.size(), &line), &finder,
                  nlohmann::detail::input_format_t::json, true, true);
  layer.values = Json::parse(text, nullptr, true, true);
  if (!layer.values.is_object()) refuse_config(name, "it is no JSON object");
  return layer;
}

void refuse_config(const std::string& where, const std::string& why, const std::string& hint) {
  throw Error(Exit::kUsage, "CONFIG_INVALID", where + ": " + why, hint);
}

}  // namespace reprise
