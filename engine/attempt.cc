#include "engine/attempt.h"

#include <algorithm>
#include <tuple>

#include "engine/task_options.h"
#include "journal/clock.h"
#include "journal/ids.h"
#include "journal/json_reader.h"
#include "journal/value.h"

namespace reprise {

namespace {

Followup again_at(int64_t time_ms) { return {.again = true, .available_at_ms = time_ms}; }
Followup held(std::string why) { return {.again = true, .held = std::move(why)}; }

bool is_final(const TaskOptions& options, const Members& error) {
  const auto& names = options.non_retryable;
  return !options.retries || error.raw("retryable") == "false" ||
         std::ranges::find(names, error.text("name")) != names.end();
}

/// Why the attempt ended, as an error.
std::string error_of(const OpenEffect& effect, const DueEffect& due) {
  const auto attempt =
      "attempt " + std::to_string(effect.attempt) + " of " + format_effect_id(effect.id);
  if (due.what == DueEffect::What::kTimeout) {
    return JsonWriter()
        .text("name", "TimeoutError")
        .text("message",
              attempt + " had no result within " + std::to_string(effect.timeout_ms) + " ms")
        .done();
  }
  const auto& claim = *effect.claim;
  const auto why = due.at_ms == claim.until_ms
                       ? "its lease ended at " + format_time(claim.until_ms)
                       : "process " + std::to_string(claim.pid) + " on " + claim.host + " is gone";
  return JsonWriter()
      .text("name", "ClaimLostError")
      .text("message", attempt + " was lost by " + claim.worker + ": " + why)
      .done();
}

NewRecord ok_record(const OpenEffect& effect, std::string_view value) {
  return {RecordType::kEffectResolved, 0, 0,
          JsonWriter()
              .text("effectId", format_effect_id(effect.id))
              .number("attempt", effect.attempt)
              .text("status", "ok")
              .text("digest", value_digest(value))
              .raw("value", value)
              .done()};
}

}  // namespace

Followup after_error(const OpenEffect& effect, std::string_view error, int64_t now_ms) {
  const auto options = parse_task_options(effect.options);
  JsonReader reader;
  if (is_final(options, reader.members_of_copy(error))) return {};
  if (effect.attempt < options.max_attempts) {
    return again_at(now_ms + retry_pause_ms(options, effect.attempt + 1));
  }
  return options.ask_when_exhausted ? held("exhausted") : Followup{};
}

Followup after_loss(const OpenEffect& effect, int64_t now_ms) {
  const auto options = parse_task_options(effect.options);
  if (options.on_lost == TaskOptions::OnLost::kFail) return {};
  if (options.on_lost == TaskOptions::OnLost::kAsk) return held("lost");
  if (effect.attempt < (options.retries ? options.max_attempts : kLostAttempts)) {
    return again_at(now_ms);
  }
  return options.ask_when_exhausted ? held("exhausted") : Followup{};
}

RecordType type_of(const Followup& followup) {
  return followup.again ? RecordType::kEffectRetryScheduled : RecordType::kEffectResolved;
}

void add_followup(JsonWriter& data, const Followup& followup) {
  if (!followup.again) return;
  data.text_if("held", followup.held);
  if (followup.held.empty()) data.signed_number("availableAtMs", followup.available_at_ms);
}

std::string error_digest(std::string_view error) {
  const auto value = parse_value(error, "error");
  JsonReader reader;
  const auto& members = reader.members_of_copy(value.canonical());
  JsonWriter same;
  for (const auto* name : {"data", "message", "name"}) same.raw_if(name, members.raw(name));
  return value_digest(same.done());
}

bool lives(const Claim& claim, int64_t now_ms, Host& host) {
  if (claim.until_ms <= now_ms) return false;
  const bool seen = claim.pid != 0 && claim.host == host.name() && claim.boot == host.boot();
  return !seen || !host.has_ended(claim.pid, claim.start_time);
}

std::optional<DueEffect> due_of(const OpenEffect& effect, int64_t now_ms, Host& host) {
  std::optional<DueEffect> due;
  const auto consider = [&](DueEffect::What what, int64_t time_ms) {
    if (time_ms <= now_ms && (!due || time_ms < due->at_ms))
      due = DueEffect{what, time_ms, effect.id};
  };
  if (effect.due_ms != 0) {
    consider(effect.kind == "breakpoint" ? DueEffect::What::kExpiry : DueEffect::What::kSleep,
             effect.due_ms);
  }
  if (const auto deadline = effect.deadline_ms()) consider(DueEffect::What::kTimeout, *deadline);
  if (effect.claim && !lives(*effect.claim, now_ms, host)) {
    consider(DueEffect::What::kLost, std::min(effect.claim->until_ms, now_ms));
  }
  return due;
}

std::vector<DueEffect> all_due(const RunState& state, int64_t now_ms, Host& host) {
  std::vector<DueEffect> all;
  for (const auto id : state.watched) {
    if (const auto due = due_of(state.open.at(id), now_ms, host)) all.push_back(*due);
  }
  std::ranges::sort(all, {},
                    [](const DueEffect& due) { return std::tuple(due.at_ms, due.effect); });
  return all;
}

Followup after_due(const OpenEffect& effect, const DueEffect& due, int64_t now_ms) {
  if (due.what == DueEffect::What::kLost) return after_loss(effect, now_ms);
  return after_error(effect, error_of(effect, due), now_ms);
}

NewRecord due_record(const OpenEffect& effect, const DueEffect& due, int64_t now_ms) {
  if (due.what == DueEffect::What::kSleep) return ok_record(effect, "null");
  if (due.what == DueEffect::What::kExpiry) {
    return ok_record(effect, R"({"approved":false,"expired":true})");
  }
  const auto followup = after_due(effect, due, now_ms);
  const auto error = error_of(effect, due);
  const bool lost_again = followup.again && due.what == DueEffect::What::kLost;
  JsonWriter data;
  data.text("effectId", format_effect_id(effect.id))
      .number("attempt", effect.attempt)
      .text("status", lost_again ? "lost" : "error");
  if (!followup.again) data.text("digest", error_digest(error));
  if (followup.again && effect.claim) data.text("token", effect.claim->token);
  data.raw("error", error);
  add_followup(data, followup);
  return {type_of(followup), 0, 0, data.done()};
}

}  // namespace reprise
