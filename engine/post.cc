// The order of judgement is replay.md's, section 4: idempotency first, then the end of the run,
// then conflicts.
#include "engine/post.h"

#include <algorithm>

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "engine/run.h"
#include "engine/task_files.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// What the journal knows of an effect that is not open.
struct PastEffect {
  OpenEffect request;
  std::string status;  ///< of its resolution: "ok", "error", "cancelled"; empty: abandoned at the
                       ///< end of the run
  std::string digest;
  std::string post_key;
  uint32_t attempt = 1;
  int64_t at_ms = 0;
};

/// Searches the whole journal; `state` is what the search folds to.
std::optional<PastEffect> find_past(Dir& run, const EffectSelector& selector) {
  std::optional<PastEffect> found;
  RunState state;
  JsonReader reader;
  read_journal(run, nullptr, Keep::kNothing, [&](const RecordView& record) {
    const auto& data = reader.members(record.data);
    if (record.type == RecordType::kEffectResolved || record.type == RecordType::kEffectCancelled) {
      const auto id = parse_effect_id(data.text("effectId"));
      if (found && id == found->request.id) {
        found->status =
            record.type == RecordType::kEffectCancelled ? "cancelled" : data.text("status");
        found->digest = data.text("digest");
        found->post_key = data.text("key");
        found->attempt = static_cast<uint32_t>(data.number("attempt"));
        found->at_ms = record.at_ms;
      }
    }
    evolve(state, record, data);
    if (record.type == RecordType::kEffectRequested) {
      auto effect = requested_effect(record, data);
      if (names(selector, effect)) found = PastEffect{.request = std::move(effect)};
    }
    const bool open = found && (state.end || state.open.contains(found->request.id));
    if (found && !open && found->status.empty()) found->status = "cancelled";  // by run:cancel
  });
  return found;
}

[[noreturn]] void conflict(const std::string& message, const std::string& hint) {
  throw Error(Exit::kConflict, "EFFECT_CONFLICT", message, hint);
}

/// Two errors are the same by name, message and data: their stacks differ from machine to machine.
std::string posted_digest(const Post& post) {
  if (post.ok) return value_digest(post.value.canonical);
  JsonReader reader;
  const auto& error = reader.members_of_copy(post.value.canonical);
  JsonWriter same;
  for (const auto* name : {"data", "message", "name"}) same.raw_if(name, error.raw(name));
  return value_digest(same.done());
}

void check_invocation_key(const OpenEffect& effect, const Post& post, const RunState& state) {
  const auto key = invocation_key(state.process_id, effect.id, effect.key, effect.task);
  if (post.invocation_key.empty() || post.invocation_key == key) return;
  conflict(format_effect_id(effect.id) + " has the invocation key " + key + ", not " +
               post.invocation_key,
           "the result belongs to another effect");
}

/// The effect is not open: the same result again is success, everything else a conflict.
Posted judge_past(Dir& run, const Post& post, const RunState& state) {
  const auto past = find_past(run, post.effect);
  if (!past) throw no_such_effect(post.effect);
  check_invocation_key(past->request, post, state);
  const bool same_attempt = post.attempt == 0 || post.attempt == past->attempt;
  const bool same = same_attempt && past->status == (post.ok ? "ok" : "error") &&
                    past->digest == posted_digest(post);
  const bool repeated = !post.post_key.empty() && past->post_key == post.post_key;
  if (same || repeated) {
    return {.effect = past->request, .dry_run = post.dry_run, .at_ms = past->at_ms, .state = state};
  }
  const auto id = format_effect_id(past->request.id);
  const auto look = "reprise task:show " + state.run_id + " " + id + " shows what is recorded";
  if (past->status.empty()) conflict(id + " was abandoned when the run ended", look);
  if (past->status == "cancelled") conflict(id + " was cancelled", look);
  if (!same_attempt) {
    conflict(id + " was resolved in attempt " + std::to_string(past->attempt) + ", not " +
                 std::to_string(post.attempt),
             look);
  }
  conflict(id + " was resolved at " + format_time(past->at_ms) + " with another result", look);
}

void check_current(const OpenEffect& effect, const Post& post, const RunState& state) {
  const auto id = format_effect_id(effect.id);
  if (post.attempt != 0 && post.attempt != effect.attempt) {
    conflict(id + " is in attempt " + std::to_string(effect.attempt) + ", not " +
                 std::to_string(post.attempt),
             "post for the current attempt, or leave --attempt out");
  }
  check_invocation_key(effect, post, state);
}

/// Logs are named by the record, so they are durable before it.
std::string keep_log(Dir& run, const OpenEffect& effect, const std::optional<std::string>& bytes,
                     std::string_view file) {
  if (!bytes) return {};
  const auto folder = "tasks/" + format_effect_id(effect.id);
  run.make_dir(folder);
  auto path = folder + "/" + std::string(file);
  replace_file(run, path, *bytes, true);
  run.sync_dir("tasks");
  run.sync_dir("");
  return path;
}

NewRecord resolution(const Post& post, const Posted& posted, const Author& author, Dir& run) {
  JsonWriter data;
  data.text("effectId", format_effect_id(posted.effect.id))
      .number("attempt", posted.effect.attempt)
      .text("status", post.ok ? "ok" : "error")
      .text("digest", posted_digest(post))
      .text_if("key", post.post_key)
      .text_if("stdoutRef", posted.stdout_ref)
      .text_if("stderrRef", posted.stderr_ref)
      .text_if("startedAt", post.started_at)
      .text_if("finishedAt", post.finished_at)
      .raw("by", author_json(author));
  add_value(data, "metadata", post.metadata, run);
  add_value(data, post.ok ? "value" : "error", post.value.text, run);
  return {RecordType::kEffectResolved, 0, 0, data.done()};
}

}  // namespace

Posted post_result(Dir& run, const Context& context, const Post& post) {
  auto open = open_run(run, context, Read::kTail);
  auto& state = open.history.state;
  const auto* effect = find_open(state, post.effect);
  if (effect == nullptr) return judge_past(run, post, state);
  check_current(*effect, post, state);

  Posted posted{
      .effect = *effect, .dry_run = post.dry_run, .at_ms = commit_time(open, context.clock)};
  if (!post.dry_run) {
    posted.stdout_ref = keep_log(run, *effect, post.standard_output, "stdout.log");
    posted.stderr_ref = keep_log(run, *effect, post.standard_error, "stderr.log");
    Commit commit(open, posted.at_ms);
    commit.add(resolution(post, posted, context.author, run));
    commit.write();
    posted.recorded = true;
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
