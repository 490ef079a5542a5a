#include "engine/units.h"

#include <catch2/catch.hpp>

namespace reprise::test {
namespace {

TEST_CASE("A duration is a number and one of four units") {
  CHECK(parse_duration("0ms") == 0);
  CHECK(parse_duration("30s") == 30'000);
  CHECK(parse_duration("2m") == 120'000);
  CHECK(parse_duration("4294967295h") == 4'294'967'295 * 3'600'000);
  for (const auto* wrong : {"", "30", "s", "-1s", "1.5s", "1d", " 1s", "1s ", "4294967296s"}) {
    CHECK_FALSE(parse_duration(wrong));
  }
}

TEST_CASE("A size is a number of bytes, or of a larger unit") {
  CHECK(parse_size("4096") == 4096);
  CHECK(parse_size("64KiB") == 65'536);
  CHECK(parse_size("256MiB") == 268'435'456);
  CHECK(parse_size("4294967295GiB") == 4'294'967'295ULL << 30U);
  for (const auto* wrong : {"", "1MB", "-1", "1.5GiB", "1 KiB"}) CHECK_FALSE(parse_size(wrong));
}

}  // namespace
}  // namespace reprise::test
