#include "engine/memory/score.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "journal/ids.h"

using namespace reprise;

namespace {

class ScoreDice {
 public:
  double share() { return static_cast<double>(x_random.next() >> 44U) / double{1 << 20}; }
  uint64_t below(uint64_t end) { return (x_random.next() >> 33U) % end; }

 private:
  SeededRandom x_random;
};

ScoreParts random_parts(ScoreDice& dice) {
  ScoreParts parts{.keyword = dice.share(), .graph = dice.share()};
  if (dice.below(2) == 0) parts.semantic = dice.share();
  return parts;
}

}  // namespace

TEST_CASE("A score is the sum of its parts by their weights") {
  CHECK(score_of({.semantic = 1, .keyword = 1, .graph = 1}) == Approx(1));
  CHECK(score_of({.semantic = 0.5, .keyword = 0.2, .graph = 0.1}) == Approx(0.355));
  // The original took the greatest part, so that no score reached the threshold of a merge, 0.8.
  CHECK(score_of({.semantic = 0.9, .keyword = 0.9, .graph = 0}) > 0.8);
  CHECK(score_of({.keyword = 1, .graph = 1}) == Approx(1));
  CHECK(score_of({.keyword = 1, .graph = 0}) == Approx(0.35 / 0.45));
}

TEST_CASE("Scores stay between 0 and 1, and no part lowers them") {
  ScoreDice dice;
  for (int i = 0; i < 2000; ++i) {
    const auto parts = random_parts(dice);
    const double score = score_of(parts);
    CHECK(score >= 0);
    CHECK(score <= 1 + 1e-9);
    CHECK(direct_score(parts) <= 1 + 1e-9);
    auto more = parts;
    more.keyword = std::min(1.0, parts.keyword + dice.share());
    CHECK(score_of(more) >= score);
    more.graph = std::min(1.0, parts.graph + dice.share());
    CHECK(score_of(more) >= score);
    if (more.semantic) more.semantic = std::min(1.0, *parts.semantic + dice.share());
    CHECK(score_of(more) >= score);
  }
}

TEST_CASE("Ranks are by score, then the newer, then the id, and always the same") {
  ScoreDice dice;
  std::vector<Rank> ranks(60);
  for (size_t i = 0; i < ranks.size(); ++i) {
    ranks[i] = {static_cast<double>(dice.below(3)) / 2, static_cast<int64_t>(dice.below(3)),
                "m" + std::to_string(i)};
  }
  std::ranges::sort(ranks, ranks_before);
  for (size_t i = 1; i < ranks.size(); ++i) {
    const auto& before = ranks[i - 1];
    const auto& next = ranks[i];
    CHECK(std::tuple(-before.score, -before.created_ms, before.id) <
          std::tuple(-next.score, -next.created_ms, next.id));
    CHECK_FALSE(ranks_before(next, before));
    CHECK_FALSE(ranks_before(next, next));
  }
}

TEST_CASE("Links pass on by what they say") {
  CHECK(relation_share("supports", true) == relation_share("supports", false));
  CHECK(relation_share("contradicts", true) == 0);
  CHECK(relation_share("contradicts", false) == 0);
  CHECK(relation_share("supersedes", true) == 0);
  CHECK(relation_share("supersedes", false) == 1);
  CHECK(relation_share("about", true) < relation_share("supports", true));
  CHECK(relation_share("unheard of", true) == 0);
}

TEST_CASE("The words of a query are what is between everything else, each once") {
  using Words = std::vector<std::string>;
  CHECK(query_words("What does Anna's cat like, what?") ==
        Words{"what", "does", "anna", "cat", "like"});
  CHECK(query_words("\"a\" AND b:c* NEAR(d)") == Words{"and", "near"});
  CHECK(query_words("a b A") == Words{"a", "b"});
  CHECK(query_words("größe 日本") == Words{"größe", "日本"});
  CHECK(query_words(" ?!\n").empty());
  CHECK(query_words(std::string("one\0two", 7)) == Words{"one", "two"});
  std::string many;
  for (int i = 0; i < 100; ++i) many += "word" + std::to_string(i) + " ";
  CHECK(query_words(many).size() == 32);
  CHECK(query_words(std::string(1 << 20, 'x')).front().size() == 100);
  CHECK(match_of("cat") == "\"cat\"");
  CHECK(match_of("anna") == "\"anna\" *");
}
