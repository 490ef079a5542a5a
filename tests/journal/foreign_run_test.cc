#include "journal/foreign_run.h"

#include <catch2/catch.hpp>

#include "journal/memory_files.h"
#include "journal/run_dir.h"

using namespace reprise;

namespace {

constexpr const char* kRecord = "journal/000001.01JD3Y8Z6Q0000000000000000.json";
constexpr const char* kRunFile =
    R"({"runId":"r","layoutVersion":"2026.01-storage-preview","createdAt":"2026-01-01T00:00:00Z"})";

/// A folder with these files, by path and content.
using Listing = std::vector<std::pair<const char*, const char*>>;

std::unique_ptr<Dir> folder_with(MemoryFiles& files, const Listing& listing) {
  auto folder = files.root();
  for (const auto& [path, text] : listing) {
    const std::string_view whole(path);
    if (const auto slash = whole.rfind('/'); slash != std::string_view::npos) {
      folder->make_dir(whole.substr(0, slash));
    }
    write_new_file(*folder, path, text, false);
  }
  return folder;
}

bool is_foreign(const Listing& listing) {
  MemoryFiles files;
  return is_foreign_run(*folder_with(files, listing));
}

}  // namespace

TEST_CASE("a run of babysitter's is known by its records, or by its run.json") {
  CHECK(is_foreign({{"run.json", kRunFile}, {kRecord, "{}"}}));
  CHECK(is_foreign({{kRecord, "{}"}}));
  CHECK(is_foreign({{"run.json", kRunFile}}));
  CHECK(is_foreign({{"run.json", "not json"}, {kRecord, ""}}));
  CHECK(is_foreign({{"run.json", R"({"layoutVersion":"a later one"})"}}));
}

TEST_CASE("a run of ours is not foreign, whatever is missing of it") {
  const char* ours = R"({"schemaVersion":"reprise.run.1","layoutVersion":"2026.01-storage"})";
  CHECK_FALSE(is_foreign({{"run.json", ours}, {"journal/00000001.jsonl", "x"}}));
  CHECK_FALSE(is_foreign({{"run.json", ours}}));
  CHECK_FALSE(is_foreign({{"run.json", kRunFile}, {"journal/00000001.jsonl", ""}}));
  CHECK_FALSE(is_foreign({{"run.json", kRunFile}, {"journal/00000002.jsonl", ""}}));
  CHECK_FALSE(is_foreign({{"journal/torn", ""}}));
  CHECK_FALSE(is_foreign({}));
}

TEST_CASE("what only looks like one is not foreign") {
  CHECK_FALSE(is_foreign({{"run.json", "{}"}}));
  CHECK_FALSE(is_foreign({{"run.json", "[1]"}}));
  CHECK_FALSE(is_foreign({{"run.json", "{\"layoutVersion\""}}));
  CHECK_FALSE(is_foreign({{"journal/000001.json", ""}}));
  CHECK_FALSE(is_foreign({{"journal/00001x.01JD3Y8Z6Q0000000000000000.json", ""}}));
  CHECK_FALSE(is_foreign({{"journal/000001.01jd3y8z6q0000000000000000.json", ""}}));
}

TEST_CASE("a foreign run is not locked: its folder stays as it is") {
  MemoryFiles files;
  const auto run = folder_with(files, {{"run.json", kRunFile}, {kRecord, "{}"}});
  const auto before = run->list("");
  try {
    lock_run(*run, 0, "test");
    FAIL("it was locked");
  } catch (const Error& error) {
    CHECK(error.code() == kForeignRun);
    CHECK(error.exit() == Exit::kNotFound);
    CHECK(error.hint().find("babysitter run:iterate") != std::string::npos);
    CHECK(error.hint().find("delete") == std::string::npos);
  }
  CHECK(run->list("") == before);
}
