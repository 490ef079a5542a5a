// How long the names may be that people and programs give to things.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "journal/error.h"

namespace reprise {

/// Of labels, keys, names of signals and workers, in bytes: they are kept in memory and shown in
/// lists. What is longer is a value, and belongs into one.
constexpr size_t kLongestName = 4096;

/// Error NAME_TOO_LONG, exit 2.
inline void check_name_length(std::string_view name, const std::string& what) {
  if (name.size() <= kLongestName) return;
  throw Error(Exit::kUsage, "NAME_TOO_LONG",
              what + " has " + std::to_string(name.size()) + " bytes; at most " +
                  std::to_string(kLongestName) + " are allowed",
              "give a short name, and what is long as a value");
}

}  // namespace reprise
