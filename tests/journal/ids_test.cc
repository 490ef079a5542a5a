#include "journal/ids.h"

#include <catch2/catch.hpp>

using namespace reprise;

namespace {

class Sequence final : public Random {
 public:
  explicit Sequence(uint64_t first) : x_next(first) {}
  uint64_t next() override { return x_next++; }

 private:
  uint64_t x_next;
};

}  // namespace

TEST_CASE("a ulid has the time in its first ten characters") {
  Sequence zero(0);
  CHECK(make_ulid(0, zero) == "00000000000000000000000001");
  Sequence other(0);
  CHECK(make_ulid(1'469'918'176'385, other).substr(0, 10) == "01ARYZ6S41");
  Sequence ones(~uint64_t{0} - 1);
  CHECK(make_ulid((int64_t{1} << 48) - 1, ones) == "7ZZZZZZZZZZZZZZZZYZZZZZZZZ");
}

TEST_CASE("ulids sort by time") {
  SystemRandom random;
  CHECK(make_ulid(1000, random) < make_ulid(1001, random));
  CHECK(make_ulid(1000, random) != make_ulid(1000, random));
}

TEST_CASE("a run id is a plain name") {
  for (const char* good : {"a", "A.b_c-9", "0", "01ARYZ6S41TSV4RRFFQ69G5FAV"}) {
    INFO(good);
    CHECK(valid_run_id(good));
  }
  CHECK(valid_run_id(std::string(128, 'x')));
  CHECK_FALSE(valid_run_id(std::string(129, 'x')));
  for (const char* bad :
       {"", ".", "..", ".new-1", "-a", "_a", "a/b", "a b", "a\n", "\xc3\xa9", "../a"}) {
    INFO(bad);
    CHECK_FALSE(valid_run_id(bad));
  }
  CHECK_FALSE(valid_run_id(std::string_view("a\0b", 3)));
}

TEST_CASE("an effect id is t and a number") {
  CHECK(parse_effect_id("t1") == 1);
  CHECK(parse_effect_id("t999999999999999999") == 999'999'999'999'999'999);
  CHECK(parse_effect_id(format_effect_id(12)) == 12);
  for (const char* bad :
       {"", "t", "t0", "t01", "T1", "1", "t-1", "t+1", "t1x", "t 1", "t1000000000000000000"}) {
    INFO(bad);
    CHECK_FALSE(parse_effect_id(bad));
  }
}

TEST_CASE("64 bits are sixteen hex digits") {
  CHECK(format_hex64(0) == "0000000000000000");
  CHECK(format_hex64(0x9f86d081884c7d65) == "9f86d081884c7d65");
  CHECK(parse_hex64("9f86d081884c7d65") == 0x9f86d081884c7d65);
  for (const char* bad :
       {"", "0", "9F86D081884C7D65", "9f86d081884c7d6", "9f86d081884c7d655", "9f86d081884c7d6g"}) {
    INFO(bad);
    CHECK_FALSE(parse_hex64(bad));
  }
}
