// Pruning and merging against a simple model: generated histories, in which what upkeep finds is
// carried out and the history goes on; and the same facts in another order say the same.
#include "engine/memory/upkeep.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "engine/index/tables.h"
#include "engine/memory/memory_writer.h"
#include "engine/memory/recall.h"
#include "engine/memory/vectors.h"
#include "tests/engine/run_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

struct ToldFact {
  uint64_t seq = 0;
  int64_t at_ms = 0;
  std::string type;
  Json payload;
};

/// What a memory is by the rules, without any of the program's queries.
struct Known {
  std::string kind, cls, scope;
  double importance = 0.5;
  int64_t created_ms = 0, used_ms = 0;
  std::optional<int64_t> expires_ms;
  bool forgotten = false;
};

class Remembered {
 public:
  explicit Remembered(uint64_t seed) : dice(seed), database({}, 0, REPRISE_TEST_SQLITE) {
    database.execute(kTables);
  }

  void tell(const std::string& type, const Json& payload) {
    facts.push_back({++x_seq, now_ms, type, payload});
    MemoryWriter writer(database);
    writer.add("memory", x_seq, now_ms, type, payload.dump());
    writer.fold();
  }

  void save(const std::string& id, Json memory) {
    memory["memoryId"] = id;
    const std::string kind = memory.value("kind", "fact");
    Known one{.kind = kind,
              .cls = memory.value("class", std::string(default_class(kind))),
              .scope = memory["scope"]["id"],
              .importance = memory.value("importance", 0.5),
              .created_ms = now_ms,
              .used_ms = now_ms};
    if (one.cls == "bulletin") one.expires_ms = now_ms + 180 * kDayMs;
    if (one.cls == "episodic") one.expires_ms = now_ms + 90 * kDayMs;
    known[id] = one;
    tell("memory.saved", memory);
  }

  void step() {
    now_ms += static_cast<int64_t>(dice() % 9) * kDayMs / 2;
    const auto pick = dice() % 10;
    if (pick < 5 || known.size() < 4) return save_something();
    auto& [id, memory] = *std::next(known.begin(), static_cast<long>(dice() % known.size()));
    if (pick < 7) {
      memory.used_ms = now_ms;
      tell("memory.recalled", {{"query", "q"}, {"memoryIds", {id}}});
    } else if (pick < 8) {
      memory.used_ms = now_ms;
      memory.importance = 0.3;
      tell("memory.updated", {{"memoryId", id}, {"importance", 0.3}});
    } else if (pick < 9) {
      memory.forgotten = true;
      tell("memory.forgotten", {{"memoryId", id}});
    } else {
      const auto& other = *std::next(known.begin(), static_cast<long>(dice() % known.size()));
      if (other.first != id) {
        tell("memory.linked", {{"from", id}, {"to", other.first}, {"relation", "contradicts"}});
      }
    }
  }

  bool is_alive(const Known& one) const {
    return !one.forgotten && (!one.expires_ms || *one.expires_ms > now_ms);
  }

  std::vector<std::string> expected_faded(const PruneRule& rule) const {
    std::vector<std::pair<int64_t, std::string>> faded;
    for (const auto& [id, one] : known) {
      if (!is_alive(one) || one.kind == "identity" || one.cls == "bulletin") continue;
      if (now_ms - one.used_ms < rule.min_age_ms) continue;
      const auto days = static_cast<double>(now_ms - one.used_ms) / static_cast<double>(kDayMs);
      if (one.importance * std::pow(0.95, days) < rule.below) faded.emplace_back(one.used_ms, id);
    }
    std::ranges::sort(faded);
    std::vector<std::string> ids;
    ids.reserve(faded.size());
    for (const auto& [used_ms, id] : faded) ids.push_back(id);
    return ids;
  }

  std::mt19937_64 dice;
  int64_t now_ms = kStartMs;
  Database database;
  std::vector<ToldFact> facts;
  std::map<std::string, Known> known;

 private:
  void save_something() {
    static const std::vector<std::string> kNotes = {
        "Anna prefers short answers", "Berlin lies on the Spree", "Chess needs patience",
        "Deploys happen on Friday", "Elephants never forget"};
    static const std::vector<std::string> kKinds = {"fact", "preference", "decision", "identity",
                                                    "event"};
    save("n" + std::to_string(known.size()),
         {{"note", kNotes[dice() % kNotes.size()]},
          {"kind", kKinds[dice() % kKinds.size()]},
          {"importance", static_cast<double>(dice() % 11) / 10},
          {"scope", {{"type", "channel"}, {"id", dice() % 2 == 0 ? "a" : "b"}}}});
  }

