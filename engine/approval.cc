#include "engine/approval.h"

#include <algorithm>
#include <charconv>

#include "engine/run.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

/// The member where the routing has it, else where the payload does.
std::string routed(const EffectRequest& request, std::string_view name) {
  auto raw = raw_member(raw_member(request.definition, kBreakpoint), name);
  return raw.empty() ? raw_member(request.inputs, name) : raw;
}

PersonAnswer read_answer(std::string json) {
  JsonReader reader;
  const auto& members = reader.members_of_copy(json);
  return {members.text("respondedBy"), members.flag("approved"), std::move(json)};
}

/// The last answer of each person, in the order of their first ones.
std::vector<PersonAnswer> read_answers(Dir& run, const OpenEffect& effect, JsonReader& reader) {
  std::vector<PersonAnswer> answers;
  for (const auto& place : effect.answers) {
    std::string buffer;
    auto answer = read_answer(std::string(read_data(run, place, buffer, reader).raw("answer")));
    const auto same = std::ranges::find(answers, answer.by, &PersonAnswer::by);
    if (same == answers.end()) {
      answers.push_back(std::move(answer));
    } else {
      *same = std::move(answer);
    }
  }
  return answers;
}

std::string question_in(const std::string& inputs) {
  auto question = text_member(inputs, "question");
  return question.empty() ? text_member(inputs, "title") : question;
}

/// What the last attempt that is over ended with.
std::string last_error(Dir& run, const EffectInfo& effect, JsonReader& reader) {
  std::string error;
  for (const auto& attempt : effect.attempts) {
    if (attempt.status != "open") error = load_error(run, attempt, reader);
  }
  return error;
}

}  // namespace

ApprovalRule approval_rule(const EffectRequest& request) {
  ApprovalRule rule;
  const auto approvers = routed(request, "approvers");
  if (approvers.starts_with('[')) {
    for (const auto name : array_elements(approvers)) {
      if (name.starts_with('"')) rule.approvers.push_back(unquote(name));
    }
  }
  const auto quorum = routed(request, "quorum");
  std::from_chars(quorum.data(), quorum.data() + quorum.size(), rule.quorum);
  // In a payload nobody looked whether so many can be found.
  const auto most = rule.approvers.empty() ? rule.quorum : rule.approvers.size();
  rule.quorum = std::max<uint64_t>(std::min<uint64_t>(rule.quorum, most), 1);
  return rule;
}

std::string text_member(std::string_view object, std::string_view name) {
  if (!object.starts_with('{')) return {};
  JsonReader reader;
  const auto raw = reader.members_of_copy(object).raw(name);
  return raw.starts_with('"') ? unquote(raw) : std::string();
}

std::string raw_member(std::string_view object, std::string_view name) {
  if (!object.starts_with('{')) return {};
  JsonReader reader;
  return std::string(reader.members_of_copy(object).raw(name));
}

Approval load_approval(Dir& run, EffectInfo effect, JsonReader& reader) {
  auto request = load_request(run, effect.request.place, reader);
  Approval approval;
  approval.payload = request.inputs;
  if (effect.request.kind == kBreakpoint) {
    approval.question = question_in(request.inputs);
    approval.options = raw_member(request.inputs, "options");
    approval.rule = approval_rule(request);
    approval.answers = read_answers(run, effect.request, reader);
  } else {
    approval.error = last_error(run, effect, reader);
  }
  approval.digest = digest128(request.inputs + "\n" + request.definition + "\n" +
                              std::to_string(effect.request.attempt));
  approval.definition = std::move(request.definition);
  approval.effect = std::move(effect);
  return approval;
}

std::string title_of(Dir& run, const OpenEffect& effect, JsonReader& reader) {
  if (effect.kind != kBreakpoint) return effect.label;
  const auto question = question_in(load_request(run, effect.place, reader).inputs);
  return question.empty() ? effect.label : question;
}

EffectInfo effect_info(Dir& run, const OpenEffect& effect) {
  if (effect.kind == kBreakpoint) return {.request = effect};
  return find_effect(run, {effect.id, {}});
}

bool asks_people(const OpenEffect& effect) {
  return effect.kind == kBreakpoint || !effect.held.empty();
}

bool question_expired(const OpenEffect& effect, int64_t now_ms) {
  return effect.kind == kBreakpoint && effect.due_ms != 0 && effect.due_ms <= now_ms;
}

void check_not_expired(const RunState& state, const OpenEffect& effect, int64_t now_ms) {
  if (!question_expired(effect, now_ms)) return;
  throw Error(
      Exit::kConflict, "EFFECT_CONFLICT",
      format_effect_id(effect.id) + " expired at " + format_time(effect.due_ms) +
          ": the answer comes too late",
      "reprise run:iterate " + state.run_id + " tells the run that nobody answered in time");
}

std::vector<Approval> list_approvals(Dir& run, const RunState& state, JsonReader& reader) {
  std::vector<Approval> approvals;
  for (const auto& [id, effect] : state.open) {
    if (asks_people(effect)) {
      approvals.push_back(load_approval(run, effect_info(run, effect), reader));
    }
  }
  return approvals;
}

Approval find_approval(Dir& run, const EffectSelector& selector, JsonReader& reader) {
  auto effect = find_effect(run, selector);
  if (asks_people(effect.request)) return load_approval(run, std::move(effect), reader);
  throw Error(Exit::kConflict, "NO_APPROVAL",
              format_effect_id(effect.request.id) + " (" + effect.request.kind + ") asks nobody",
              "reprise approval:list shows what waits for people");
}

}  // namespace reprise
