// Whoever uses the index holds index.lock shared, so that the three files of SQLite are only ever
// made and thrown away together, while nobody has them open.
#include "engine/index/index_store.h"

#include <fcntl.h>
#include <unistd.h>

#include "engine/index/tables.h"
#include "journal/error.h"
#include "journal/hash.h"
#include "journal/ids.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

constexpr int32_t kBusyTimeoutMs = 30'000;
constexpr int64_t kIndexLockTimeoutMs = 30'000;

bool may_write(const IndexFiles& files) {
  const auto may = [](const std::string& path, int mode) {
    return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
  };
  const auto index = files.folder + "/" + files.index;
  return may(files.folder, W_OK | X_OK) && (!may(index, F_OK) || may(index, R_OK | W_OK));
}

/// One for every folder of runs that this user looks into.
IndexFiles private_files(const IndexPlace& place) {
  const auto name = format_hex64(hash64(place.runs_path));
  return {place.cache_folder + "/index", "", name + ".db", name + ".lock"};
}

void set_up(Database& database) {
  // Nothing is synced: after a crash of the machine every run is compared, and every page has a
  // sum.
  database.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -16384; PRAGMA temp_store = 2");
}

int64_t single_number(Database& database, const char* query) {
  auto statement = database.prepare(query);
  return statement.next() ? statement.number(0) : 0;
}

void make_tables(Database& database) {
  set_up(database);
  Transaction transaction(database);
  database.execute(kTables);
  database.execute(("PRAGMA user_version = " + std::to_string(kTablesVersion)).c_str());
  transaction.commit();
}

}  // namespace

IndexStore::IndexStore(IndexPlace place)
    : x_place(std::move(place)), x_changes(index_files(x_place.runs_path)), x_files(x_changes) {
  if (may_write(x_files)) {
    x_folder = existing_real_dir(x_files.folder);
    return;
  }
  x_where = x_place.cache_folder.empty() ? Where::kMemory : Where::kPrivate;
  if (x_where == Where::kMemory) return;
  x_files = private_files(x_place);
  try {
    x_folder = open_real_dir(x_files.folder, true);
  } catch (const Error&) {
    x_where = Where::kMemory;
  }
}

std::string IndexStore::path() const {
  return x_where == Where::kMemory ? std::string() : x_files.folder + "/" + x_files.index;
}

std::optional<FileStat> IndexStore::look() const { return x_folder->stat(x_files.index); }

uint64_t IndexStore::bytes() const {
  const auto stat = x_where == Where::kMemory ? std::nullopt : look();
  return stat ? stat->size : 0;
}

void IndexStore::lock(LockMode mode) {
  x_lock.reset();
  x_lock = x_folder->lock(x_files.lock, mode, kIndexLockTimeoutMs, "index");
  if (x_lock) return;
  throw Error(Exit::kLocked, "INDEX_BUSY", path() + " is being used by other commands",
              "wait for them: an index of many runs is made in some seconds");
}

Database& IndexStore::open() {
  if (x_database) return *x_database;
  if (x_where == Where::kMemory) {
    make_tables(x_database.emplace(std::string(), kBusyTimeoutMs, x_place.module));
    return *x_database;
  }
  lock(LockMode::kShared);
  const auto there = look();
  if (!there || there->size == 0) create();
  x_folder->open(x_files.index, Access::kRead);  // SQLite would follow a link
  x_opened = look();
  auto& database = x_database.emplace(path(), kBusyTimeoutMs, x_place.module);
  set_up(database);
  if (single_number(database, "PRAGMA user_version") != kTablesVersion) {
    throw DatabaseDamaged(path() + ": it is of another version");
  }
  return database;
}

/// Makes the file with its tables, unless somebody else just did.
void IndexStore::create() {
  lock(LockMode::kExclusive);
  const auto there = look();
  if (!there || there->size == 0) {
    remove_files();
    x_folder->open(x_files.index, Access::kCreate);  // for its mode: SQLite would let others read
    Database database(path(), kBusyTimeoutMs, x_place.module);
    database.execute("PRAGMA journal_mode = WAL");
    make_tables(database);
  }
  lock(LockMode::kShared);
}

void IndexStore::remove_files() {
  for (const char* suffix : {"", "-wal", "-shm"}) x_folder->remove(x_files.index + suffix);
}

void IndexStore::discard(Discard what) {
  x_database.reset();
  if (x_where == Where::kMemory) return;
  lock(LockMode::kExclusive);
  const auto there = look();
  const bool opened = there && x_opened && there->inode == x_opened->inode;
  if (what == Discard::kAny || opened) remove_files();
  x_opened.reset();
  x_lock.reset();
}

void IndexStore::fall_back() {
  x_database.reset();
  x_lock.reset();
  x_where = Where::kMemory;
}

}  // namespace reprise
