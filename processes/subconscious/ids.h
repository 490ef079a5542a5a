// Ids of tasks and cards are numbers behind a word: "task-12".
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace reprise::subconscious {

/// 12 of ("task-", "task-12"); 0: it is no such id.
inline uint64_t number_of_id(std::string_view word, std::string_view id) {
  if (!id.starts_with(word)) return 0;
  const char* end = id.data() + id.size();
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(id.data() + word.size(), end, number);
  return stop == end && error == std::errc() ? number : 0;
}

}  // namespace reprise::subconscious
