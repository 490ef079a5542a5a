// Recall against plain rules: whatever facts there are, in whatever order they came.
#include "engine/memory/recall.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/index/tables.h"
#include "engine/memory/memory_writer.h"
#include "journal/clock.h"
#include "journal/ids.h"
#include "tests/engine/run_fixture.h"

using namespace reprise;
using namespace reprise::test;
using Json = nlohmann::json;

namespace {

constexpr int64_t kNowMs = kStartMs + 200 * kDayMs;

struct RunFact {
  std::string run;
  uint64_t seq;
  int64_t at_ms;
  std::string type;
  Json payload;
};

class Store {
 public:
  Store() : database({}, 0, REPRISE_TEST_SQLITE) { database.execute(kTables); }

  void add(const std::vector<RunFact>& facts) {
    MemoryWriter writer(database);
    for (const auto& fact : facts) {
      writer.add(fact.run, fact.seq, fact.at_ms, fact.type, fact.payload.dump());
    }
    writer.fold();
  }
  void save(const std::string& id, const std::string& note, Json more = Json::object()) {
    more["memoryId"] = id;
    more["note"] = note;
    add({{"memory", ++x_seq, kStartMs + static_cast<int64_t>(x_seq), "memory.saved", more}});
  }
  void link(const std::string& from, const std::string& relation, const std::string& to,
            double weight = 1) {
    add({{"memory",
          ++x_seq,
          kStartMs,
          "memory.linked",
          {{"from", from}, {"to", to}, {"relation", relation}, {"weight", weight}}}});
  }
  void tell(const std::string& type, const std::string& id) {
    add({{"memory", ++x_seq, kStartMs + static_cast<int64_t>(x_seq), type, {{"memoryId", id}}}});
  }

  std::string ids(const std::string& query, MemoryFilter filter = {}, uint64_t limit = 100) {
    if (filter.now_ms == 0) filter.now_ms = kStartMs + 1000;
    std::string text;
    for (const auto& found : recall(database, query, filter, limit)) {
      text += (text.empty() ? "" : " ") + found.memory.id;
    }
    return text;
  }
  /// Everything that follows from the facts.
  std::string dump() {
    std::string text;
    const auto all = list_memories(database, {.now_ms = kNowMs, .all = true}, {}, UINT64_MAX);
    for (const auto& memory : all->rows) {
      text += memory.id + "|" + memory.note + "|" + memory.kind + "|" +
              std::to_string(memory.updated_ms) + "|" + std::to_string(memory.accessed_ms) + "|" +
              std::to_string(memory.forgotten_ms.value_or(0)) + "\n";
    }
    for (const auto& link : list_links(database)) {
      text += link.from + " " + link.relation + " " + link.to + " " + std::to_string(link.weight) +
              "\n";
    }
    return text + ids("alpha beta gamma", {.now_ms = kNowMs});
  }

  Database database;

 private:
  uint64_t x_seq = 0;
};

class FactDice {
 public:
  uint64_t below(uint64_t end) { return (x_random.next() >> 33U) % end; }
  template <typename List>
  auto of(const List& list) {
    return list[below(list.size())];
  }

