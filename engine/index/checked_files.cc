// A layer between SQLite and its files (a VFS). SQLite trusts what it reads, so a flipped bit in an
// index would be a wrong answer. Here every page of the database file gets a sum when it is
// written, in bytes that SQLite leaves to others, and is refused with SQLITE_IOERR_DATA when it
// does not fit when it is read. Frames of the write-ahead log have sums of SQLite's own.
#include "engine/index/checked_files.h"

#include <sqlite3.h>

#include <cstdint>
#include <cstring>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace reprise::sqlite {

namespace {

constexpr int kSmallestPage = 512;
constexpr int kLargestPage = 65536;

/// What SQLite holds of an open file; the one of the layer below follows it in memory.
struct DatabaseFile {
  sqlite3_file base;
  bool checked;

  sqlite3_file* below() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

DatabaseFile* self(sqlite3_file* file) { return reinterpret_cast<DatabaseFile*>(file); }
sqlite3_file* below(sqlite3_file* file) { return self(file)->below(); }

bool is_page(int size, sqlite3_int64 offset) {
  return size >= kSmallestPage && size <= kLargestPage && (size & (size - 1)) == 0 &&
         offset % size == 0;
}

/// The page's place is part of its sum: a page that stands where another belongs is found, too.
uint64_t sum_of(const char* page, int size, sqlite3_int64 offset) {
  return XXH3_64bits_withSeed(page, static_cast<size_t>(size - kReservedBytes),
                              static_cast<uint64_t>(offset) + 1);
}

int close_file(sqlite3_file* file) { return below(file)->pMethods->xClose(below(file)); }

int read_page(sqlite3_file* file, void* buffer, int size, sqlite3_int64 offset) {
  const int status = below(file)->pMethods->xRead(below(file), buffer, size, offset);
  if (status != SQLITE_OK || !self(file)->checked || !is_page(size, offset)) return status;
  const auto* page = static_cast<const char*>(buffer);
  uint64_t stored = 0;
  std::memcpy(&stored, page + size - kReservedBytes, sizeof stored);
  return stored == sum_of(page, size, offset) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

int write_page(sqlite3_file* file, const void* buffer, int size, sqlite3_int64 offset) {
  if (!self(file)->checked || !is_page(size, offset)) {
    return below(file)->pMethods->xWrite(below(file), buffer, size, offset);
  }
  auto* page = static_cast<char*>(sqlite3_malloc(size));
  if (page == nullptr) return SQLITE_NOMEM;
  std::memcpy(page, buffer, static_cast<size_t>(size));
  const uint64_t sum = sum_of(page, size, offset);
  std::memcpy(page + size - kReservedBytes, &sum, sizeof sum);
  const int status = below(file)->pMethods->xWrite(below(file), page, size, offset);
  sqlite3_free(page);
  return status;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return below(file)->pMethods->xTruncate(below(file), size);
}
int sync(sqlite3_file* file, int flags) { return below(file)->pMethods->xSync(below(file), flags); }
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return below(file)->pMethods->xFileSize(below(file), size);
}
int lock(sqlite3_file* file, int level) { return below(file)->pMethods->xLock(below(file), level); }
int unlock(sqlite3_file* file, int level) {
  return below(file)->pMethods->xUnlock(below(file), level);
}
int check_lock(sqlite3_file* file, int* held) {
  return below(file)->pMethods->xCheckReservedLock(below(file), held);
}
int control(sqlite3_file* file, int operation, void* argument) {
  return below(file)->pMethods->xFileControl(below(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return below(file)->pMethods->xSectorSize(below(file)); }
int traits(sqlite3_file* file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return below(file)->pMethods->xShmMap(below(file), page, size, extend, out);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) { below(file)->pMethods->xShmBarrier(below(file)); }
int shm_unmap(sqlite3_file* file, int remove) {
  return below(file)->pMethods->xShmUnmap(below(file), remove);
}

// Version 2: without the calls that map the file, which would read past the check.
constexpr sqlite3_io_methods kMethods = {
    2,        close_file,  read_page,  write_page, truncate,    sync,   file_size,
    lock,     unlock,      check_lock, control,    sector_size, traits, shm_map,
    shm_lock, shm_barrier, shm_unmap,  nullptr,    nullptr};

sqlite3_vfs* real(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

int open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* given) {
  auto* checked = new (file) DatabaseFile{};
  const int status = real(vfs)->xOpen(real(vfs), name, checked->below(), flags, given);
  checked->checked = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  if (checked->below()->pMethods != nullptr) checked->base.pMethods = &kMethods;
  return status;
}

}  // namespace

int register_checked_files() {
  if (sqlite3_vfs_find(kCheckedFiles) != nullptr) return SQLITE_OK;
  auto* below = sqlite3_vfs_find(nullptr);
  if (below == nullptr) return SQLITE_ERROR;
  // SQLite keeps the address of what it is given, until the process ends.
  auto* vfs = static_cast<sqlite3_vfs*>(sqlite3_malloc(sizeof(sqlite3_vfs)));
  if (vfs == nullptr) return SQLITE_NOMEM;
  *vfs = *below;
  vfs->szOsFile = static_cast<int>(sizeof(DatabaseFile)) + below->szOsFile;
  vfs->pNext = nullptr;
  vfs->zName = kCheckedFiles;
  vfs->pAppData = below;
  vfs->xOpen = open;
  return sqlite3_vfs_register(vfs, 0);
}

}  // namespace reprise::sqlite
