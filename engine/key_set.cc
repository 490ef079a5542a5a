#include "engine/key_set.h"

#include "journal/ids.h"

namespace reprise {

namespace {

constexpr size_t kDigits = 16;

}  // namespace

KeySet::KeySet(std::string text) : x_packed(std::move(text)) {
  if (x_packed.size() % kDigits != 0) x_packed.clear();
}

void KeySet::insert(uint64_t key) {
  if (!is_packed(key)) x_added.insert(key);
}

bool KeySet::contains(uint64_t key) const { return x_added.contains(key) || is_packed(key); }

size_t KeySet::size() const { return x_packed.size() / kDigits + x_added.size(); }

/// Hex digits sort as the numbers do.
bool KeySet::is_packed(uint64_t key) const {
  const auto wanted = format_hex64(key);
  size_t low = 0;
  size_t high = x_packed.size() / kDigits;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    const auto order = std::string_view(x_packed).substr(middle * kDigits, kDigits).compare(wanted);
    if (order == 0) return true;
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return false;
}

std::string KeySet::text() const {
  if (x_added.empty()) return x_packed;
  std::string all;
  all.reserve(x_packed.size() + x_added.size() * kDigits);
  size_t at = 0;
  for (const auto key : x_added) {
    const auto digits = format_hex64(key);
    const auto begin = at;
    while (at < x_packed.size() && x_packed.compare(at, kDigits, digits) < 0) at += kDigits;
    all.append(x_packed, begin, at - begin).append(digits);
  }
  return all.append(x_packed, at);
}

}  // namespace reprise