 private:
  SeededRandom x_random;
};

const std::vector<std::string> kWords = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta"};
const std::vector<std::string> kScopes = {"global", "a", "b"};

Json scope_of(const std::string& id) {
  return {{"type", id == "global" ? "global" : "channel"}, {"id", id}};
}

/// Saves, changes, recalls, forgettings and links of a few runs, in order of time.
std::vector<RunFact> random_facts(FactDice& dice, size_t count) {
  std::vector<RunFact> facts;
  std::vector<std::string> ids;
  std::map<std::string, uint64_t> seqs;
  for (size_t i = 0; i < count; ++i) {
    const std::string run = dice.below(3) == 0 ? "web" : "memory";
    const auto at_ms = kStartMs + static_cast<int64_t>(dice.below(180)) * kDayMs;
    const auto put = [&](const char* type, const Json& payload) {
      facts.push_back({run, ++seqs[run], at_ms, type, payload});
    };
    const auto what = ids.size() < 5 ? 0 : dice.below(10);
    if (what < 5) {
      std::string note = dice.of(kWords);
      for (auto more = dice.below(4); more > 0; --more) note += " " + dice.of(kWords);
      const auto id = "m" + std::to_string(i);
      put("memory.saved", {{"memoryId", id},
                           {"note", note},
                           {"kind", dice.of(memory_kinds())},
                           {"scope", scope_of(dice.of(kScopes))}});
      ids.push_back(global_memory_id(run, id));
    } else if (what == 5) {
      put("memory.updated", {{"memoryId", dice.of(ids)}, {"note", dice.of(kWords)}});
    } else if (what == 6) {
      put("memory.recalled", {{"query", "q"}, {"memoryIds", {dice.of(ids), dice.of(ids)}}});
    } else if (what == 7) {
      put("memory.forgotten", {{"memoryId", dice.of(ids)}});
    } else {
      put("memory.linked", {{"from", dice.of(ids)},
                            {"to", dice.of(ids)},
                            {"relation", dice.of(memory_relations())},
                            {"weight", static_cast<double>(dice.below(5)) / 4}});
    }
  }
  return facts;
}

bool holds_one_of(const Memory& memory, const std::vector<std::string>& words) {
  return std::ranges::any_of(
      words, [&](const auto& word) { return memory.note.find(word) != std::string::npos; });
}

/// By the rules, without any of the program's queries.
std::set<std::string> expected_by_words(const std::vector<Memory>& all,
                                        const std::vector<MemoryLink>& links,
                                        const std::vector<std::string>& words,
                                        const MemoryFilter& filter) {
  std::map<std::string, Memory> live;
  for (const auto& memory : all) {
    if (is_live(memory, filter.now_ms)) live.emplace(memory.id, memory);
  }
  std::set<std::string> ids;
  for (const auto& [id, memory] : live) {
    const bool hidden = std::ranges::any_of(links, [&, to = id](const MemoryLink& link) {
      return link.relation == "supersedes" && link.to == to && live.contains(link.from);
    });
    const bool in_scope = filter.scopes.empty() ||
                          std::ranges::find(filter.scopes, memory.scope) != filter.scopes.end();
    const bool of_kind =
        filter.kinds.empty() || std::ranges::find(filter.kinds, memory.kind) != filter.kinds.end();
    if (!hidden && in_scope && of_kind && holds_one_of(memory, words)) ids.insert(id);
  }
  return ids;
}

}  // namespace

TEST_CASE("A recall finds what has the words, the better match first") {
  Store store;
  store.save("m1", "Anna likes short answers");
  store.save("m2", "The answer to everything is 42", {{"summary", "42"}});
  store.save("m3", "Short stories");
  CHECK(store.ids("short answers").starts_with("m1"));
  CHECK(store.ids("answer") == "m1 m2");  // a longer word begins with it
  CHECK(store.ids("42") == "m2");
  CHECK(store.ids("nothing of this") == "");
  CHECK(store.ids("") == "");
  CHECK(store.ids("anna") == "m1");
  CHECK(store.ids("ÄNNA änna") == "m1");
  const auto found = recall(store.database, "anna likes answers", {.now_ms = kNowMs}, 8);
  CHECK(found.front().parts.keyword == Approx(1));
  CHECK(found.front().score == Approx(0.35 / 0.45));
}

TEST_CASE("A part of a word is found when no word is, and text without spaces, too") {
  Store store;
  store.save("m1", "Donaudampfschiff");
  store.save("m2", "今日は雨が降る");
  CHECK(store.ids("dampf") == "m1");
  CHECK(store.ids("雨が") == "m2");
}

