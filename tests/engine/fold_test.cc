// One record after the other: what the fold makes of records that no run of this version has, and
// when the cache is worth a rewrite.
#include <catch2/catch.hpp>

#include "engine/state_cache.h"
#include "journal/error.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {
namespace {

void fold(RunState& state, RecordType type, const std::string& data) {
  RecordView record;
  record.type = type;
  record.seq = state.head.seq + 1;
  record.data = data;
  JsonReader reader;
  evolve(state, record, reader.members(record.data));
}

TEST_CASE("A record of a kind that this version cannot fold ends the command, and says which") {
  RunState state;
  try {
    fold(state, RecordType::kRunForked, "{}");
    FAIL("it was folded");
  } catch (const Error& error) {
    CHECK(error.code() == "RECORD_UNSUPPORTED");
    CHECK(error.exit() == Exit::kCorrupt);
    CHECK(error.message().starts_with("record 1 is a RUN_FORKED"));
  }
}

TEST_CASE("A record about an effect names it") {
  for (const std::string data : {"{}", R"({"effectId":"t0x"})", R"({"effectId":7})"}) {
    RunState state;
    CHECK(code_of([&] { fold(state, RecordType::kEffectResolved, data); }) == "RECORD_MALFORMED");
    CHECK(code_of([&] { fold(state, RecordType::kEffectRequested, data); }) == "RECORD_MALFORMED");
  }
}

TEST_CASE("A record about an effect that is not open opens none") {
  RunState state;
  const std::string effect = R"({"effectId":"t1","status":"ok","attempt":1,"token":"a"})";
  for (const auto type :
       {RecordType::kEffectClaimed, RecordType::kEffectProgress, RecordType::kEffectRetryScheduled,
        RecordType::kEffectResolved, RecordType::kEffectCancelled, RecordType::kEffectWithdrawn,
        RecordType::kEffectLate, RecordType::kRunReopened}) {
    fold(state, type, effect);
    CHECK(state.open.empty());
    CHECK(state.watched.empty());
    CHECK(state.orphans.empty());
  }
  fold(state, RecordType::kProcessAssigned, R"({"process":{},"plan":[],"abandoned":["t1"]})");
  CHECK(state.counts.cancelled == 1);
}

TEST_CASE("A cache is behind when what follows it is long, or when it is ahead of the journal") {
  constexpr uint64_t kLong = uint64_t{64} << 10U;
  const Head cached{.seq = 5, .segment = 2, .offset = 1000};
  CHECK_FALSE(state_is_behind(cached, 0, {.seq = 9, .segment = 2, .offset = 1000 + kLong}));
  CHECK(state_is_behind(cached, 0, {.seq = 9, .segment = 2, .offset = 1001 + kLong}));
  CHECK_FALSE(state_is_behind(cached, 4 * kLong, {.seq = 9, .segment = 2, .offset = 2 * kLong}));
  CHECK(state_is_behind(cached, 2 * kLong, {.seq = 9, .segment = 2, .offset = 1002 + kLong}));
  CHECK(state_is_behind(cached, 0, {.seq = 9, .segment = 3, .offset = 1}));
  CHECK(state_is_behind(cached, 0, {.seq = 4, .segment = 2, .offset = 900}));
  CHECK_FALSE(state_is_behind(std::nullopt, 0, {.seq = 4, .segment = 1, .offset = kLong}));
  CHECK(state_is_behind(std::nullopt, 0, {.seq = 4, .segment = 1, .offset = kLong + 1}));
  CHECK(state_is_behind(std::nullopt, 0, {.seq = 4, .segment = 2, .offset = 1}));
}

}  // namespace
}  // namespace reprise::test
