#include "journal/error.h"

#include <catch2/catch.hpp>
#include <cerrno>

using namespace reprise;

TEST_CASE("a failed system call names the operation, the path and the reason") {
  const Error error = system_error("sync", "journal/00000001.jsonl", ENOSPC);
  CHECK(error.exit() == Exit::kSystem);
  CHECK(error.code() == "SYSTEM_ERROR");
  CHECK(error.message() == "cannot sync journal/00000001.jsonl: No space left on device");
  CHECK(error.details() ==
        R"({"operation":"sync","path":"journal/00000001.jsonl","errno":"ENOSPC"})");
}

TEST_CASE("an unknown error number is named by its number") {
  CHECK(system_error("open", "a", 9999).details() ==
        R"({"operation":"open","path":"a","errno":"9999"})");
}
