// The memories of a home, found through its index. A home that remembers nothing costs one look for
// a file: SQLite is not loaded.
#pragma once

#include <string>

#include "engine/memory_source.h"
#include "journal/ids.h"

namespace reprise {

class IndexedMemory final : public MemorySource {
 public:
  /// As IndexPlace: where an index lies when the home cannot be written, and SQLite's module.
  IndexedMemory(std::string cache_folder, Random& random, std::string module = {})
      : x_cache_folder(std::move(cache_folder)), x_module(std::move(module)), x_random(random) {}

  std::string answer(const RecallRequest& request) override;

 private:
  std::string x_cache_folder;
  std::string x_module;
  Random& x_random;
};

}  // namespace reprise
