// Reads the members of JSON objects that this program wrote itself (record data, the state cache):
// without building anything. Values from users go through value.h first.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// The members of one object, in order, as raw JSON text. The views point into the text that was
/// read.
class Members {
 public:
  struct Member {
    std::string_view name;  ///< as written, still escaped
    std::string_view raw;   ///< the value's JSON text
  };

  /// The raw value, or empty when the member is absent.
  std::string_view raw(std::string_view name) const;
  bool has(std::string_view name) const { return !raw(name).empty(); }
  /// The decoded string; empty when absent. Error RECORD_MALFORMED when it is no string.
  std::string text(std::string_view name) const;
  /// 0 (false) when absent.
  uint64_t number(std::string_view name) const;
  int64_t signed_number(std::string_view name) const;
  bool flag(std::string_view name) const { return raw(name) == "true"; }

  auto begin() const { return x_members.begin(); }
  auto end() const { return x_members.end(); }

 private:
  friend class JsonReader;
  std::vector<Member> x_members;
};

/// Keeps its buffers between reads; the Members it returns are valid until its next read.
class JsonReader {
 public:
  /// The views point into `object`. Error RECORD_MALFORMED, exit 5, when it is no object.
  const Members& members(std::string_view object);
  /// The same for text that does not stay: the views point into a copy, valid until the next read.
  const Members& members_of_copy(std::string_view object);

 private:
  Members x_members;
  std::string x_copy;
};

/// The elements of a JSON array as raw text; the views point into `array`.
std::vector<std::string_view> array_elements(std::string_view array);

/// The text of a raw JSON string literal (with its quotes).
std::string unquote(std::string_view literal);

}  // namespace reprise
