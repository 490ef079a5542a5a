// A run of the asker, and short ways to claim, post and let time pass.
#pragma once

#include <string>

#include "engine/lease.h"
#include "engine/signal.h"
#include "tests/engine/asker.h"
#include "tests/engine/run_fixture.h"

namespace reprise::test {

constexpr int64_t kSecondMs = 1000;
constexpr int64_t kLeaseMs = 60 * kSecondMs;

/// `asks` is the inner part of the asker's list.
inline TestRun ask(World& world, const std::string& asks) {
  auto run = TestRun::built_in(world, "asker", R"({"asks":[)" + asks + "]}");
  run.iterate();
  return run;
}

inline ClaimRequest claim_of(uint64_t effect, const std::string& worker = "w") {
  ClaimRequest request{.worker = worker, .lease_ms = kLeaseMs};
  if (effect != 0) request.effect = EffectSelector{.id = effect, .key = {}};
  return request;
}

inline Claimed claim(TestRun& run, const ClaimRequest& request) {
  return claim_effect(run.dir(), run.world().context, request);
}

inline Post ok_post(uint64_t effect, const std::string& value, const std::string& token = {}) {
  Post post;
  post.effect.id = effect;
  post.value = parse_value(value, "value");
  post.token = token;
  return post;
}

inline Post error_post(uint64_t effect, const std::string& error, const std::string& token = {}) {
  Post post;
  post.effect.id = effect;
  post.ok = false;
  post.value = parse_error_value(error, "error");
  post.token = token;
  return post;
}

inline Posted send(TestRun& run, const Post& post) {
  return post_result(run.dir(), run.world().context, post);
}

/// The process gives an effect up.
inline void withdraw(TestRun& run, uint64_t effect) {
  const auto value = parse_value(R"({"effect":)" + std::to_string(effect) + "}", "value");
  send_signal(run.dir(), run.world().context,
              {"withdraw", value, "withdraw-" + std::to_string(effect), false});
  run.iterate();
}

/// The time of day, counted from the start of the test.
inline void at_second(World& world, int64_t seconds) {
  world.clock.set(kStartMs + seconds * kSecondMs);
}

}  // namespace reprise::test
