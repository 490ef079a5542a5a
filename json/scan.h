// Walks over JSON text without building anything: finds where members, elements and values begin
// and end. For text that this program wrote itself (records, caches) and values that it checked
// when they came in (journal/value.h): what stands inside of strings, numbers and nested values is
// not looked at.
#pragma once

#include <string_view>

namespace reprise::json {

/// A place in a text. Every verb skips space first, and returns false, when it does not find what
/// it is asked for.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : x_at(text.data()), x_end(text.data() + text.size()) {}

  bool take(char c);
  /// The next value, whole.
  bool value(std::string_view& raw);
  /// What stands between the quotes of the next string, still escaped.
  bool string(std::string_view& inner);
  bool at_end();

 private:
  void skip_space();
  bool skip_string();
  bool skip_nested();
  void skip_scalar();

  const char* x_at;
  const char* x_end;
};

/// Calls visit(name, raw value) for each member, the name still escaped. False when `text` is no
/// object.
template <typename Visit>
bool members(std::string_view text, Visit visit) {
  Cursor cursor(text);
  std::string_view name;
  std::string_view raw;
  if (!cursor.take('{')) return false;
  if (cursor.take('}')) return cursor.at_end();
  do {
    if (!cursor.string(name) || !cursor.take(':') || !cursor.value(raw)) return false;
    visit(name, raw);
  } while (cursor.take(','));
  return cursor.take('}') && cursor.at_end();
}

/// Calls visit(raw value) for each element. False when `text` is no array.
template <typename Visit>
bool elements(std::string_view text, Visit visit) {
  Cursor cursor(text);
  std::string_view raw;
  if (!cursor.take('[')) return false;
  if (cursor.take(']')) return cursor.at_end();
  do {
    if (!cursor.value(raw)) return false;
    visit(raw);
  } while (cursor.take(','));
  return cursor.take(']') && cursor.at_end();
}

}  // namespace reprise::json
