#include "processes/channel/queue.h"

#include <algorithm>

#include "processes/channel/rows.h"
#include "processes/channel/scribe.h"

namespace reprise::channel {

namespace {

/// Whose fate is remembered; the journal knows all of them.
constexpr size_t kFates = 100;

Queued parse_queued(const Json& json, MessagePtr message) {
  return {.message = std::move(message),
          .priority = number_of(json, "priority"),
          .not_before_ms = number_of(json, "notBefore"),
          .mode = text_of(json, "mode"),
          .role = text_of(json, "role"),
          .trace = static_cast<uint64_t>(number_of(json, "signal"))};
}

Json stored_fate(const Fate& fate) {
  return {fate.msg_id, fate.row, fate.queued, fate.reason, fate.run_id, fate.cause, fate.decision};
}

Fate restored_fate(const Json& stored) {
  return {.msg_id = stored.at(0),
          .row = stored.at(1),
          .queued = stored.at(2),
          .reason = stored.at(3),
          .run_id = stored.at(4),
          .cause = stored.at(5),
          .decision = stored.at(6)};
}

}  // namespace

const Queued* Queue::head(int64_t now_ms) const {
  const Queued* best = nullptr;
  for (const auto& queued : waiting) {
    if (queued.not_before_ms > now_ms) continue;
    if (best == nullptr || queued.priority > best->priority) best = &queued;
  }
  return best;
}

const Queued* Queue::find(const std::string& msg_id) const {
  const auto found = std::ranges::find_if(
      waiting, [&](const Queued& queued) { return queued.message->msg_id == msg_id; });
  return found == waiting.end() ? nullptr : &*found;
}

const Fate* Queue::fate(const std::string& msg_id) const {
  const auto found = std::find_if(fates.rbegin(), fates.rend(),
                                  [&](const Fate& fate) { return fate.msg_id == msg_id; });
  return found == fates.rend() ? nullptr : &*found;
}

Fate* Queue::fate(const Json& msg_id) {
  return const_cast<Fate*>(std::as_const(*this).fate(msg_id.get_ref<const std::string&>()));
}

std::vector<const Queued*> Queue::in_order(int64_t now_ms) const {
  std::vector<const Queued*> order;
  for (const auto& queued : waiting) order.push_back(&queued);
  const auto time = [&](const Queued* it) {
    return it->not_before_ms > now_ms ? it->not_before_ms : 0;
  };
  std::ranges::stable_sort(order, [&](const Queued* left, const Queued* right) {
    if (time(left) != time(right)) return time(left) < time(right);
    return left->priority > right->priority;
  });
  return order;
}

void Queue::receive(const Event& event, const Transcript& transcript, bool keeps_all) {
  const auto& payload = event.payload;
  const auto msg_id = text_of(payload, "msgId");
  const bool queued =
      flag_of(payload, "triggered") && flag_of(payload, "allowed") && !payload.contains("command");
  fates.push_back({.msg_id = msg_id,
                   .row = static_cast<uint64_t>(number_of(payload, "row")),
                   .queued = queued,
                   .reason = text_of(payload, "reason"),
                   .run_id = {},
                   .cause = {},
                   .decision = {}});
  if (fates.size() > kFates && !keeps_all) fates.pop_front();
  auto message = queued ? transcript.find(msg_id) : nullptr;
  if (message != nullptr) waiting.push_back(parse_queued(payload, std::move(message)));
}

void Queue::remove(const Json& msg_ids) {
  for (const auto& id : msg_ids) {
    waiting.remove_if([&](const Queued& queued) { return queued.message->msg_id == id; });
  }
}

void Queue::evolve(const Event& event, const Transcript& transcript, bool keeps_all) {
  const auto& payload = event.payload;
  if (event.type == "channel.message.received") {
    receive(event, transcript, keeps_all);
  } else if (event.type == "message.claimed") {
    claimed_priority = number_of(payload, "priority");
    remove({payload.at("msgId")});
    if (auto* it = fate(payload.at("msgId"))) it->run_id = text_of(payload, "runId");
  } else if (event.type == "channel.route.decided" && payload.contains("msgId")) {
    if (auto* it = fate(payload.at("msgId"))) it->decision = payload.dump();
  } else if (event.type == "message.deleted") {
    remove(payload.at("msgIds"));
  } else if (event.type == "messages.processed") {
    remove(payload.at("msgIds"));
    for (const auto& id : payload.at("msgIds")) {
      if (auto* it = fate(id)) it->cause = text_of(payload, "cause");
    }
  } else if (event.type == "queue.reordered") {
    const auto& ids = payload.at("msgIds");
    for (auto& queued : waiting) {
      const auto found = std::ranges::find(ids, Json(queued.message->msg_id));
      if (found == ids.end()) continue;
      queued.priority = payload.at("priorities").at(static_cast<size_t>(found - ids.begin()));
    }
  } else if (event.type == "message.delayed") {
    for (auto& queued : waiting) {
      if (queued.message->msg_id != payload.at("msgId")) continue;
      queued.not_before_ms = number_of(payload, "notBefore");
    }
  }
}

Json to_json(const Fate& fate) {
  Json json = {{"msgId", fate.msg_id}, {"row", fate.row}, {"queued", fate.queued}};
  if (!fate.reason.empty()) json["reason"] = fate.reason;
  if (!fate.run_id.empty()) json["runId"] = fate.run_id;
  if (!fate.cause.empty()) json["cause"] = fate.cause;
  if (!fate.decision.empty()) json["decision"] = Json::parse(fate.decision);
  return json;
}

Json Queue::to_json(RowsWriter& rows) const {
  auto list = Json::array();
  for (const auto& queued : waiting) {
    list.push_back({{"message", rows.keep(queued.message)},
                    {"priority", queued.priority},
                    {"notBefore", queued.not_before_ms},
                    {"mode", queued.mode},
                    {"role", queued.role},
                    {"signal", queued.trace}});
  }
  auto past = Json::array();
  for (const auto& it : fates) past.push_back(stored_fate(it));
  return {{"waiting", std::move(list)},
          {"fates", std::move(past)},
          {"claimedPriority", claimed_priority}};
}

void Queue::restore(const Json& json, const RowsReader& rows) {
  waiting.clear();
  fates.clear();
  claimed_priority = json.at("claimedPriority");
  for (const auto& entry : json.at("waiting")) {
    waiting.push_back(parse_queued(entry, rows.at(entry.at("message"))));
  }
  for (const auto& entry : json.at("fates")) fates.push_back(restored_fate(entry));
}

void mark_processed(Scribe& scribe, const std::string& msg_id, const std::string& cause) {
  const auto& queue = scribe.state().queue;
  const auto* message = queue.fate(msg_id);
  if (message != nullptr && !message->cause.empty()) return;
  Json msg_ids = {msg_id};
  for (const auto& fate : queue.fates) {
    const bool seen = message != nullptr && fate.row < message->row;
    if (seen && !fate.queued && fate.cause.empty()) msg_ids.push_back(fate.msg_id);
  }
  scribe.emit("messages.processed", {{"msgIds", std::move(msg_ids)}, {"cause", cause}});
}

}  // namespace reprise::channel
