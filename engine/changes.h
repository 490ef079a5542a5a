// Who is told before a run changes: whatever is derived from many runs.
#pragma once

#include <cstdint>
#include <string>

namespace reprise {

class Changes {
 public:
  virtual ~Changes() = default;
  /// The run at `run_path`, whose last record is `head_seq`, may have other records from now on; 0:
  /// there is no run, and it is about to be made. Called before they are written, and again when
  /// that failed. Throws when nobody could be told: then nothing is to be written.
  virtual void touch(const std::string& run_path, uint64_t head_seq) = 0;
  /// The run is about to tell something that is to be remembered (is_remembered): from then on the
  /// home has memories. Called before it is written. Throws as touch does.
  virtual void remember(const std::string& run_path) = 0;
};

}  // namespace reprise
