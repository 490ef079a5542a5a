// Edit distance with swapped neighbours as one slip (optimal string alignment); a word that only
// begins a known one counts as near, too: people leave words unfinished.
#include "engine/suggest.h"

#include <algorithm>
#include <vector>

namespace reprise {
namespace {

size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({replaced, d[i - 1][j] + 1, d[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  constexpr size_t kLongestWord = 64;
  if (word.size() < 2 || word.size() > kLongestWord) return {};
  std::string_view best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const bool unfinished = word.size() >= 3 && candidate.starts_with(word);
    const size_t steps = unfinished ? 1 : distance(word, candidate);
    if (steps < best_distance) {
      best_distance = steps;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view best = nearest(word, known);
  return best.empty() ? std::string() : "did you mean " + std::string(best) + "?";
}

}  // namespace reprise