TEST_CASE("No text is a syntax error, and none is more than words") {
  Store store;
  store.save("m1", "what does the user like? note: summary-of a \"quoted\" thing");
  for (const char* query : {"what does the user like?",
                            "note:",
                            "summary : user",
                            "\"",
                            "user\"",
                            "\"\"\"",
                            "user AND",
                            "AND OR NOT",
                            "NEAR(user like, 2)",
                            "user*",
                            "*",
                            "^user",
                            "-user",
                            "(user",
                            "{note}: user",
                            "user + like",
                            "; DROP TABLE memories",
                            "100% _user_",
                            "“user”",
                            "…",
                            "\xf0\x9f\x98\x80",
                            "\xff\xfe",
                            "user\ttab\nline",
                            "'",
                            "\\"}) {
    INFO(query);
    const bool has_user = std::string_view(query).find("user") != std::string_view::npos;
    const bool has_note = std::string_view(query).starts_with("note");
    CHECK(store.ids(query) == (has_user || has_note ? "m1" : ""));
  }
  CHECK(store.ids(std::string("user\0like", 9)) == "m1");
  CHECK(store.ids(std::string(1 << 20, '"') + "user") == "m1");
  CHECK(store.dump().find("m1") == 0);
}

TEST_CASE("Links lead on by their relation and weight") {
  Store store;
  store.save("m1", "rain");
  for (const char* id : {"m2", "m3", "m4", "m5"}) store.save(id, "something else");
  store.link("m1", "supports", "m2", 0.5);
  store.link("m3", "supports", "m1");
  store.link("m1", "contradicts", "m4");
  CHECK(store.ids("rain") == "m1 m3 m2");
  store.link("m1", "supports", "m2", 0);  // the last word counts
  CHECK(store.ids("rain") == "m1 m3");
  CHECK(store.ids("rain", {.kinds = {"goal"}}) == "");
}

TEST_CASE("What is superseded leads to what took its place, as long as that lives") {
  Store store;
  store.save("m1", "The office is in Berlin");
  store.save("m2", "We moved to Hamburg");
  store.link("m2", "supersedes", "m1");
  CHECK(store.ids("berlin") == "m2");
  CHECK(store.ids("hamburg") == "m2");
  CHECK(store.ids("berlin", {.now_ms = kNowMs, .all = true}) == "m1 m2");
  CHECK(superseded_by(store.database, "m1", kNowMs) == "m2");
  store.tell("memory.forgotten", "m2");
  CHECK(store.ids("berlin") == "m1");
}

TEST_CASE("Of two memories that supersede each other the newer link decides") {
  Store store;
  store.save("m1", "The office is in Berlin");
  store.save("m2", "We moved to Hamburg");
  store.link("m1", "supersedes", "m2");
  store.link("m2", "supersedes", "m1");
  CHECK(store.ids("berlin") == "m2");
  CHECK(superseded_by(store.database, "m1", kNowMs) == "m2");
  CHECK(superseded_by(store.database, "m2", kNowMs).empty());
  CHECK(list_links(store.database).size() == 1);
  CHECK(list_memories(store.database, {.now_ms = kNowMs}, {}, 9)->rows.size() == 1);
  store.link("m1", "supersedes", "m2");
  CHECK(store.ids("hamburg") == "m1");
  CHECK(list_links(store.database, "m2").front().from == "m1");
}

TEST_CASE("Whatever supersedes what: behind each hidden memory is one that is found") {
  FactDice dice;
  for (int round = 0; round < 50; ++round) {
    Store store;
    for (uint64_t i = 0; i < 6; ++i) store.save("m" + std::to_string(i), "rain");
    for (auto links = 2 + dice.below(12); links > 0; --links) {
      store.link("m" + std::to_string(dice.below(6)), "supersedes",
                 "m" + std::to_string(dice.below(6)));
    }
    const auto found = list_memories(store.database, {.now_ms = kNowMs}, {}, 9)->rows;
    for (uint64_t i = 0; i < 6; ++i) {
      auto id = "m" + std::to_string(i);
      for (int steps = 0; steps < 6; ++steps) {
        const auto newer = superseded_by(store.database, id, kNowMs);
        if (newer.empty()) break;
        id = newer;
      }
      INFO(id);
      CHECK(std::ranges::any_of(found, [&](const Memory& memory) { return memory.id == id; }));
    }
  }
}

