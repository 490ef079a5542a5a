#include "engine/executors/config_edit.h"

#include <optional>

#include "journal/error.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr std::string_view kNewFile = "{\n}\n";

/// Walks over JSON with comments.
class Walker {
 public:
  explicit Walker(std::string_view text) : x_text(text) {}

  size_t at() const { return x_at; }
  void skip_space() {
    while (x_at < x_text.size()) {
      if (std::string_view(" \t\r\n").find(x_text[x_at]) != std::string_view::npos) {
        x_at++;
      } else if (x_text.substr(x_at).starts_with("//")) {
        x_at = std::min(x_text.find('\n', x_at), x_text.size());
      } else if (x_text.substr(x_at).starts_with("/*")) {
        skip_block();
      } else {
        return;
      }
    }
  }
  void skip_block() {
    const auto end = x_text.find("*/", x_at + 2);
    x_at = end == std::string_view::npos ? x_text.size() : end + 2;
  }
  bool take(char c) {
    skip_space();
    if (x_at >= x_text.size() || x_text[x_at] != c) return false;
    x_at++;
    return true;
  }
  /// With its quotes; empty when there is none.
  std::string_view string() {
    skip_space();
    const auto begin = x_at;
    if (!take('"')) return {};
    while (x_at < x_text.size() && x_text[x_at] != '"') x_at += x_text[x_at] == '\\' ? 2 : 1;
    x_at = std::min(x_at + 1, x_text.size());
    return x_text.substr(begin, x_at - begin);
  }
  void value() {
    int depth = 0;
    do {
      skip_space();
      if (x_at >= x_text.size()) return;
      const char c = x_text[x_at];
      if (c == '"') {
        string();
      } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
        return;
      } else {
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        x_at++;
      }
    } while (depth > 0 || !ends_here());
  }

 private:
  bool ends_here() {
    skip_space();
    return x_at >= x_text.size() || x_text[x_at] == ',' || x_text[x_at] == '}';
  }

  std::string_view x_text;
  size_t x_at = 0;
};

/// Behind the brace or bracket that opens the value of the top-level member; nullopt: there is no
/// such member.
std::optional<size_t> inside_of(std::string_view text, std::string_view key, char opening,
                                std::string_view wanted) {
  Walker walker(text);
  if (walker.take('{')) {
    while (!walker.take('}')) {
      const auto name = walker.string();
      if (name.empty() || !walker.take(':')) break;
      if (name == quote(key)) {
        if (walker.take(opening)) return walker.at();
        break;
      }
      walker.value();
      if (walker.take(',')) continue;
      if (walker.take('}')) return std::nullopt;
      break;
    }
    if (walker.at() > 0 && text[walker.at() - 1] == '}') return std::nullopt;
  }
  throw Error(Exit::kUsage, "CONFIG_INVALID",
              "config.json cannot be edited: \"" + std::string(key) + "\" is not what it should be",
              "add it by hand: " + std::string(wanted));
}

/// What stands behind a brace on its line, a comment perhaps, is the brace's: entries come on the
/// lines below. The position of that line's end, or `at` when a value begins on it.
size_t behind_opening(std::string_view text, size_t at) {
  const auto end = std::min(text.find('\n', at), text.size());
  const auto first = text.find_first_not_of(" \t\r", at);
  const bool comment = first < end && text.substr(first).starts_with("//");
  return comment ? end : at;
}

/// At the beginning of an object or array whose inside begins there.
std::string put_first(std::string_view text, size_t at, std::string_view entry,
                      std::string_view indent, std::string_view outer) {
  Walker rest(text.substr(at));
  const bool empty = rest.take('}') || rest.take(']');
  const auto place = behind_opening(text, at);
  std::string edited(text.substr(0, place));
  edited.append("\n").append(indent).append(entry).append(empty ? "" : ",");
  const auto tail = text.substr(place);
  if (!empty || tail.starts_with('\n')) return edited.append(tail);
  edited.append("\n").append(outer);
  const auto first = tail.find_first_not_of(" \t\r");
  const bool closes = first != std::string_view::npos && (tail[first] == '}' || tail[first] == ']');
  return edited.append(closes ? tail.substr(first) : tail);
}

/// Where a sample of a member stands: a comment line of the top-level object that begins with
/// `// "key":`, as those of a new home.
struct Sample {
  size_t end = 0;          ///< of its line
  size_t last = 0;         ///< behind the last character before it that is no blank or comment
  bool separated = false;  ///< that is a comma or the brace
  bool followed = false;   ///< a member comes behind it
};

bool is_sample(std::string_view comment, std::string_view key) {
  comment.remove_prefix(2);
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  const auto name = quote(key);
  return comment.starts_with(name) && comment.substr(name.size()).starts_with(':');
}

std::optional<Sample> find_sample(std::string_view text, std::string_view key) {
  std::optional<Sample> found;
  bool is_last = false;  // nothing that counts came behind it yet
  int depth = 0;
  size_t last = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (text.substr(at).starts_with("//")) {
      const auto end = std::min(text.find('\n', at), text.size());
      is_last = is_last || (depth == 1 && is_sample(text.substr(at, end - at), key));
      if (is_last && (!found || found->last != last)) {
        const char before = text[last - 1];
        found = {.end = end, .last = last, .separated = before == '{' || before == ','};
      }
      at = end;
      continue;
    }
    Walker walker(text.substr(at));
    const bool blank = std::string_view(" \t\r\n").find(c) != std::string_view::npos;
    if (c == '"') {
      walker.string();
    } else if (text.substr(at).starts_with("/*")) {
      walker.skip_block();
    }
    at += std::max<size_t>(walker.at(), 1);
    if (blank || (c == '/' && walker.at() > 0)) continue;
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    last = at;
    if (is_last) found->followed = depth > 0 && c != ',';
    is_last = false;
  }
  return found;
}

/// Below its sample, so that each comment stays with what it is about.
std::string put_below(std::string_view text, const Sample& sample, std::string_view entry) {
  std::string edited(text.substr(0, sample.last));
  if (!sample.separated) edited += ",";
  edited.append(text.substr(sample.last, sample.end - sample.last));
  edited.append("\n  ").append(entry).append(sample.followed ? "," : "");
  return edited.append(text.substr(sample.end));
}

std::string add_entry(std::string_view text, std::string_view key, const std::string& entry,
                      char opening) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) text = kNewFile;
  const char closing = opening == '{' ? '}' : ']';
  const std::string whole = quote(key) + ": " + opening + " " + entry + " " + closing;
  if (const auto at = inside_of(text, key, opening, whole)) {
    return put_first(text, *at, entry, "    ", "  ");
  }
  const auto member = quote(key) + ": " + opening + "\n    " + entry + "\n  " + closing;
  if (const auto sample = find_sample(text, key)) return put_below(text, *sample, member);
  Walker walker(text);
  walker.take('{');
  return put_first(text, walker.at(), member, "  ", "");
}

}  // namespace

std::string add_config_member(std::string_view text, std::string_view key, std::string_view name,
                              std::string_view json) {
  return add_entry(text, key, quote(name) + ": " + std::string(json), '{');
}

std::string add_config_element(std::string_view text, std::string_view key, std::string_view json) {
  return add_entry(text, key, std::string(json), '[');
}

}  // namespace reprise
