// Which effect is whose: the requests that are open, and where their story began.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "processes/kit/json.h"

namespace reprise::kit {

/// "reply:r3", the key of a request: a noun, and what that noun calls it.
struct Owner {
  std::string noun;
  std::string id;
  uint64_t trace = 0;  ///< seq of the record where the story began
};

/// "worker:w2:3" is {"worker", "w2:3"}.
Owner parse_owner(std::string_view key);

class Effects {
 public:
  void add(uint64_t effect, Owner owner) { x_open[effect] = std::move(owner); }
  /// nullopt when it is not open.
  std::optional<Owner> take(uint64_t effect);
  /// The effect of that owner, 0 when it has none.
  uint64_t find(std::string_view noun, std::string_view id) const;
  const std::map<uint64_t, Owner>& open() const { return x_open; }

  Json to_json() const;
  void restore(const Json& json);

 private:
  std::map<uint64_t, Owner> x_open;
};

/// The options of work for models and agents: so long from its claim, its result checked.
Json work_options(int64_t timeout_ms);

/// What came of a request.
struct Result {
  uint64_t effect = 0;
  Owner owner;
  bool ok = false;
  bool cancelled = false;  ///< from outside, by task:cancel; `value` is then {"reason"?}
  Json value;              ///< the result, or the error {"name","message","data"?}
};

}  // namespace reprise::kit
