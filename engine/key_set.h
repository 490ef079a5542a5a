// The keys of signals, which make a repeated signal a no-op: a set that only grows and is kept for
// ever. Most of it lies in one text as it was read, and is searched there; a command that adds one
// key pays for that one.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace reprise {

class KeySet {
 public:
  KeySet() = default;
  /// What text() gave; a text that cannot be is an empty set.
  explicit KeySet(std::string text);

  void insert(uint64_t key);
  bool contains(uint64_t key) const;
  size_t size() const;
  /// Sixteen hex digits for each key, sorted, nothing between them.
  std::string text() const;

 private:
  bool is_packed(uint64_t key) const;

  std::string x_packed;
  std::set<uint64_t> x_added;  ///< not among the packed ones
};

}  // namespace reprise
