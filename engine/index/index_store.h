// index.db as a file: found or made, opened, thrown away when it is damaged.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/index/change_log.h"
#include "engine/index/database.h"
#include "journal/files.h"

namespace reprise {

/// Where the index of a folder of runs may be.
struct IndexPlace {
  std::string runs_path;
  std::string cache_folder;  ///< of the user: where an index lies when the home cannot be written;
                             ///< empty: then in memory
  std::string module;        ///< of SQLite; empty: beside the binary
};

class IndexStore {
 public:
  enum class Where {
    kHome,
    kPrivate,  ///< in the user's cache, for the home cannot be written
    kMemory,
  };

  /// Nothing is opened yet.
  explicit IndexStore(IndexPlace place);

  /// Opens the index, or makes an empty one. Error INDEX_BUSY (exit 7) when somebody replaces it
  /// for longer than it is waited; DatabaseDamaged for a file that holds something else.
  Database& open();
  enum class Discard {
    kAny,
    kOpened,  ///< only what was opened: somebody else may have made it anew since
  };
  /// Closes the database and throws its files away.
  void discard(Discard what);
  /// From now on in memory, for nothing else can be written.
  void fall_back();

  Where where() const { return x_where; }
  const IndexFiles& changes() const { return x_changes; }
  /// Of the index; empty for one in memory.
  std::string path() const;
  uint64_t bytes() const;

 private:
  void create();
  void remove_files();
  void lock(LockMode mode);
  std::optional<FileStat> look() const;

  IndexPlace x_place;
  IndexFiles x_changes;  ///< of the home
  IndexFiles x_files;    ///< of the index
  Where x_where = Where::kHome;
  std::unique_ptr<Dir> x_folder;
  std::unique_ptr<FileLock> x_lock;
  std::optional<FileStat> x_opened;
  std::optional<Database> x_database;
};

}  // namespace reprise
