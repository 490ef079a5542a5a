// SQLite, loaded only when a command needs it. The only caller of sqlite_module.h.
//
// What is kept in such a database is derived and can be made again: nothing is synced, and a
// damaged file is an exception of its own, for whoever knows how to make it anew.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/index/sqlite_module.h"
#include "engine/module.h"

namespace reprise {

/// The database is damaged, or of another version: it is to be made anew.
class DatabaseDamaged : public std::exception {
 public:
  explicit DatabaseDamaged(std::string why) : x_why(std::move(why)) {}
  const char* what() const noexcept override { return x_why.c_str(); }

 private:
  std::string x_why;
};

/// Where it is, for who wants to know whether it can be loaded.
ModuleQuery sqlite_module();

class Statement;

/// Errors of all methods: DatabaseDamaged; INDEX_BUSY (exit 7) when another process holds its lock
/// longer than the busy timeout; INDEX_UNWRITABLE and INDEX_FAILED (exit 8).
class Database {
 public:
  /// Opens or makes it; its folder must exist. Error SQLITE_MISSING (exit 70) without the module,
  /// which `module` names (empty: beside the binary). Without a path: one in memory.
  Database(const std::string& path, int32_t busy_timeout_ms, const std::string& module = {});

  /// One or more statements without results and parameters.
  void execute(const char* sql);
  /// Lives at most as long as the database, which keeps what was prepared for the next time that
  /// the same text is wanted.
  Statement prepare(std::string_view sql);

 private:
  friend class Statement;
  struct Close {
    const reprise_sqlite_table* table;
    void operator()(reprise_database* database) const { table->close(database); }
  };
  struct Finalize {
    const reprise_sqlite_table* table;
    void operator()(reprise_statement* statement) const { table->finalize(statement); }
  };
  using Prepared = std::unique_ptr<reprise_statement, Finalize>;
  [[noreturn]] void fail(int32_t status) const;
  void check(int32_t status) const {
    if (status != REPRISE_SQLITE_OK) fail(status);
  }

  const reprise_sqlite_table* x_table;
  std::string x_path;
  std::unique_ptr<reprise_database, Close> x_database;
  std::map<std::string, Prepared, std::less<>> x_idle;  ///< by text; null while one is in use
};

/// A prepared statement. `run` binds, in order, and begins anew; rows are taken one by one.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  Statement(Statement&&) = default;
  Statement& operator=(Statement&&) = default;
  ~Statement();

  /// Binds all parameters and goes back to the first row.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    x_database->x_table->reset(x_statement.get());
    int32_t parameter = 0;
    (bind_one(++parameter, values), ...);
    return *this;
  }
  /// Binds one parameter, counted from 1, of a statement that was not stepped since `bind`.
  void bind_one(int32_t parameter, int64_t value);
  void bind_one(int32_t parameter, uint64_t value) {
    bind_one(parameter, static_cast<int64_t>(value));
  }
  void bind_one(int32_t parameter, int value) { bind_one(parameter, int64_t{value}); }
  void bind_one(int32_t parameter, uint32_t value) { bind_one(parameter, int64_t{value}); }
  void bind_one(int32_t parameter, std::string_view value);
  void bind_one(int32_t parameter, const std::string& value) {
    bind_one(parameter, std::string_view(value));
  }
  void bind_one(int32_t parameter, const char* value) {
    bind_one(parameter, std::string_view(value));
  }
  void bind_one(int32_t parameter, std::optional<int64_t> value);

  /// The next row; false when there is none.
  bool next();
  /// Takes all rows, of a statement that is not a query.
  void run() {
    while (next()) continue;
  }
  template <typename... Values>
  void run(const Values&... values) {
    bind(values...);
    run();
  }

  /// The first column of the first row; empty without one. The statement is over then: one that
  /// stands at a row holds on to the database as it was, and SQLite lets no transaction begin from
  /// there once somebody else has written.
  template <typename... Values>
  std::string single_text(const Values&... values) {
    auto found = bind(values...).next() ? text(0) : std::string();
    x_database->x_table->reset(x_statement.get());
    return found;
  }

  // Of the present row; columns count from 0.
  int64_t number(int32_t column) const;
  uint64_t count(int32_t column) const { return static_cast<uint64_t>(number(column)); }
  std::optional<int64_t> number_if(int32_t column) const;
  std::string text(int32_t column) const;

 private:
  Database* x_database;
  Database::Prepared x_statement;
  Database::Prepared* x_place;  ///< of the database, for when it is over; null: there is none
};

/// BEGIN IMMEDIATE until commit(); the destructor takes everything back.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& x_database;
  bool x_open = true;
};

}  // namespace reprise
