// What is known of an object without running anything: its members, as a source has them between
// its braces or as JSON has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/source_walk.h"

namespace reprise {

struct ObjectShape {
  enum class Value : uint8_t {
    kUnknown,  ///< an expression
    kText,     ///< `text`
    kObject,   ///< `inner`
    kList,
    kOther,  ///< a number, a boolean, null
  };
  struct Member;

  SourcePlace place;
  std::vector<Member> members;
  bool open = false;  ///< it may have more members: `...rest`, `[name]: 1`

  /// Null when it has none of that name.
  const Member* find(std::string_view name) const;
};

struct ObjectShape::Member {
  std::string name;
  SourcePlace place;
  Value value = Value::kUnknown;
  std::string text;
  ObjectShape inner;
};

/// Of the object whose brace is the token at `open`.
ObjectShape shape_of_source(std::string_view source, const SourceWalk& walk, size_t open);
/// Of a JSON object; of anything else a shape without members. Places are those of a first line.
ObjectShape shape_of_json(std::string_view json);

}  // namespace reprise
