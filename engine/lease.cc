#include "engine/lease.h"

#include <algorithm>

#include "engine/attempt.h"
#include "engine/claim_record.h"
#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/fence.h"
#include "engine/inspect.h"
#include "engine/json_writer.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// The effect under the run's lock.
struct Opened {
  OpenRun open;
  const OpenEffect* effect = nullptr;
  int64_t now_ms = 0;
};

Opened open_to_lease(Dir& run, const Context& context, const LeaseRequest& request) {
  Opened opened{.open = open_run(run, context, Read::kTail)};
  opened.effect = find_open(opened.open.history.state, request.effect);
  opened.now_ms = commit_time(opened.open, context.clock);
  return opened;
}

[[noreturn]] void refuse_settled(Dir& run, const LeaseRequest& request, const RunState& state) {
  const auto id = format_effect_id(find_effect(run, request.effect).request.id);
  throw Error(Exit::kConflict, "EFFECT_CONFLICT", id + " is not open any more",
              "reprise task:show " + state.run_id + " " + id + " shows how it ended");
}

/// Appends the record, unless it is a dry run or there is none.
Claimed finish(Dir& run, Opened opened, const LeaseRequest& request,
               std::optional<NewRecord> record) {
  Claimed result{.recorded = record && !request.dry_run, .at_ms = opened.now_ms};
  if (result.recorded) {
    Commit commit(opened.open, opened.now_ms);
    commit.add(std::move(*record));
    commit.write();
    write_derived(result.notes, [&] { refresh_state(run, opened.open, nullptr, false); });
  }
  result.effect = *opened.effect;
  result.state = std::move(opened.open.history.state);
  return result;
}

/// Was the token ever one of the effect's?
bool was_claim(Dir& run, const EffectSelector& effect, const std::string& token) {
  const auto found = find_effect(run, effect);
  return std::ranges::any_of(found.attempts, [&](const Attempt& attempt) {
    return std::ranges::find(attempt.tokens, token) != attempt.tokens.end();
  });
}

}  // namespace

Claimed extend_claim(Dir& run, const Context& context, const LeaseRequest& request,
                     int64_t lease_ms) {
  auto opened = open_to_lease(run, context, request);
  if (opened.effect == nullptr) refuse_settled(run, request, opened.open.history.state);
  const auto& effect = *opened.effect;
  if (!context.force && !holds(effect, request.token)) refuse_stale_token(effect, request.token);
  if (!effect.claim) {
    throw Error(Exit::kConflict, "NOT_CLAIMED",
                format_effect_id(effect.id) + " is claimed by nobody",
                "claim it: reprise task:claim");
  }
  auto claim = *effect.claim;
  const auto renewed_at_ms = claim.until_ms - claim.lease_ms;
  const bool soon = opened.now_ms < renewed_at_ms + claim.lease_ms / 3;
  if (soon && (lease_ms == 0 || lease_ms == claim.lease_ms)) {
    return finish(run, std::move(opened), request, std::nullopt);
  }
  if (lease_ms != 0) claim.lease_ms = lease_ms;
  auto record = claim_record(effect, claim, context.author);
  return finish(run, std::move(opened), request, std::move(record));
}

Claimed release_claim(Dir& run, const Context& context, const LeaseRequest& request) {
  auto opened = open_to_lease(run, context, request);
  if (opened.effect == nullptr) refuse_settled(run, request, opened.open.history.state);
  const auto& effect = *opened.effect;
  const bool mine = holds(effect, request.token) || (context.force && effect.claim);
  if (!mine && !context.force && !was_claim(run, request.effect, request.token)) {
    refuse_stale_token(effect, request.token);
  }
  std::optional<NewRecord> record;
  if (mine) record = release_record(effect, context.author);
  return finish(run, std::move(opened), request, std::move(record));
}

Claimed report_progress(Dir& run, const Context& context, const LeaseRequest& request,
                        const Value& progress) {
  auto opened = open_to_lease(run, context, request);
  if (opened.effect == nullptr) refuse_settled(run, request, opened.open.history.state);
  const auto& effect = *opened.effect;
  if (!context.force) check_fence(effect, request.token, opened.now_ms, context.host);
  const auto before = load_progress(run, effect, opened.open.reader);
  if (!before.empty() && parse_value(before, "progress").canonical() == progress.canonical()) {
    return finish(run, std::move(opened), request, std::nullopt);
  }
  auto record = progress_record(effect, progress.text, context.author, run);
  return finish(run, std::move(opened), request, std::move(record));
}

NewRecord progress_record(const OpenEffect& effect, std::string_view json, const Author& author,
                          Dir& run) {
  JsonWriter data;
  data.text("effectId", format_effect_id(effect.id)).number("attempt", effect.attempt);
  if (effect.claim) data.text("token", effect.claim->token);
  add_value(data, "progress", json, run);
  return {RecordType::kEffectProgress, 0, 0, data.raw("by", author_json(author)).done()};
}

}  // namespace reprise
