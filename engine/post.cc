// The order of judgement is replay.md's, section 4: idempotency first, then the end of the run,
// then conflicts.
#include "engine/post.h"

#include <algorithm>
#include <functional>

#include "engine/approval.h"
#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/fence.h"
#include "engine/inspect.h"
#include "engine/json_writer.h"
#include "engine/limits.h"
#include "engine/run.h"
#include "engine/schema.h"
#include "engine/task_files.h"
#include "engine/task_log.h"
#include "engine/task_options.h"
#include "journal/error.h"

namespace reprise {

namespace {

[[noreturn]] void refuse_post(const std::string& message, const std::string& hint) {
  throw Error(Exit::kConflict, "EFFECT_CONFLICT", message, hint);
}

std::string posted_digest(const Post& post) {
  return post.ok ? value_digest(post.value.canonical()) : error_digest(post.value.canonical());
}

void check_invocation_key(const OpenEffect& effect, const Post& post, const RunState& state) {
  const auto key = invocation_key(state.process_id, effect.id, effect.key, effect.task);
  if (post.invocation_key.empty() || post.invocation_key == key) return;
  refuse_post(format_effect_id(effect.id) + " has the invocation key " + key + ", not " +
                  post.invocation_key,
              "the result belongs to another effect");
}

/// The attempt that the post names by number or token; 0 when it names none that is known.
uint32_t meant_attempt(const Post& post, const EffectInfo& effect) {
  if (post.attempt != 0 || post.token.empty()) return post.attempt;
  for (const auto& attempt : effect.attempts) {
    if (std::ranges::find(attempt.tokens, post.token) != attempt.tokens.end()) {
      return attempt.number;
    }
  }
  return 0;
}

/// Is this the outcome that the attempt had?
bool is_repeat(const Post& post, std::string_view status, std::string_view digest,
               std::string_view key) {
  if (!post.post_key.empty() && key == post.post_key) return true;
  return status == (post.ok ? "ok" : "error") && digest == posted_digest(post);
}

/// "attempt 1 of t1 was lost at 2026-..."
std::string what_happened(const EffectInfo& effect, const Attempt& attempt) {
  const auto ended = attempt.status == "lost"    ? "was lost"
                     : attempt.status == "error" ? "ended with an error"
                                                 : "has a result";
  return "attempt " + std::to_string(attempt.number) + " of " +
         format_effect_id(effect.request.id) + " " + ended + " at " + format_time(attempt.at_ms);
}

/// The attempt that ended with a post of this key: a repeat of it means that one, however many
/// followed.
const Attempt* find_key(const EffectInfo& effect, const Post& post) {
  if (post.post_key.empty()) return nullptr;
  const auto found = std::ranges::find(effect.attempts, post.post_key, &Attempt::key);
  return found == effect.attempts.end() ? nullptr : &*found;
}

/// Can a result of the effect still be taken down, though nobody waits for it?
bool takes_late(const EffectInfo& effect, const RunState& state) {
  const bool over = state.end && state.end->type != RecordType::kRunFailed;
  return effect.withdrawn && !over;
}

/// The attempt that was open when the process gave the effect up.
uint32_t open_attempt(const EffectInfo& effect) {
  const bool ended = !effect.attempts.empty() && effect.attempts.back().status != "open";
  return effect.request.attempt + (ended ? 1 : 0);
}

/// A result of work that the process has given up: once for each attempt.
Posted judge_late(const EffectInfo& effect, uint32_t attempt, const Post& post,
                  const RunState& state) {
  Posted posted{.effect = effect.request, .late = true, .dry_run = post.dry_run};
  posted.effect.attempt = attempt;
  const auto id = format_effect_id(effect.request.id);
  for (const auto& known : effect.late) {
    if (known.number != attempt) continue;
    if (!is_repeat(post, known.status, known.digest, known.key)) {
      refuse_post("attempt " + std::to_string(attempt) + " of " + id + " has a late result of " +
                      format_time(known.at_ms) + "; this is another one",
                  "reprise task:show " + state.run_id + " " + id + " shows what is recorded");
    }
    posted.at_ms = known.at_ms;
  }
  return posted;
}

/// Judged by the whole journal, for posts that mean something that is over: the outcome again is
/// success, what comes for an effect that was withdrawn is late, everything else a conflict.
Posted judge_past(Dir& run, const Post& post, const RunState& state) {
  const auto effect = find_effect(run, post.effect);
  check_invocation_key(effect.request, post, state);
  const auto meant = meant_attempt(post, effect);
  const Attempt* last = find_key(effect, post);
  const bool keyed = last != nullptr;
  for (const auto& attempt : effect.attempts) {
    if (keyed || attempt.status == "open" || (meant != 0 && attempt.number != meant)) continue;
    last = &attempt;
  }
  if (last != nullptr && is_repeat(post, last->status, last->digest, last->key)) {
    Posted repeated{.effect = effect.request, .dry_run = post.dry_run, .at_ms = last->at_ms};
    repeated.effect.attempt = last->number;
    return repeated;
  }
  if (takes_late(effect, state)) {
    const auto attempt = meant != 0 ? meant : open_attempt(effect);
    if (meant == 0 && !post.token.empty()) refuse_stale_token(effect.request, post.token);
    const bool ended = last != nullptr && last->number == attempt;
    if (!ended && attempt <= open_attempt(effect)) {
      return judge_late(effect, attempt, post, state);
    }
  }
  const auto id = format_effect_id(effect.request.id);
  const auto look = "reprise task:show " + state.run_id + " " + id + " shows what is recorded";
  if (effect.status == "voided")
    refuse_post(id + " is void: the run was taken back behind it", look);
  if (effect.status == "cancelled") refuse_post(id + " was cancelled or abandoned", look);
  if (last != nullptr && last->number == effect.request.attempt) {
    refuse_post(what_happened(effect, *last) + "; this is another one", look);
  }
  if (last != nullptr) {
    throw Error(Exit::kConflict, post.attempt == 0 ? "CLAIM_STALE" : "EFFECT_CONFLICT",
                what_happened(effect, *last) + "; now it is in attempt " +
                    std::to_string(effect.request.attempt),
                "the result comes too late; " + look);
  }
  if (meant != 0 && meant != effect.request.attempt) {
    refuse_post(id + " is in attempt " + std::to_string(effect.request.attempt) + ", not " +
                    std::to_string(meant),
                "post for the current attempt, or leave --attempt out");
  }
  refuse_stale_token(effect.request, post.token);
}

/// Does the post mean something else than the present attempt of an open effect?
bool means_past(const OpenEffect& effect, const Post& post, bool force, Dir& run) {
  if (post.attempt != 0 && post.attempt != effect.attempt) return true;
  if (effect.past && !post.post_key.empty() && find_key(find_effect(run, post.effect), post)) {
    return true;
  }
  // What the engine itself finds out again, of a child or a signal, is found out anew.
  const bool named = post.attempt != 0 || !post.token.empty();
  if (effect.past && !post.by_engine &&
      (!named || post.token == effect.past->token || !post.post_key.empty()) &&
      is_repeat(post, effect.past->status, effect.past->digest, effect.past->key)) {
    return post.attempt == 0 || post.attempt == effect.past->attempt || !post.post_key.empty();
  }
  const bool held = effect.claim && effect.claim->token == post.token;
  return !post.token.empty() && !held && !force;
}

/// Does a breakpoint say who may answer it, or how many must?
bool names_approvers(const EffectRequest& request) {
  const auto rule = approval_rule(request);
  return !rule.approvers.empty() || rule.quorum > 1;
}

/// A breakpoint is a question to people.
void check_may_post(const OpenEffect& effect, const Post& post, const RunState& state, bool force,
                    const std::function<EffectRequest()>& request) {
  if (effect.kind != "breakpoint") return;
  const auto id = format_effect_id(effect.id);
  if (post.inside_executor) {
    throw Error(
        Exit::kForbidden, "NOT_PERMITTED",
        id + " is a question to people, and $REPRISE_EFFECT says that this command runs "
             "inside an executor",
        "an agent does not approve itself: somebody else answers " + state.run_id + " " + id);
  }
  if (force || post.for_people || !names_approvers(request())) return;
  throw Error(Exit::kForbidden, "NOT_PERMITTED", id + " says who may answer it",
              "reprise approval:approve " + state.run_id + " " + id +
                  " does; --force answers it all the same");
}

void check_open(const OpenEffect& effect, const Post& post, const Context& context, Dir& run,
                OpenRun& open) {
  const auto& state = open.history.state;
  const auto request = [&] { return load_request(run, effect.place, open.reader); };
  check_invocation_key(effect, post, state);
  check_may_post(effect, post, state, context.force, request);
  check_not_expired(state, effect, commit_time(open, context.clock));
  if (context.force && !post.by_engine) return;
  check_fence(effect, post.token, commit_time(open, context.clock), context.host);
  if (post.ok && parse_task_options(effect.options).has_schema) {
    check_output(request().definition, post.value.text, format_effect_id(effect.id));
  }
}

/// Logs are named by the record, so they are durable before it. Each attempt has its own.
std::string keep_log(Dir& run, const OpenEffect& effect, const std::optional<std::string>& bytes,
                     const std::string& ref, std::string_view stream) {
  const auto id = format_effect_id(effect.id);
  auto path = task_log_path(id, effect.attempt, stream);
  if (!ref.empty() && (ref != path || !run.stat(ref))) {
    throw Error(Exit::kUsage, "LOG_NOT_FOUND",
                ref + " is no log of attempt " + std::to_string(effect.attempt) + " of " + id,
                "whoever performs the effect writes it to " + path);
  }
  if (!ref.empty() || !bytes) return ref;
  run.make_dir("tasks/" + id);
  replace_file(run, path, *bytes, true);
  run.sync_dir("tasks");
  run.sync_dir("");
  return path;
}

NewRecord outcome(const Post& post, const Posted& posted, const Author& author, Dir& run) {
  const auto& followup = posted.followup;
  JsonWriter data;
  data.text("effectId", format_effect_id(posted.effect.id))
      .number("attempt", posted.effect.attempt)
      .text("status", post.ok ? "ok" : "error")
      .text("digest", posted_digest(post))
      .text_if("key", post.post_key);
  if (followup.again && posted.effect.claim) data.text("token", posted.effect.claim->token);
  data.text_if("stdoutRef", posted.stdout_ref)
      .text_if("stderrRef", posted.stderr_ref)
      .text_if("startedAt", post.started_at)
      .text_if("finishedAt", post.finished_at)
      .raw("by", author_json(author));
  add_value(data, "metadata", post.metadata, run);
  add_value(data, post.ok ? "value" : "error", post.value.text, run);
  add_followup(data, followup);
  return {posted.late ? RecordType::kEffectLate : type_of(followup), 0, 0, data.done()};
}

Posted record_post(Commit& commit, Dir& run, const Context& context, const Post& post,
                   Posted posted) {
  posted.at_ms = commit.at_ms();
  if (post.dry_run) return posted;
  const auto& effect = posted.effect;
  posted.stdout_ref = keep_log(run, effect, post.standard_output, post.stdout_ref, "stdout");
  posted.stderr_ref = keep_log(run, effect, post.standard_error, post.stderr_ref, "stderr");
  commit.add(outcome(post, posted, context.author, run));
  posted.recorded = true;
  return posted;
}

}  // namespace

Posted add_post(Commit& commit, Dir& run, const Context& context, const Post& post) {
  check_name_length(post.post_key, "the key of the post");
  auto& open = commit.open();
  const auto& state = open.history.state;
  const auto* effect = find_open(state, post.effect);
  if (effect == nullptr || means_past(*effect, post, context.force, run)) {
    auto past = judge_past(run, post, state);
    const bool is_new = past.late && past.at_ms == 0;
    return is_new ? record_post(commit, run, context, post, std::move(past)) : past;
  }
  check_open(*effect, post, context, run, open);

  Posted posted{.effect = *effect, .dry_run = post.dry_run};
  if (!post.ok) posted.followup = after_error(*effect, post.value.text, commit.at_ms());
  return record_post(commit, run, context, post, std::move(posted));
}

Posted post_result(Dir& run, const Context& context, const Post& post) {
  auto open = open_run(run, context, Read::kTail);
  Commit commit(open, commit_time(open, context.clock));
  auto posted = add_post(commit, run, context, post);
  if (posted.recorded) {
    commit.write();
    write_derived(posted.notes, [&] { refresh_state(run, open, nullptr, false); });
  }
  posted.state = std::move(open.history.state);
  return posted;
}

Value parse_error_value(std::string_view text, std::string_view what) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool object = first != std::string_view::npos && text[first] == '{';
  const bool string = first != std::string_view::npos && text[first] == '"';
  JsonWriter error;
  error.text("name", "Error");
  if (!object && !string) return parse_value(error.text("message", text).done(), what);
  auto value = parse_value(text, what);
  if (string) return parse_value(error.raw("message", value.text).done(), what);
  JsonReader reader;
  const auto& given = reader.members_of_copy(value.text);
  const auto message = given.raw("message");
  if (!message.starts_with('"')) {
    throw Error(Exit::kUsage, "INVALID_ERROR",
                std::string(what) + ": an error needs a \"message\", a string",
                R"(as in {"name":"BuildError","message":"exit code 2","data":{"exitCode":2}})");
  }
  if (given.has("name")) return value;
  JsonWriter named;
  named.text("name", "Error");
  for (const auto& member : given)
    named.raw(unquote("\"" + std::string(member.name) + "\""), member.raw);
  return parse_value(named.done(), what);
}

}  // namespace reprise