TEST_CASE("What is forgotten or expired is not found, nor what another run forgot") {
  Store store;
  store.save("m1", "rain", {{"kind", "event"}});
  store.save("m2", "rain");
  CHECK(store.ids("rain") == "m2 m1");
  CHECK(store.ids("rain", {.now_ms = kStartMs + 91 * kDayMs}) == "m2");
  store.add({{"visor", 1, kStartMs + 50, "memory.forgotten", {{"memoryId", "m2"}}}});
  CHECK(store.ids("rain") == "m2 m1");  // that would have been "visor/m2"
  store.add({{"web", 1, kStartMs + 60, "memory.saved", {{"memoryId", "x"}, {"note", "rain"}}}});
  store.add({{"memory", 99, kStartMs + 70, "memory.forgotten", {{"memoryId", "web/x"}}}});
  CHECK(store.ids("rain") == "m2 m1");
}

TEST_CASE("Whatever there is: a recall keeps to its filter, misses nothing and cuts at the end") {
  FactDice dice;
  for (int round = 0; round < 12; ++round) {
    Store store;
    store.add(random_facts(dice, 60));
    MemoryFilter filter{.now_ms = kStartMs + static_cast<int64_t>(dice.below(250)) * kDayMs};
    if (dice.below(2) == 0) filter.scopes = {{"channel", "a"}, {"global", "global"}};
    if (dice.below(2) == 0) filter.kinds = {"fact", "event", "goal"};
    const std::vector<std::string> words = {dice.of(kWords), dice.of(kWords)};
    const auto query = words[0] + ", " + words[1] + "?";
    const auto all =
        list_memories(store.database, {.now_ms = kNowMs, .all = true}, {}, UINT64_MAX)->rows;
    const auto expected = expected_by_words(all, list_links(store.database), words, filter);
    const auto found = recall(store.database, query, filter, 100);
    std::set<std::string> by_words;
    for (size_t i = 0; i < found.size(); ++i) {
      CHECK(is_live(found[i].memory, filter.now_ms));
      CHECK(found[i].score > 0);
      CHECK(found[i].score <= 1 + 1e-9);
      CHECK(found[i].score == score_of(found[i].parts));
      if (found[i].parts.keyword > 0) by_words.insert(found[i].memory.id);
      CHECK((found[i].parts.keyword > 0 || !found[i].through.empty()));
      if (i == 0) continue;
      const auto rank = [&](size_t at) {
        return Rank{found[at].score, found[at].memory.created_ms, found[at].memory.id};
      };
      CHECK(ranks_before(rank(i - 1), rank(i)));
    }
    CHECK(by_words == expected);
    const auto few = recall(store.database, query, filter, 3);
    REQUIRE(few.size() == std::min<size_t>(3, found.size()));
    for (size_t i = 0; i < few.size(); ++i) CHECK(few[i].memory.id == found[i].memory.id);
  }
}

TEST_CASE("In whatever order runs are read, the same is remembered") {
  FactDice dice;
  for (int round = 0; round < 8; ++round) {
    const auto facts = random_facts(dice, 40);
    Store whole;
    whole.add(facts);
    auto shuffled = facts;
    for (size_t i = shuffled.size(); i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[dice.below(i)]);
    Store other;
    for (const auto& fact : shuffled) other.add({fact});
    CHECK(other.dump() == whole.dump());
    // Records that are gone leave nothing behind.
    const auto kept = facts.size() / 2;
    Store half;
    half.add({facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(kept)});
    MemoryWriter writer(whole.database);
    for (size_t i = kept; i < facts.size(); ++i) writer.drop(facts[i].run, facts[i].seq);
    writer.fold();
    CHECK(whole.dump() == half.dump());
  }
}

TEST_CASE("Lists go on behind a memory, the newest first") {
  Store store;
  for (int i = 1; i <= 5; ++i) store.save("m" + std::to_string(i), "note " + std::to_string(i));
  const MemoryFilter filter{.now_ms = kNowMs};
  const auto first = list_memories(store.database, filter, {}, 2);
  CHECK(first->more);
  CHECK(first->rows.back().id == "m4");
  const auto rest = list_memories(store.database, filter, "m4", 10);
  CHECK_FALSE(rest->more);
  CHECK(rest->rows.size() == 3);
  CHECK_FALSE(list_memories(store.database, filter, "m9", 10));
}