  uint64_t x_seq = 0;
};

std::string search_text(const MergeSearch& search) {
  std::string text = std::to_string(search.examined_ms);
  for (const auto& [one, other] : search.pairs) text += " " + one.id + "+" + other.id;
  return text;
}

void check_pairs(Remembered& history, const MergeSearch& search, const MergeRule& rule) {
  CHECK(search.pairs.size() <= rule.most);
  std::set<std::string> taken;
  for (const auto& [one, other] : search.pairs) {
    for (const auto* memory : {&one, &other}) {
      CHECK(taken.insert(memory->id).second);
      const auto& known = history.known.at(memory->id);
      CHECK(history.is_alive(known));
      CHECK(known.kind != "identity");
      CHECK(superseded_by(history.database, memory->id, history.now_ms).empty());
    }
    CHECK(one.scope == other.scope);
    CHECK(one.note == other.note);  // the notes have no words in common otherwise
    CHECK(one.created_ms <= other.created_ms);
  }
}

/// As the visor does it.
void carry_out(Remembered& history, const MergeSearch& search, uint64_t& merged) {
  for (const auto& [one, other] : search.pairs) {
    const auto id = "merge" + std::to_string(++merged);
    history.save(id, Json::parse(merged_memory(one, other)));
    for (const auto& old : {one.id, other.id}) {
      history.tell("memory.linked", {{"from", id}, {"to", old}, {"relation", "supersedes"}});
    }
  }
}

}  // namespace

TEST_CASE("What upkeep finds is what the rules say, and an index made anew finds the same") {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Remembered history(seed);
    uint64_t merged = 0;
    MergeRule merge{.likeness = 0.8, .most = 3};
    size_t pruned = 0;
    for (int i = 0; i < 60; ++i) {
      history.step();
      const PruneRule rule{.below = 0.1, .min_age_ms = 30 * kDayMs};
      const auto faded = list_faded(history.database, rule, history.now_ms, 100);
      CHECK(faded == history.expected_faded(rule));
      const auto search = find_merges(history.database, merge, history.now_ms);
      check_pairs(history, search, merge);
      if (i % 10 != 9) continue;
      Database fresh({}, 0, REPRISE_TEST_SQLITE);
      fresh.execute(kTables);
      auto facts = history.facts;
      std::ranges::shuffle(facts, history.dice);
      MemoryWriter writer(fresh);
      for (const auto& fact : facts) {
        writer.add("memory", fact.seq, fact.at_ms, fact.type, fact.payload.dump());
      }
      writer.fold();
      CHECK(list_faded(fresh, rule, history.now_ms, 100) == faded);
      CHECK(search_text(find_merges(fresh, merge, history.now_ms)) == search_text(search));
      for (const auto& id : faded) {
        history.known.at(id).forgotten = true;
        history.tell("memory.forgotten", {{"memoryId", id}, {"reason", "faded"}});
      }
      carry_out(history, search, merged);
      merge.after_ms = search.examined_ms;
      pruned += faded.size();
      CHECK(list_faded(history.database, rule, history.now_ms, 100).empty());
    }
    CHECK(pruned > 0);
    CHECK(merged > 0);
  }
}

TEST_CASE("Pruning fires although importance is looked at every day") {
  Remembered history(1);
  history.save("m1", {{"note", "of little use"},
                      {"importance", 0.3},
                      {"scope", {{"type", "global"}, {"id", "global"}}}});
  const PruneRule rule{.below = 0.1, .min_age_ms = 30 * kDayMs};
  int days = 0;
  for (; days < 100; ++days, history.now_ms += kDayMs) {
    if (!list_faded(history.database, rule, history.now_ms, 10).empty()) break;
  }
  CHECK(days == 30);  // it is below 0.1 from day 22 on
}

TEST_CASE("A recall keeps a memory from being pruned") {
  Remembered history(1);
  history.save("m1", {{"note", "of little use"},
                      {"importance", 0.1},
                      {"scope", {{"type", "global"}, {"id", "global"}}}});
  const PruneRule rule{.below = 0.1, .min_age_ms = 30 * kDayMs};
  history.now_ms += 29 * kDayMs;
  history.tell("memory.recalled", {{"query", "use"}, {"memoryIds", {"m1"}}});
  history.now_ms += 29 * kDayMs;
  CHECK(list_faded(history.database, rule, history.now_ms, 10).empty());
  history.now_ms += 2 * kDayMs;
  CHECK(list_faded(history.database, rule, history.now_ms, 10) == std::vector<std::string>{"m1"});
}

