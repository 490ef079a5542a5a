// The order of judgement: who may answer at all, then whether it was answered already, then whether
// it is still the question that was read, then what the answer does.
#include "engine/answer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/approval.h"
#include "engine/attempt.h"
#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "engine/run.h"
#include "engine/schema.h"
#include "engine/task_options.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/value.h"

namespace reprise {

namespace {

std::string answer_json(const Answer& answer, const std::vector<PersonAnswer>& all) {
  JsonWriter json;
  json.raw("approved", answer.approved ? "true" : "false")
      .text_if("option", answer.option)
      .text_if("response", answer.response)
      .text_if("feedback", answer.comment)
      .text("respondedBy", answer.by);
  if (all.empty()) return json.done();
  std::string list = "[";
  for (const auto& each : all) list += (list.size() > 1 ? "," : "") + each.json;
  return json.raw("allResponses", list + "]").done();
}

/// Comments do not count, as in a post that is repeated.
bool same_answer(const Answer& answer, std::string_view recorded) {
  return raw_member(recorded, "approved") == (answer.approved ? "true" : "false") &&
         text_member(recorded, "option") == answer.option &&
         text_member(recorded, "response") == answer.response;
}

[[noreturn]] void refuse_answer(const RunState& state, const std::string& effect,
                                const std::string& what) {
  throw Error(Exit::kConflict, "EFFECT_CONFLICT", effect + " " + what,
              "reprise task:show " + state.run_id + " " + effect + " shows it");
}

void check_may_answer(const Approval& approval, const Answer& answer) {
  const auto id = format_effect_id(approval.effect.request.id);
  if (answer.inside_executor) {
    throw Error(Exit::kForbidden, "NOT_PERMITTED",
                "$REPRISE_EFFECT says that this command runs inside an executor",
                "nobody approves his own work: somebody else answers " + id);
  }
  const auto& approvers = approval.rule.approvers;
  if (approvers.empty() || std::ranges::find(approvers, answer.by) != approvers.end()) return;
  std::string names;
  for (const auto& name : approvers) names += (names.empty() ? "" : ", ") + name;
  throw Error(Exit::kForbidden, "NOT_PERMITTED",
              answer.by + " is not asked: " + id + " asks " + names,
              "one of them answers; --by NAME says who you are");
}

/// The effect is open no longer: the same answer is success, everything else a conflict.
Answered judge_answered(Dir& run, const Approval& approval, const Answer& answer,
                        const RunState& state, JsonReader& reader) {
  const auto id = format_effect_id(approval.effect.request.id);
  const auto result = load_result(run, approval.effect, reader);
  if (approval.effect.status == "cancelled") refuse_answer(state, id, "was cancelled or abandoned");
  if (approval.effect.request.kind != kBreakpoint) {
    const bool denied = approval.effect.denied && approval.effect.status == "resolved_error";
    if (!answer.approved && denied) return {.settled = true, .state = state};
    refuse_answer(state, id, "has a result");
  }
  if (result.value.empty()) refuse_answer(state, id, "ended without an answer");
  if (raw_member(result.value, "expired") == "true") {
    refuse_answer(state, id, "expired: the answer comes too late");
  }
  if (!same_answer(answer, result.value)) refuse_answer(state, id, "was answered in another way");
  return {.settled = true, .state = state};
}

/// An open effect that asks nobody: perhaps a person let it go on before.
Answered judge_running(const Approval& approval, const Answer& answer, const RunState& state) {
  const auto& effect = approval.effect.request;
  const auto id = format_effect_id(effect.id);
  const auto& attempts = approval.effect.attempts;
  if (!attempts.empty() && attempts.back().approved) {
    if (answer.approved) return {.settled = true, .state = state};
    refuse_answer(state, id, "was approved");
  }
  throw Error(Exit::kConflict, "NO_APPROVAL", id + " (" + effect.kind + ") asks nobody",
              "reprise approval:list shows what waits for people");
}

/// What was read is what is asked, or what was asked before it was answered.
void check_expected(const Approval& approval, const Answer& answer, const RunState& state) {
  if (answer.expect.empty() || answer.expect == approval.digest) return;
  throw Error(Exit::kConflict, "APPROVAL_CHANGED",
              "what is asked has the digest " + approval.digest + ", not " + answer.expect,
              "read it again: reprise approval:show " + state.run_id + " " +
                  format_effect_id(approval.effect.request.id));
}

/// One open question, under the run's lock.
class Question {
 public:
  Question(Dir& run, const Context& context, OpenRun& open, const Approval& approval)
      : x_run(run), x_context(context), x_open(open), x_approval(approval) {
    x_author = context.author;
  }

  Answered take(const Answer& answer) {
    x_author.user = answer.by;
    return effect().kind == kBreakpoint ? take_answer(answer) : take_decision(answer);
  }

