// task:post: the result of an effect, taken once however often it is posted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/attempt.h"
#include "engine/context.h"
#include "engine/effect_selector.h"
#include "engine/run_state.h"
#include "journal/files.h"
#include "journal/value.h"

namespace reprise {

class Commit;

/// A result as posted. `value` is the result when ok, else the error:
/// {"name"?,"message","stack"?,"data"?}, checked by parse_error_value.
struct Post {
  EffectSelector effect;
  bool ok = true;
  Value value;
  std::string post_key;          ///< --key: any repeat of the same post is a no-op
  uint32_t attempt = 0;          ///< 0: not said
  std::string token;             ///< of the poster's claim; empty: none
  bool inside_executor = false;  ///< who posts performs an effect: it may not approve anything
  bool by_engine = false;        ///< the end of a child run: nobody's --force is about it
  bool for_people = false;       ///< a rehearsal: this stands for the answer of all who are asked
  std::string invocation_key;    ///< must match when given
  std::optional<std::string> standard_output;  ///< bytes kept as tasks/<id>/stdout.log
  std::optional<std::string> standard_error;
  /// Instead of the bytes: the attempt's log of task_log.h, which is there and synced.
  std::string stdout_ref;
  std::string stderr_ref;
  std::string started_at;  ///< as given, checked times; empty: not said
  std::string finished_at;
  std::string metadata;  ///< a JSON object, or empty
  bool dry_run = false;
};

struct Posted {
  OpenEffect effect;  ///< before the post; its attempt is the one that the result counts for
  bool recorded =
      false;  ///< false: this very result was recorded before, nothing changed (or a dry run)
  bool late = false;  ///< the process had withdrawn the effect: for people only, nothing follows
  bool dry_run = false;
  Followup followup;       ///< of an error: whether another attempt follows
  std::string stdout_ref;  ///< relative to the run; empty: none
  std::string stderr_ref;
  int64_t at_ms = 0;               ///< of the record
  RunState state;                  ///< after the post; left empty by add_post
  std::vector<std::string> notes;  ///< what write_derived says
};

/// Idempotency comes first: the same outcome again of the attempt that the post means, or a repeat
/// of its key, changes nothing and succeeds. A post without attempt and token means the last
/// outcome, when it is the same, and else the present attempt. What comes for an effect that the
/// process has withdrawn is recorded as it is, once for each attempt, and changes nothing. Errors:
///   EFFECT_NOT_FOUND (exit 3)
///   EFFECT_CONFLICT (exit 4): another result is recorded, the attempt is over, the effect was
///     cancelled or abandoned, the question has expired
///   EFFECT_CLAIMED, CLAIM_STALE (exit 4): somebody else's lease lives; the token is of a claim
///   that
///     is over. With context.force neither is looked at.
///   OUTPUT_INVALID, SCHEMA_INVALID (exit 2): see schema.h; recorded with context.force all the
///   same NOT_PERMITTED (exit 13): a breakpoint answered from inside an executor, or one that names
///   its
///     approvers (recorded with context.force)
///   LOG_NOT_FOUND (exit 2): stdout_ref or stderr_ref is not the attempt's log, or is not there
/// and those of open_run. Durable when it returns.
Posted post_result(Dir& run, const Context& context, const Post& post);

/// The same as a part of a commit that is being made: judged by the state with what was added
/// before, recorded when the commit is written. An error leaves the commit as it was.
Posted add_post(Commit& commit, Dir& run, const Context& context, const Post& post);

/// What task:post takes as an error: an object with a message, a JSON string, or plain text.
Value parse_error_value(std::string_view text, std::string_view what);

}  // namespace reprise
