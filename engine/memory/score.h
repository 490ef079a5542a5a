// How well a memory answers a query: a sum of three parts, each from 0 to 1. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

constexpr double kSemanticWeight = 0.55;
constexpr double kKeywordWeight = 0.35;
constexpr double kGraphWeight = 0.10;

struct ScoreParts {
  std::optional<double> semantic;  ///< likeness of the embeddings; nullopt when there are none
  double keyword = 0;              ///< of the words of the query
  double graph = 0;                ///< through a link to a memory that answers it
  bool operator==(const ScoreParts&) const = default;
};

/// 0.55 semantic + 0.35 keyword + 0.10 graph. Without an embedding the other two are rescaled, so
/// that the best is 1 all the same.
double score_of(const ScoreParts& parts);
/// The same without the graph: what is passed on over links.
double direct_score(const ScoreParts& parts);

/// What a link passes on of the score of the memory at its other end, times its weight. `forward`:
/// seen from the link's beginning. One that contradicts passes nothing on, and one that supersedes
/// only from the old memory to the new one.
double relation_share(std::string_view relation, bool forward);

/// By score, then the newer, then the id.
struct Rank {
  double score = 0;
  int64_t created_ms = 0;
  std::string id;
};
bool ranks_before(const Rank& one, const Rank& other);

/// The words of a query that are looked for, at most 32, each once: runs of ASCII letters and
/// digits, or of bytes of other characters. Single letters only when there is nothing else.
std::vector<std::string> query_words(std::string_view query);
/// A word as FTS5 takes it: quoted, a beginning of words when it is long enough.
std::string match_of(std::string_view word);

}  // namespace reprise
