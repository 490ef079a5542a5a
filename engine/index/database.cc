#include "engine/index/database.h"

#include "engine/module.h"
#include "journal/error.h"

namespace reprise {

ModuleQuery sqlite_module() {
  return {.file = "libreprise_sqlite.so",
          .symbol = "reprise_sqlite_module",
          .abi = REPRISE_SQLITE_ABI,
          .what = "SQLite",
          .error = "SQLITE_MISSING",
          .path = {}};
}

namespace {

/// Different texts. What a filter makes of flags is more than that, and prepared each time.
constexpr size_t kMostIdle = 200;

const reprise_sqlite_table* load_table(const std::string& module) {
  auto query = sqlite_module();
  query.path = module;
  const auto* header = open_module(query);
  return reinterpret_cast<const reprise_sqlite_table*>(header);
}

[[noreturn]] void refuse_database(int32_t status, const std::string& path, const std::string& why) {
  const auto where = path.empty() ? "the index in memory" : path;
  if (status == REPRISE_SQLITE_DAMAGED) throw DatabaseDamaged(where + ": " + why);
  if (status == REPRISE_SQLITE_BUSY) {
    throw Error(Exit::kLocked, "INDEX_BUSY", where + " is being written by another command",
                "wait for it: an index of many runs is made in some seconds");
  }
  if (status == REPRISE_SQLITE_UNWRITABLE) {
    throw Error(Exit::kSystem, "INDEX_UNWRITABLE", where + " cannot be written: " + why);
  }
  throw Error(Exit::kSystem, "INDEX_FAILED", where + ": " + why,
              "is the disk full? It holds nothing that cannot be made again");
}

}  // namespace

Database::Database(const std::string& path, int32_t busy_timeout_ms, const std::string& module)
    : x_table(load_table(module)), x_path(path), x_database(nullptr, Close{x_table}) {
  reprise_database* database = nullptr;
  const auto status =
      x_table->open(path.empty() ? ":memory:" : path.c_str(), busy_timeout_ms, &database);
  x_database.reset(database);
  if (status != REPRISE_SQLITE_OK) refuse_database(status, path, "it cannot be opened");
}

void Database::execute(const char* sql) { check(x_table->execute(x_database.get(), sql)); }

Statement Database::prepare(std::string_view sql) { return {*this, sql}; }

void Database::fail(int32_t status) const {
  refuse_database(status, x_path, x_table->message(x_database.get()));
}

Statement::Statement(Database& database, std::string_view sql)
    : x_database(&database),
      x_statement(nullptr, Database::Finalize{database.x_table}),
      x_place(nullptr) {
  auto& idle = database.x_idle;
  auto found = idle.find(sql);
  if (found != idle.end() && found->second) {
    x_statement = std::move(found->second);
  } else {
    reprise_statement* statement = nullptr;
    const auto status =
        database.x_table->prepare(database.x_database.get(), as_bytes(sql), &statement);
    x_statement.reset(statement);
    database.check(status);
    if (found == idle.end() && idle.size() < kMostIdle) {
      found = idle.emplace(sql, Database::Prepared(nullptr, x_statement.get_deleter())).first;
    }
  }
  if (found != idle.end()) x_place = &found->second;
}

Statement::~Statement() {
  if (!x_statement || x_place == nullptr || *x_place) return;
  x_database->x_table->reset(x_statement.get());
  *x_place = std::move(x_statement);
}

void Statement::bind_one(int32_t parameter, int64_t value) {
  x_database->check(x_database->x_table->bind_number(x_statement.get(), parameter, value));
}

void Statement::bind_one(int32_t parameter, std::string_view value) {
  x_database->check(x_database->x_table->bind_text(x_statement.get(), parameter, as_bytes(value)));
}

void Statement::bind_one(int32_t parameter, std::optional<int64_t> value) {
  if (value) return bind_one(parameter, *value);
  x_database->check(x_database->x_table->bind_null(x_statement.get(), parameter));
}

bool Statement::next() {
  const auto status = x_database->x_table->step(x_statement.get());
  if (status == REPRISE_SQLITE_ROW) return true;
  if (status != REPRISE_SQLITE_DONE) x_database->fail(status);
  return false;
}

int64_t Statement::number(int32_t column) const {
  return x_database->x_table->number(x_statement.get(), column);
}

std::optional<int64_t> Statement::number_if(int32_t column) const {
  if (x_database->x_table->is_null(x_statement.get(), column) != 0) return std::nullopt;
  return number(column);
}

std::string Statement::text(int32_t column) const {
  return std::string(as_view(x_database->x_table->text(x_statement.get(), column)));
}

Transaction::Transaction(Database& database) : x_database(database) {
  x_database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!x_open) return;
  try {
    x_database.execute("ROLLBACK");
  } catch (const std::exception&) {
    // SQLite takes it back by itself when it cannot go on, and at the latest when it is closed.
  }
}

void Transaction::commit() {
  x_database.execute("COMMIT");
  x_open = false;
}

}  // namespace reprise
