#include "journal/blobs.h"

#include <catch2/catch.hpp>

#include "journal/error.h"
#include "journal/memory_files.h"
#include "tests/fakes/fault_files.h"

using namespace reprise;

namespace {

std::string blob_code(Dir& run, std::string_view name) {
  try {
    get_blob(run, name);
  } catch (const Error& error) {
    CHECK(error.exit() == Exit::kCorrupt);
    CHECK(error.message().find(name) != std::string::npos);
    return error.code();
  }
  return "";
}

}  // namespace

TEST_CASE("a blob is named by its bytes and read back") {
  MemoryFiles files;
  const auto run = files.root();
  const std::string name = put_blob(*run, "hello");
  CHECK(name == digest128("hello"));
  CHECK(name.size() == 32);
  CHECK(get_blob(*run, name) == "hello");
  CHECK(put_blob(*run, "hello") == name);
  CHECK(get_blob(*run, put_blob(*run, "")) == "");
  CHECK(run->list("blobs").size() == 2);
}

TEST_CASE("a blob is durable when put_blob returns, also when an equal one was there") {
  MemoryFiles files;
  Faults faults;
  const auto run = with_faults(files.root(), faults);
  const std::string name = put_blob(*run, "hello");
  files.power_loss();
  CHECK(get_blob(*run, name) == "hello");
  faults.log.clear();
  put_blob(*run, "hello");
  const auto syncs =
      std::count_if(faults.log.begin(), faults.log.end(),
                    [](const std::string& operation) { return operation.starts_with("sync"); });
  CHECK(syncs == 2);
}

TEST_CASE("a failed put leaves no blob that another one believes") {
  for (uint64_t fail_at = 1;; fail_at++) {
    MemoryFiles files;
    files.root()->make_dir("blobs");  // as run:create does
    files.root()->sync_dir("");
    Faults faults;
    faults.fail_at = fail_at;
    bool failed = false;
    try {
      put_blob(*with_faults(files.root(), faults), "hello");
    } catch (const Error& error) {
      failed = true;
      CHECK(error.exit() == Exit::kSystem);
    }
    const auto run = files.root();
    const std::string name = put_blob(*run, "hello");
    files.power_loss();
    CHECK(get_blob(*run, name) == "hello");
    if (!failed) break;
  }
}

TEST_CASE("a damaged or missing blob is named") {
  MemoryFiles files;
  const auto run = files.root();
  const std::string name = put_blob(*run, "hello");
  run->open("blobs/" + name, Access::kWrite)->write_at(1, "a");
  CHECK(blob_code(*run, name) == "BLOB_DAMAGED");
  CHECK(put_blob(*run, "hello") == name);  // and healed by the same bytes
  CHECK(get_blob(*run, name) == "hello");
  CHECK(blob_code(*run, digest128("other")) == "BLOB_MISSING");
}

TEST_CASE("a large blob is compared and checked to its last byte") {
  MemoryFiles files;
  const auto run = files.root();
  std::string bytes(3'000'000, 'a');
  bytes.back() = 'z';
  const std::string name = put_blob(*run, bytes);
  CHECK(name == digest128(bytes));
  CHECK(put_blob(*run, bytes) == name);
  check_blob(*run, name);
  const auto code = [&] {
    try {
      check_blob(*run, name);
    } catch (const Error& error) {
      return error.code();
    }
    return std::string();
  };
  run->open(blob_path(name), Access::kWrite)->write_at(bytes.size() - 1, "y");
  CHECK(code() == "BLOB_DAMAGED");
  CHECK(put_blob(*run, bytes) == name);
  CHECK(code().empty());
  run->open(blob_path(name), Access::kWrite)->write_at(bytes.size(), "y");
  CHECK(code() == "BLOB_DAMAGED");
  CHECK(put_blob(*run, bytes) == name);
  CHECK(get_blob(*run, name) == bytes);
  run->remove(blob_path(name));
  CHECK(code() == "BLOB_MISSING");
}

TEST_CASE("a blob's name cannot leave the run") {
  MemoryFiles files;
  const auto run = files.root();
  CHECK_THROWS_AS(get_blob(*run, "../state/head"), Error);
  CHECK_THROWS_AS(get_blob(*run, ""), Error);
}
