#include "engine/memory/score.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr size_t kMostWords = 32;
constexpr size_t kLongestWordBytes = 100;
constexpr size_t kShortestBeginning = 4;

bool is_ascii_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_other(char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A word is not cut inside of a character.
void cut_word(std::string& word) {
  if (word.size() <= kLongestWordBytes) return;
  size_t end = kLongestWordBytes;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) --end;
  word.resize(end);
}

}  // namespace

double direct_score(const ScoreParts& parts) {
  if (!parts.semantic) return parts.keyword;
  return (kSemanticWeight * *parts.semantic + kKeywordWeight * parts.keyword) /
         (kSemanticWeight + kKeywordWeight);
}

double score_of(const ScoreParts& parts) {
  const double sum = kKeywordWeight * parts.keyword + kGraphWeight * parts.graph;
  if (!parts.semantic) return sum / (kKeywordWeight + kGraphWeight);
  return kSemanticWeight * *parts.semantic + sum;
}

double relation_share(std::string_view relation, bool forward) {
  if (relation == "supports") return 1.0;
  if (relation == "derived_from") return 0.9;
  if (relation == "depends_on") return 0.8;
  if (relation == "about") return 0.7;
  if (relation == "supersedes") return forward ? 0.0 : 1.0;
  return 0.0;
}

bool ranks_before(const Rank& one, const Rank& other) {
  if (one.score != other.score) return one.score > other.score;
  if (one.created_ms != other.created_ms) return one.created_ms > other.created_ms;
  return one.id < other.id;
}

std::vector<std::string> query_words(std::string_view query) {
  std::vector<std::string> words;
  std::vector<std::string> letters;
  std::string word;
  const auto end_word = [&] {
    cut_word(word);
    auto& list = word.size() == 1 ? letters : words;
    const bool known = std::ranges::find(list, word) != list.end();
    if (!word.empty() && !known && list.size() < kMostWords) list.push_back(word);
    word.clear();
  };
  for (const char c : query) {
    if (is_ascii_word(c) || is_other(c)) {
      word += lower_letter(c);
    } else if (!word.empty()) {
      end_word();
    }
  }
  end_word();
  return words.empty() ? letters : words;
}

std::string match_of(std::string_view word) {
  const auto quoted = '"' + std::string(word) + '"';
  return word.size() < kShortestBeginning ? quoted : quoted + " *";
}

}  // namespace reprise
