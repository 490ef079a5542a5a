// SQLite behind its module: every page is checked, every failure has a name.
#include "engine/index/database.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "tests/engine/index/index_fixture.h"

using namespace reprise;
using namespace reprise::test;

namespace {

uint64_t total(Database& database) {
  auto statement = database.prepare("SELECT sum(length(text)) FROM lines");
  statement.next();
  return statement.count(0);
}

}  // namespace

TEST_CASE("Values come back as they were bound") {
  Database database({}, 1000, REPRISE_TEST_SQLITE);
  database.execute("CREATE TABLE t(a, b, c)");
  const std::string text("with \0 inside", 13);
  database.prepare("INSERT INTO t VALUES (?,?,?)")
      .run(uint64_t{1} << 63, text, std::optional<int64_t>());
  auto row = database.prepare("SELECT a, b, c FROM t");
  REQUIRE(row.next());
  CHECK(row.count(0) == uint64_t{1} << 63);
  CHECK(row.text(1) == text);
  CHECK_FALSE(row.number_if(2));
  CHECK_FALSE(row.next());
}

TEST_CASE("What was prepared before begins anew, without what was bound") {
  Database database({}, 1000, REPRISE_TEST_SQLITE);
  database.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)");
  const auto* all = "SELECT a FROM t WHERE a >= coalesce(?, 0) ORDER BY a";
  {
    auto rows = database.prepare(all);
    REQUIRE(rows.bind(2).next());
    CHECK(rows.number(0) == 2);
    // It stands at a row: who asks the same meanwhile gets a statement of its own.
    auto others = database.prepare(all);
    REQUIRE(others.next());
    CHECK(others.number(0) == 1);
  }
  {
    auto again = database.prepare(all);
    REQUIRE(again.next());
    CHECK(again.number(0) == 1);
  }
  // What it reads may have another shape since.
  database.execute("DROP TABLE t; CREATE TABLE t(b, a); INSERT INTO t VALUES ('x', 7)");
  auto other = database.prepare("SELECT a FROM t");
  REQUIRE(other.next());
  CHECK(other.number(0) == 7);
}

TEST_CASE("What is not committed is taken back") {
  Database database({}, 1000, REPRISE_TEST_SQLITE);
  database.execute("CREATE TABLE t(a)");
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  auto row = database.prepare("SELECT count(*) FROM t");
  REQUIRE(row.next());
  CHECK(row.number(0) == 0);
}

TEST_CASE("A flipped bit in any page of the file is found when the page is read") {
  TempDir temp;
  const auto path = temp.path() + "/test.db";
  {
    Database database(path, 1000, REPRISE_TEST_SQLITE);
    database.execute("PRAGMA journal_mode = WAL; CREATE TABLE lines(text)");
    auto insert = database.prepare("INSERT INTO lines VALUES (?)");
    for (int i = 0; i < 40; ++i) insert.run(std::string(1000, static_cast<char>('a' + i % 26)));
  }
  const auto whole = read_text(path);
  REQUIRE(whole.size() > 40'000);
  {
    Database database(path, 1000, REPRISE_TEST_SQLITE);
    CHECK(total(database) == 40'000);
  }
  for (size_t at = 100; at < whole.size(); at += 509) {
    auto text = whole;
    text[at] = static_cast<char>(text[at] ^ 4);
    write_text(path, text);
    INFO("byte " << at);
    const auto read_all = [&] {
      Database database(path, 1000, REPRISE_TEST_SQLITE);
      total(database);
    };
    CHECK_THROWS_AS(read_all(), DatabaseDamaged);
  }
}

TEST_CASE("A wrong statement, a missing folder and a missing module are told apart") {
  Database database({}, 1000, REPRISE_TEST_SQLITE);
  CHECK(code_of([&] { database.execute("SELEKT"); }) == "INDEX_FAILED");
  CHECK(code_of([] { Database("/no/such/folder/x.db", 1000, REPRISE_TEST_SQLITE); }) ==
        "INDEX_UNWRITABLE");
  CHECK(code_of([] { Database({}, 1000, "/no/such/module.so"); }) == "SQLITE_MISSING");
}

TEST_CASE("Who waits too long for another's transaction is told so") {
  TempDir temp;
  const auto path = temp.path() + "/test.db";
  Database first(path, 1000, REPRISE_TEST_SQLITE);
  first.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)");
  Database second(path, 1, REPRISE_TEST_SQLITE);
  Transaction transaction(first);
  CHECK(code_of([&] { Transaction waiting(second); }) == "INDEX_BUSY");
}

TEST_CASE("Who has asked a single question can write although somebody else wrote since") {
  TempDir folder;
  const auto path = folder.path() + "/index.db";
  Database first(path, 1000, REPRISE_TEST_SQLITE);
  first.execute("PRAGMA journal_mode = WAL; CREATE TABLE meta(name, value)");
  first.execute("INSERT INTO meta VALUES ('epoch', 'one')");
  auto get = first.prepare("SELECT value FROM meta WHERE name = ?");
  CHECK(get.single_text("epoch") == "one");
  CHECK(get.single_text("other").empty());
  CHECK(get.single_text("epoch") == "one");
  Database second(path, 1000, REPRISE_TEST_SQLITE);
  second.execute("UPDATE meta SET value = 'two'");
  Transaction transaction(first);
  CHECK(get.single_text("epoch") == "two");
}
