// Questions across all runs of a home, answered from index.db (docs/index.md). It is derived:
// brought up to date before every question, made anew when it is damaged, and nothing but the
// journals is ever believed over it.
#pragma once

#include <functional>
#include <string>

#include "engine/index/index_store.h"
#include "engine/index/refresh.h"
#include "journal/error.h"

namespace reprise {

class RunIndex {
 public:
  /// `runs` is the folder of runs at place.runs_path. Nothing is opened yet.
  RunIndex(const IndexPlace& place, Dir& runs, Random& random);

  /// Brings the index up to date and asks. A damaged index is made anew on the way; one that cannot
  /// be written is made in memory, for this question. Errors: INDEX_BUSY (exit 7), SQLITE_MISSING.
  template <typename Question>
  auto ask(const Question& question) {
    for (int attempt = 0;; ++attempt) {
      try {
        return question(up_to_date());
      } catch (const DatabaseDamaged& damage) {
        recover(attempt, damage.what());
      } catch (const Error& error) {
        if (error.code() != "INDEX_FAILED" && error.code() != "INDEX_UNWRITABLE") throw;
        if (x_store.where() == IndexStore::Where::kMemory) throw;
        x_store.fall_back();
      }
    }
  }

  /// Throws it away; the next question makes it anew.
  void rebuild() { x_store.discard(IndexStore::Discard::kAny); }

  const IndexStore& store() const { return x_store; }
  /// What the last question had to do first.
  const Refreshed& refreshed() const { return x_refreshed; }
  /// Why the index was made anew on the way; empty when it was not.
  const std::string& damage() const { return x_damage; }

 private:
  Database& up_to_date();
  void recover(int attempt, const std::string& why);

  IndexStore x_store;
  RunsFolder x_folder;
  Random& x_random;
  Refreshed x_refreshed;
  std::string x_damage;
};

}  // namespace reprise
