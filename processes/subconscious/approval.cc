#include "processes/subconscious/approval.h"

#include <algorithm>
#include <array>

#include "processes/subconscious/course.h"
#include "processes/subconscious/prompts.h"
#include "processes/subconscious/texts.h"
#include "processes/subconscious/trouble.h"
#include "unicode/unicode.h"

namespace reprise::subconscious {

using kit::flag_of;
using kit::text_of;

namespace {

constexpr size_t kTitleBytes = 200;
constexpr size_t kDescriptionBytes = 4000;
constexpr size_t kTextBytes = 2000;

/// Words that a text about a broken connection holds; an entry that ends in * is a stem.
constexpr std::array<std::string_view, 12> kConnectionWords = {
    "executor", "executors", "connection", "connections", "integration", "oauth",
    "hook",     "hooks",     "webhook",    "disconnect*", "reconnect*",  "reauth*"};

bool is_connection_word(const std::string& word) {
  return std::ranges::any_of(kConnectionWords, [&](std::string_view entry) {
    if (!entry.ends_with('*')) return word == entry;
    return word.starts_with(entry.substr(0, entry.size() - 1));
  });
}

Json about(const Card& card) {
  return {{"cardId", card.id}, {"taskId", card.task_id}, {"entryId", card.entry_id}};
}

/// The newest card of the task that says the same, when it is settled without having been done.
const Card* said_before(const Loop& loop, const Task& task, const std::string& action) {
  const auto* card = loop.cards.newest_for(task.id, action);
  const bool is_undone =
      card != nullptr && (card->status == "dismissed" || card->status == "failed");
  return is_undone ? card : nullptr;
}

void request_answer(Pen& pen, const Card& card) {
  Json inputs = {{"cardId", card.id},         {"taskId", card.task_id},
                 {"title", card.title},       {"description", card.description},
                 {"priority", card.priority}, {"action", card.action}};
  if (!card.fix.empty()) inputs["fix"] = card.fix;
  pen.request({.noun = std::string(kCard),
               .id = card.id,
               .kind = "breakpoint",
               .task = "heartbeat.card",
               .label = card.title,
               .inputs = std::move(inputs),
               .definition = {{"title", card.title}, {"description", card.description}}});
}

void request_approved(Pen& pen, const Card& card, int attempt) {
  pen.request(
      {.noun = std::string(kApproved),
       .id = card.id + "/" + std::to_string(card.runs) + "/" + std::to_string(attempt),
       .kind = card.kind,
       .task = "heartbeat.approved",
       .label = card.title,
       .inputs = {{"cardId", card.id},
                  {"taskId", card.task_id},
                  {"action", card.action},
                  {"approvedBy", card.by}},
       .definition = {
           {"title", card.title}, {"permission", "full"}, {"prompt", approved_prompt(card)}}});
}

Json executed(const Card& card, bool ok, const std::string& text) {
  auto payload = about(card);
  payload["ok"] = ok;
  payload["text"] = shortened(text, kTextBytes);
  if (ok) payload["advance"] = true;
  if (ok && card.once) payload["completes"] = true;
  return payload;
}

void settle_card(Pen& pen, const Card& card, bool approved, const std::string& by,
                 const std::string& comment, uint64_t withdrawn) {
  auto payload = about(card);
  payload["verdict"] = approved ? "approved" : "dismissed";
  payload["by"] = by;
  if (!comment.empty()) payload["comment"] = comment;
  if (!approved && card.once) {
    payload["advance"] = true;
    payload["completes"] = true;
  }
  pen.emit_withdrawing("heartbeat.card.resolved", std::move(payload), withdrawn);
}

}  // namespace

std::string fix_for(std::string_view text, const std::vector<std::string>& executors) {
  const auto words = unicode::words(text);
  if (!std::ranges::any_of(words, is_connection_word)) return {};
  for (const auto& name : executors) {
    if (text.find(name) != std::string_view::npos) return "reprise executor:test " + name;
  }
  return "reprise doctor";
}

void raise_card(Pen& pen, const Task& task, const Proposal& proposal) {
  if (const auto* before = said_before(pen.state(), task, proposal.action)) {
    const bool denied = before->status == "dismissed";
    return write_entry(
        pen, task,
        {denied ? kDismissed : kFailed,
         (denied ? "Skipped: the same was denied before, " + before->id
                 : "The same was approved and failed: approval:retry, " + before->id),
         denied});
  }
  const auto& loop = pen.state();
  Card card;
  card.id = "card-" + std::to_string(loop.cards.raised + 1);
  card.task_id = task.id;
  card.entry_id = loop.ticks.current.id + "/" + task.id;
  card.title = shortened(unicode::collapsed(proposal.action), kTitleBytes);
  card.description = shortened(proposal.description, kDescriptionBytes);
  card.action = proposal.action;
  card.priority = proposal.priority;
  card.fix = fix_for(proposal.action + "\n" + proposal.description, loop.ticks.current.executors);
  card.kind = proposal.kind;
  card.once = task.recurrence == "once";
  auto raised = card.to_json();
  for (const char* later : {"status", "effect", "runs", "raised"}) raised.erase(later);
  pen.emit("heartbeat.card.raised", raised);
  request_answer(pen, card);
  write_entry(pen, task, {kAwaiting, "Waiting for approval", true});
}

void resolve_card(Pen& pen, const kit::Result& result) {
  const auto* known = pen.state().cards.find(result.owner.id);
  if (known == nullptr || known->status != "pending") return;
  const auto card = *known;  // what is written moves the state
  const bool approved = result.ok && flag_of(result.value, "approved");
  const auto by = text_of(result.value, "respondedBy", result.cancelled ? "task:cancel" : "");
  settle_card(pen, card, approved, by, text_of(result.value, "feedback"), 0);
  if (approved) request_approved(pen, Card(*pen.state().cards.find(card.id)), 1);
}

void resolve_approved(Pen& pen, const kit::Result& result) {
  const auto key = parse_work_key(result.owner.id);
  const auto* known = pen.state().cards.find(key.subject);
  if (known == nullptr || known->status != "approved" || known->runs != key.run) return;
  const auto card = *known;
  if (result.ok) {
    return pen.emit("heartbeat.card.executed", executed(card, true, words_of(result.value)));
  }
  const auto run = card.id + "/" + std::to_string(card.runs);
  if (try_again(pen, result, kApproved, run, key.attempt)) return;
  pen.emit("heartbeat.card.executed", executed(card, false, error_text(result)));
  pause_if_permanent(pen, result, card.title + " failed: " + error_text(result));
}

void go_on_with_card(Pen& pen, const WorkKey& key) {
  const auto* card = pen.state().cards.find(key.subject);
  if (card == nullptr || card->status != "approved" || card->runs != key.run) return;
  request_approved(pen, Card(*card), key.attempt);
}

void retry_card(Pen& pen, const Card& card, const std::string& by) {
  auto payload = about(card);
  payload["by"] = by;
  pen.emit("heartbeat.card.retried", payload);
  request_approved(pen, Card(*pen.state().cards.find(card.id)), 1);
}

void withdraw_card(Pen& pen, const Card& card, const std::string& by) {
  settle_card(pen, card, false, by, {}, card.effect);
}

void abandon_card(Pen& pen, const Card& card, uint64_t effect, const std::string& why) {
  pen.emit_withdrawing("heartbeat.card.executed", executed(card, false, why), effect);
}

}  // namespace reprise::subconscious
