/* The border between the engine and the SQLite module (libreprise_sqlite.so): plain C, as thin as
 * it can be. engine/index/database.{h,cc} is the only caller; sqlite_module.cc the only
 * implementation.
 *
 * Bytes of a column stay valid until the statement is stepped, reset or finalized. */
#pragma once

#include "engine/process/module_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REPRISE_SQLITE_ABI 1u

typedef struct reprise_database reprise_database;
typedef struct reprise_statement reprise_statement;

/* status of every call */
enum {
  REPRISE_SQLITE_OK = 0,
  REPRISE_SQLITE_ROW = 1,
  REPRISE_SQLITE_DONE = 2,
  REPRISE_SQLITE_BUSY = 3,       /* another process kept its lock longer than the busy timeout */
  REPRISE_SQLITE_DAMAGED = 4,    /* the file is no database, or holds what was not written to it */
  REPRISE_SQLITE_UNWRITABLE = 5, /* it cannot be opened, made or written here */
  REPRISE_SQLITE_FAILED = 6      /* anything else: `message` says what */
};

typedef struct {
  reprise_module_header module; /* abi: REPRISE_SQLITE_ABI */

  /* Opens or makes the database at `path` (":memory:" for one that nobody else sees). Every page of
   * its file carries a sum that is checked whenever it is read: see checked_files.cc. *out is null
   * on failure. */
  int32_t (*open)(const char* path, int32_t busy_timeout_ms, reprise_database** out);
  void (*close)(reprise_database* database);
  /* Of the last call that failed. */
  const char* (*message)(reprise_database* database);
  /* One or more statements without results. */
  int32_t (*execute)(reprise_database* database, const char* sql);

  int32_t (*prepare)(reprise_database* database, reprise_bytes sql, reprise_statement** out);
  void (*finalize)(reprise_statement* statement);
  /* Parameters count from 1. The bytes of a text are copied. */
  int32_t (*bind_number)(reprise_statement* statement, int32_t parameter, int64_t value);
  int32_t (*bind_text)(reprise_statement* statement, int32_t parameter, reprise_bytes value);
  int32_t (*bind_null)(reprise_statement* statement, int32_t parameter);
  int32_t (*step)(reprise_statement* statement); /* ROW, DONE or a failure */
  void (*reset)(reprise_statement* statement);   /* to be stepped again; parameters are null */
  /* Columns count from 0. */
  int64_t (*number)(reprise_statement* statement, int32_t column);
  reprise_bytes (*text)(reprise_statement* statement, int32_t column);
  int32_t (*is_null)(reprise_statement* statement, int32_t column);
} reprise_sqlite_table;

#ifdef __cplusplus
}
#endif
