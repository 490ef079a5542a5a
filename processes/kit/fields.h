// The members of a value that somebody sent: the first thing that is wrong with them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "engine/process/process.h"
#include "processes/kit/json.h"

namespace reprise::kit {

/// Of ids and names.
constexpr size_t kMostNameBytes = 256;

class Fields {
 public:
  /// `code` is that of the refusal. A value that is no object is wrong, too.
  Fields(const Json& value, std::string code);

  /// A text that is not empty must be there.
  Fields& needs_text(const char* name, size_t most_bytes = kMostNameBytes);
  // The others may be left out, or be null.
  Fields& text(const char* name, size_t most_bytes = kMostNameBytes);
  /// A list of texts that are not empty.
  Fields& texts(const char* name, size_t most = 1000);
  Fields& whole(const char* name, int64_t least,
                int64_t most = std::numeric_limits<int64_t>::max());
  Fields& flag(const char* name);
  Fields& object(const char* name);
  /// Something else that is wrong, unless something was already.
  Fields& refuse_if(bool wrong, const std::string& message, const std::string& hint = {});

  std::optional<Refusal> refusal() const { return x_refusal; }

 private:
  const Json* member(const char* name) const;

  const Json& x_value;
  std::string x_code;
  std::optional<Refusal> x_refusal;
};

}  // namespace reprise::kit
