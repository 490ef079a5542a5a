#include "processes/subconscious/signals.h"

#include <algorithm>
#include <array>

#include "processes/kit/fields.h"
#include "processes/subconscious/approval.h"
#include "processes/subconscious/course.h"
#include "processes/subconscious/work_key.h"

namespace reprise::subconscious {

using kit::Fields;
using kit::member_of;
using kit::number_of;
using kit::text_of;

namespace {

constexpr size_t kReasonBytes = 2000;
constexpr int64_t kMostBudgetBytes = int64_t{16} * 1024 * 1024;

Refusal conflict(const char* code, const std::string& message, const std::string& hint) {
  return {Refusal::Kind::kConflict, code, message, hint};
}

bool holds_only(const Json& object, bool (Json::*is)() const noexcept) {
  return std::ranges::all_of(object, [&](const Json& member) { return (member.*is)(); });
}

std::optional<Refusal> check_tick(const Loop& loop, const Json& value) {
  Fields fields(value, "INVALID_TICK");
  fields.text("trigger").whole("window", 0).whole("budgetBytes", 0, kMostBudgetBytes);
  fields.object("sections").object("next").text("writeTasks").texts("executors");
  fields.refuse_if(!holds_only(member_of(value, "sections"), &Json::is_string),
                   "sections must be texts");
  fields.refuse_if(!holds_only(member_of(value, "next"), &Json::is_number_integer),
                   "next must be times");
  if (auto refusal = fields.refusal()) return refusal;
  if (!value.contains("window")) return std::nullopt;
  if (loop.pause.is_on()) {
    return conflict("HEARTBEAT_PAUSED", "the loop is paused: " + loop.pause.reason,
                    "reprise heartbeat:resume");
  }
  if (number_of(value, "window") > loop.ticks.last_window) return std::nullopt;
  return conflict("WINDOW_DONE", "a tick of this window, or of a later one, was opened before", "");
}

std::optional<Refusal> check_pause(const Loop&, const Json& value) {
  return Fields(value, "INVALID_SIGNAL").text("reason", kReasonBytes).text("by").refusal();
}

void apply_pause(Pen& pen, const Json& value, uint64_t) {
  if (pen.state().pause.is_on()) return;
  pen.emit("heartbeat.paused",
           {{"reason", text_of(value, "reason", "paused")}, {"by", text_of(value, "by")}});
}

void apply_resume(Pen& pen, const Json& value, uint64_t) {
  if (!pen.state().pause.is_on()) return;
  pen.emit("heartbeat.resumed", {{"by", text_of(value, "by")}});
}

std::optional<Refusal> check_abandon(const Loop& loop, const Json& value) {
  if (auto refusal = Fields(value, "INVALID_SIGNAL").needs_text("taskId").text("by").refusal()) {
    return refusal;
  }
  const auto id = text_of(value, "taskId");
  const auto* task = loop.tasks.find(id);
  if (task == nullptr) {
    return Refusal{Refusal::Kind::kNotFound, "TASK_NOT_FOUND", "there is no task \"" + id + "\"",
                   "reprise heartbeat:tasks lists them"};
  }
  if (!loop.full_work_of(*task).empty()) return std::nullopt;
  return conflict("NOTHING_TO_ABANDON", "nothing with full permission is unresolved for " + id, "");
}

void apply_abandon(Pen& pen, const Json& value, uint64_t) {
  const auto& loop = pen.state();
  const auto task = *loop.tasks.find(text_of(value, "taskId"));
  const auto key = loop.full_work_of(task);
  const auto owner = kit::parse_owner(key);
  const auto effect = loop.effects.find(owner.noun, owner.id);
  const auto by = text_of(value, "by");
  const auto why = "abandoned" + (by.empty() ? "" : " by " + by);
  if (owner.noun == kApproved) {
    const auto card = *loop.cards.find(parse_work_key(owner.id).subject);
    abandon_card(pen, card, effect, why);
  } else if (!task.outstanding.empty()) {
    pen.emit_withdrawing("heartbeat.task.abandoned",
                         {{"taskId", task.id}, {"key", key}, {"by", by}}, effect);
  } else {
    write_entry(pen, task, {kCancelled, "Cancelled: " + why}, effect);
    settle(pen);
  }
}

const Card* card_of(const Loop& loop, const Json& value) {
  return loop.cards.find_effect(static_cast<uint64_t>(number_of(value, "effect")));
}

std::optional<Refusal> check_retry(const Loop& loop, const Json& value) {
  Fields fields(value, "INVALID_SIGNAL");
  fields.whole("effect", 1).text("by");
  fields.refuse_if(member_of(value, "effect").is_null(), "effect is missing");
  if (auto refusal = fields.refusal()) return refusal;
  const auto* card = card_of(loop, value);
  if (card == nullptr) {
    return Refusal{Refusal::Kind::kNotFound, "CARD_NOT_FOUND", "this effect is no approval card",
                   "reprise approval:list shows what waits"};
  }
  if (card->status == "failed") return std::nullopt;
  return conflict("CARD_NOT_FAILED", card->id + " is " + card->status,
                  "only what was approved and failed can be tried again");
}

void apply_retry(Pen& pen, const Json& value, uint64_t) {
  retry_card(pen, Card(*card_of(pen.state(), value)), text_of(value, "by"));
}

constexpr SignalSpec kTick = {"heartbeat.tick", check_tick, open_tick};
constexpr SignalSpec kPause = {"heartbeat.pause", check_pause, apply_pause};
constexpr SignalSpec kResume = {"heartbeat.resume", check_pause, apply_resume};
constexpr SignalSpec kAbandon = {"heartbeat.abandon", check_abandon, apply_abandon};
constexpr SignalSpec kRetry = {"approval.retry", check_retry, apply_retry};
constexpr std::array kSignals = {&kTick,        &kPause,      &kResume,     &kAbandon,
                                 &kRetry,       &kTaskAdd,    &kTaskEdit,   &kTaskEnable,
                                 &kTaskDisable, &kTaskRemove, &kTasksImport};

}  // namespace

const SignalSpec* find_signal(std::string_view name) {
  for (const auto* spec : kSignals) {
    if (spec->name == name) return spec;
  }
  return nullptr;
}

}  // namespace reprise::subconscious