TEST_CASE("A vector counts as long as its memory says what it said") {
  Remembered history(1);
  const Json scope = {{"type", "global"}, {"id", "global"}};
  history.save("m1", {{"note", "rain"}, {"scope", scope}});
  const auto saved_ms = history.now_ms;
  history.save("m2", {{"note", "snow"}, {"scope", scope}});
  CHECK(list_without_vector(history.database, history.now_ms, 10).size() == 2);
  const auto embed = [&](const char* id, int64_t at_ms, const Json& vector) {
    history.tell("memory.embedded", {{"memoryId", id}, {"textAt", at_ms}, {"vector", vector}});
  };
  embed("m1", saved_ms, {1.0, 0.0});
  embed("m2", saved_ms, {0.0, 1.0});
  embed("m2", saved_ms, "no vector");
  CHECK(list_without_vector(history.database, history.now_ms, 10).empty());
  MemoryFilter filter{.now_ms = history.now_ms, .vector = *pack_vector({0.9, 0.1})};
  auto found = recall(history.database, "wet weather", filter, 8);
  REQUIRE(found.size() == 1);
  CHECK(found[0].memory.id == "m1");
  CHECK(*found[0].parts.semantic == Approx(0.994).margin(0.01));
  CHECK(found[0].score == Approx(0.55 * *found[0].parts.semantic));
  // Both parts add up: more than either could reach.
  found = recall(history.database, "rain", filter, 8);
  CHECK(found[0].score > 0.85);
  history.now_ms += 1000;
  history.tell("memory.updated", {{"memoryId", "m1"}, {"note", "sun"}});
  CHECK(find_vector(history.database, "m1").empty());
  CHECK(recall(history.database, "wet weather", filter, 8).empty());
  CHECK(list_without_vector(history.database, history.now_ms, 10)[0].id == "m1");
}

TEST_CASE("With another model all vectors are made anew") {
  Remembered history(1);
  const auto saved_ms = history.now_ms;
  const Json scope = {{"type", "global"}, {"id", "global"}};
  for (const char* id : {"m1", "m2"}) history.save(id, {{"note", "rain"}, {"scope", scope}});
  const auto embed = [&](const char* id, const Json& vector, const char* model) {
    history.tell("memory.embedded",
                 {{"memoryId", id}, {"textAt", saved_ms}, {"vector", vector}, {"model", model}});
  };
  const auto missing = [&] {
    std::string ids;
    for (const auto& memory : list_without_vector(history.database, history.now_ms, 10)) {
      ids += memory.id + " ";
    }
    return ids;
  };
  embed("m1", {1.0, 0.0}, "a");
  embed("m2", {1.0, 0.0}, "a");
  CHECK(missing().empty());
  embed("m1", {0.0, 1.0, 0.0}, "a");  // longer
  CHECK(missing() == "m2 ");
  MemoryFilter filter{.now_ms = history.now_ms, .vector = *pack_vector({1.0, 0.0})};
  CHECK(*recall(history.database, "rain", filter, 8).front().parts.semantic > 0.9);
  embed("m2", {0.0, 1.0, 0.0}, "a");
  CHECK(missing().empty());
  embed("m1", {0.0, 1.0, 0.0}, "b");  // called otherwise
  CHECK(missing() == "m2 ");
}

TEST_CASE("A packed vector keeps its direction") {
  CHECK_FALSE(pack_vector({}));
  CHECK_FALSE(pack_vector({0, 0}));
  CHECK_FALSE(pack_vector({1, NAN}));
  CHECK_FALSE(pack_vector(std::vector<double>(kLongestVector + 1, 1.0)));
  CHECK(likeness(*pack_vector({1, 2, 3}), *pack_vector({2, 4, 6})) == Approx(1));
  CHECK(likeness(*pack_vector({1, 0}), *pack_vector({0, 1})) == 0);
  CHECK(likeness(*pack_vector({1, 0}), *pack_vector({-1, 0})) == 0);
  CHECK(likeness(*pack_vector({1}), *pack_vector({1, 0})) == 0);
  CHECK(likeness("", "") == 0);
}

TEST_CASE("A note that is longer than a note may be is cut when it was told all the same") {
  std::optional<Memory> memory;
  std::string note;
  for (size_t i = 0; i < kLongestNoteBytes; ++i) note += "ä";
  const auto payload = Json{{"memoryId", "m1"}, {"note", note}}.dump();
  fold_fact(memory, {"web", "memory.saved", kStartMs, payload});
  REQUIRE(memory);
  CHECK(memory->note.size() == kLongestNoteBytes);
}