 private:
  const OpenEffect& effect() const { return x_approval.effect.request; }

  JsonWriter about_effect() const {
    JsonWriter data;
    data.text("effectId", format_effect_id(effect().id)).number("attempt", effect().attempt);
    return data;
  }

  Answered take_answer(const Answer& answer) {
    auto all = x_approval.answers;
    const auto mine = std::ranges::find(all, answer.by, &PersonAnswer::by);
    if (mine != all.end() && same_answer(answer, mine->json)) {
      return {.missing = missing(all), .state = std::move(x_open.history.state)};
    }
    check_not_expired(x_open.history.state, effect(), commit_time(x_open, x_context.clock));
    const auto json = answer_json(answer, {});
    if (json.size() > kInlineValueBytes) {
      throw Error(Exit::kUsage, "ANSWER_TOO_LARGE", "an answer is at most 64 KiB long");
    }
    if (mine == all.end()) {
      all.push_back({answer.by, answer.approved, json});
    } else {
      *mine = {answer.by, answer.approved, json};
    }
    const auto more = answer.approved ? missing(all) : 0;
    auto record = more == 0 ? resolved(answer, all) : progress(json);
    return write(std::move(record), answer.dry_run, more);
  }

  uint64_t missing(const std::vector<PersonAnswer>& all) const {
    const auto approved =
        static_cast<uint64_t>(std::ranges::count_if(all, &PersonAnswer::approved));
    return x_approval.rule.quorum - std::min(approved, x_approval.rule.quorum);
  }

  NewRecord progress(const std::string& json) const {
    auto data = about_effect().raw("answer", json).raw("by", author_json(x_author));
    return {RecordType::kEffectProgress, 0, 0, data.done()};
  }

  NewRecord resolved(const Answer& answer, const std::vector<PersonAnswer>& all) const {
    const bool several = x_approval.rule.quorum > 1;
    const auto value =
        parse_value(answer_json(answer, several ? all : std::vector<PersonAnswer>()), "the answer");
    if (!x_context.force && parse_task_options(effect().options).has_schema) {
      check_output(x_approval.definition, value.text, format_effect_id(effect().id));
    }
    auto data = about_effect()
                    .text("status", "ok")
                    .text("digest", value_digest(value.canonical()))
                    .raw("by", author_json(x_author));
    add_value(data, "value", value.text, x_run);
    return {RecordType::kEffectResolved, 0, 0, data.done()};
  }

  Answered take_decision(const Answer& answer) {
    if (!answer.option.empty() || !answer.response.empty()) {
      throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                  format_effect_id(effect().id) + " asks only whether it may go on",
                  "leave --option and --response out");
    }
    auto data = about_effect();
    if (answer.approved) {
      data.text("status", "approved").text_if("comment", answer.comment);
      data.raw("by", author_json(x_author));
      return write({RecordType::kEffectRetryScheduled, 0, 0, data.done()}, answer.dry_run, 0);
    }
    const auto error = parse_value(x_approval.error, "the recorded error");
    data.text("status", "error").text("digest", error_digest(error.canonical()));
    data.raw("by", author_json(x_author));
    add_value(data, "error", error.text, x_run);
    return write({RecordType::kEffectResolved, 0, 0, data.done()}, answer.dry_run, 0);
  }

  Answered write(NewRecord record, bool dry_run, uint64_t missing) {
    Answered answered{.recorded = !dry_run, .settled = missing == 0, .missing = missing};
    if (!dry_run) {
      answered.at_ms = commit_time(x_open, x_context.clock);
      Commit commit(x_open, answered.at_ms);
      commit.add(std::move(record));
      commit.write();
      write_derived(answered.notes, [&] { refresh_state(x_run, x_open, nullptr, false); });
    }
    answered.state = std::move(x_open.history.state);
    return answered;
  }

  Dir& x_run;
  const Context& x_context;
  OpenRun& x_open;
  const Approval& x_approval;
  Author x_author;
};

}  // namespace

Answered answer_approval(Dir& run, const Context& context, const Answer& answer) {
  auto open = open_run(run, context, Read::kTail);
  const auto& state = open.history.state;
  const auto* effect = find_open(state, answer.effect);
  const auto approval = effect == nullptr
                            ? load_approval(run, find_effect(run, answer.effect), open.reader)
                            : load_approval(run, effect_info(run, *effect), open.reader);
  check_may_answer(approval, answer);
  const bool asks = effect != nullptr && asks_people(*effect);
  std::optional<Answered> before;
  if (effect == nullptr) before = judge_answered(run, approval, answer, state, open.reader);
  if (effect != nullptr && !asks) before = judge_running(approval, answer, state);
  check_expected(approval, answer, state);
  return asks ? Question(run, context, open, approval).take(answer) : std::move(*before);
}

}  // namespace reprise
