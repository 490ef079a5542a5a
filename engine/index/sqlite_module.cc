// The SQLite module: its table, and nothing of the standard library, so that a command that loads
// it loads no more than SQLite.
#include "engine/index/sqlite_module.h"

#include <sqlite3.h>

#include "engine/index/checked_files.h"

namespace reprise::sqlite {

namespace {

sqlite3* handle(reprise_database* database) { return reinterpret_cast<sqlite3*>(database); }
sqlite3_stmt* handle(reprise_statement* statement) {
  return reinterpret_cast<sqlite3_stmt*>(statement);
}

int32_t status_of(int code) {
  switch (code & 0xff) {
    case SQLITE_OK:
      return REPRISE_SQLITE_OK;
    case SQLITE_ROW:
      return REPRISE_SQLITE_ROW;
    case SQLITE_DONE:
      return REPRISE_SQLITE_DONE;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return REPRISE_SQLITE_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return REPRISE_SQLITE_DAMAGED;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return REPRISE_SQLITE_UNWRITABLE;
    case SQLITE_IOERR:
      return code == SQLITE_IOERR_DATA || code == SQLITE_IOERR_SHORT_READ ? REPRISE_SQLITE_DAMAGED
                                                                          : REPRISE_SQLITE_FAILED;
    default:
      return REPRISE_SQLITE_FAILED;
  }
}

int32_t open_database(const char* path, int32_t busy_timeout_ms, reprise_database** out) {
  *out = nullptr;
  if (register_checked_files() != SQLITE_OK) return REPRISE_SQLITE_FAILED;
  sqlite3* database = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  int code = sqlite3_open_v2(path, &database, flags, kCheckedFiles);
  if (code == SQLITE_OK) code = sqlite3_busy_timeout(database, busy_timeout_ms);
  int reserved = kReservedBytes;
  if (code == SQLITE_OK) {
    code = sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  }
  if (code == SQLITE_OK) {
    *out = reinterpret_cast<reprise_database*>(database);
  } else {
    sqlite3_close_v2(database);
  }
  return status_of(code);
}

void close_database(reprise_database* database) { sqlite3_close_v2(handle(database)); }

const char* error_message(reprise_database* database) { return sqlite3_errmsg(handle(database)); }

int32_t execute(reprise_database* database, const char* sql) {
  return status_of(sqlite3_exec(handle(database), sql, nullptr, nullptr, nullptr));
}

int32_t prepare_statement(reprise_database* database, reprise_bytes sql, reprise_statement** out) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(handle(database), sql.data, static_cast<int>(sql.size),
                                      &statement, nullptr);
  *out = reinterpret_cast<reprise_statement*>(statement);
  return status_of(code);
}

void finalize(reprise_statement* statement) { sqlite3_finalize(handle(statement)); }

int32_t bind_number(reprise_statement* statement, int32_t parameter, int64_t value) {
  return status_of(sqlite3_bind_int64(handle(statement), parameter, value));
}

int32_t bind_text(reprise_statement* statement, int32_t parameter, reprise_bytes value) {
  const char* data = value.size > 0 ? value.data : "";
  return status_of(sqlite3_bind_text64(handle(statement), parameter, data, value.size,
                                       SQLITE_TRANSIENT, SQLITE_UTF8));
}

int32_t bind_null(reprise_statement* statement, int32_t parameter) {
  return status_of(sqlite3_bind_null(handle(statement), parameter));
}

int32_t step(reprise_statement* statement) { return status_of(sqlite3_step(handle(statement))); }

void reset(reprise_statement* statement) {
  sqlite3_reset(handle(statement));
  sqlite3_clear_bindings(handle(statement));
}

int64_t number(reprise_statement* statement, int32_t column) {
  return sqlite3_column_int64(handle(statement), column);
}

reprise_bytes text(reprise_statement* statement, int32_t column) {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle(statement), column));
  if (data == nullptr) return {"", 0};
  return {data, static_cast<size_t>(sqlite3_column_bytes(handle(statement), column))};
}

int32_t is_null(reprise_statement* statement, int32_t column) {
  return sqlite3_column_type(handle(statement), column) == SQLITE_NULL ? 1 : 0;
}

}  // namespace
}  // namespace reprise::sqlite

extern "C" __attribute__((visibility("default"))) const reprise_module_header*
reprise_sqlite_module(void) {
  using namespace reprise::sqlite;
  static const reprise_sqlite_table kTable = {
      {REPRISE_SQLITE_ABI, {REPRISE_VERSION, sizeof REPRISE_VERSION - 1}},
      open_database,
      close_database,
      error_message,
      execute,
      prepare_statement,
      finalize,
      bind_number,
      bind_text,
      bind_null,
      step,
      reset,
      number,
      text,
      is_null};
  return &kTable.module;
}
