// What answers the effects that the engine performs itself by looking into the memories of a home:
// those of the kind "recall".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// A domain event of the commit that is being made: no index knows it yet.
struct OwnEvent {
  uint64_t seq = 0;
  std::string type;
  std::string payload;  ///< JSON
};

struct RecallRequest {
  std::string run_path;  ///< of the run that asks
  std::string args;      ///< {"query","limit"?,"scopes"?: [{"type","id"}],"bulletin"?}
  int64_t now_ms = 0;
  std::vector<OwnEvent> own;
};

/// The answer of a home that remembers nothing.
constexpr std::string_view kNothingRecalled = R"({"bulletin":null,"memories":[]})";

class MemorySource {
 public:
  virtual ~MemorySource() = default;
  /// {"bulletin": text | null, "memories": [{"id","kind","note","score","summary"?}, ...]}, the
  /// best first, minified. Whatever goes wrong is a std::exception.
  virtual std::string answer(const RecallRequest& request) = 0;
};

}  // namespace reprise
