#include "engine/index/run_index.h"

namespace reprise {

RunIndex::RunIndex(const IndexPlace& place, Dir& runs, Random& random)
    : x_store(place), x_folder{runs, place.runs_path}, x_random(random) {}

Database& RunIndex::up_to_date() {
  auto& database = x_store.open();
  const bool is_home = x_store.where() == IndexStore::Where::kHome;
  x_refreshed = refresh_index(database, x_folder, x_store.changes(), x_random, is_home);
  return database;
}

/// Once anew on the disk, then in memory; what goes wrong there is no damage.
void RunIndex::recover(int attempt, const std::string& why) {
  if (attempt > 1) throw Error(Exit::kBug, "INDEX_FAILED", "the index cannot be made: " + why);
  x_damage = why;
  if (attempt == 0) {
    x_store.discard(IndexStore::Discard::kOpened);
  } else {
    x_store.fall_back();
  }
}

}  // namespace reprise
