// One question is answered by one function; what a noun tells of itself is its own.
#include "processes/channel/answer.h"

#include <algorithm>
#include <array>
#include <map>

#include "processes/channel/context.h"
#include "processes/channel/router.h"
#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

Json shown(const Queued& queued, int64_t now_ms) {
  const auto& message = *queued.message;
  Json json = {{"msgId", message.msg_id},
               {"row", message.row},
               {"author", {{"id", message.author_id}, {"name", message.author_name}}},
               {"content", message.content},
               {"priority", queued.priority},
               {"mode", queued.mode},
               {"role", queued.role},
               {"ready", queued.not_before_ms <= now_ms}};
  if (queued.not_before_ms != 0) json["notBefore"] = queued.not_before_ms;
  return json;
}

Json show_queue(const Channel& channel, const Json&, int64_t now_ms) {
  Json list = Json::array();
  for (const auto* queued : channel.queue.in_order(now_ms)) list.push_back(shown(*queued, now_ms));
  return list;
}

Json show_effects(const Channel& channel) {
  Json list = Json::array();
  for (const auto& [effect, owner] : channel.effects.open()) {
    list.push_back(
        {{"effect", "t" + std::to_string(effect)}, {"key", owner.noun + ":" + owner.id}});
  }
  return list;
}

Json show_run(const Channel& channel) {
  const auto& reply = channel.reply;
  if (!reply.is_active()) return nullptr;
  return {{"runId", reply.run_id},
          {"msgId", reply.msg_id},
          {"since", reply.since_ms},
          {"priority", channel.queue.claimed_priority}};
}

Json show_identity(const Channel& channel, const Json&, int64_t) {
  auto json = channel.identity.to_json();
  json["permissions"] = channel.permissions.to_json();
  json["sessionId"] = channel.session.id;
  return json;
}

/// With "newest" (so many) or "after" (a row) those alone; null when the state holds not all of
/// them.
Json show_messages(const Channel& channel, const Json& question, int64_t) {
  std::map<uint64_t, Json> rows;
  for (const auto& message : channel.transcript.messages) rows[message->row] = message->payload();
  for (const auto& queued : channel.queue.waiting) {
    rows[queued.message->row] = queued.message->payload();
  }
  const auto all = channel.transcript.rows;
  const auto after = static_cast<uint64_t>(number_of(question, "after"));
  const auto newest = static_cast<uint64_t>(number_of(question, "newest"));
  if (after > 0 || newest > 0) {
    const auto first = after > 0 ? after + 1 : all - std::min(all, newest) + 1;
    rows.erase(rows.begin(), rows.lower_bound(first));
    if (rows.size() + first != all + 1) return nullptr;
  }
  Json list = Json::array();
  for (auto& [row, message] : rows) list.push_back(std::move(message));
  return list;
}

Json show_channel(const Channel& channel, const Json& question, int64_t now_ms) {
  return {{"identity", channel.identity.to_json()},
          {"settings", channel.settings.shown()},
          {"permissions", channel.permissions.to_json()},
          {"utilization", utilization(channel)},
          {"context", shown_context(channel)},
          {"rows", channel.transcript.rows},
          {"queue", show_queue(channel, question, now_ms)},
          {"run", show_run(channel)},
          {"runs", channel.reply.runs},
          {"decision", channel.reply.decision},
          {"session", channel.session.shown()},
          {"parking", channel.parking.shown()},
          {"workers", list_workers(channel)},
          {"branches", list_branches(channel)},
          {"artifacts", list_artifacts(channel)},
          {"compactor", channel.compactor.shown()},
          {"usage", channel.usage.to_json()},
          {"effects", show_effects(channel)}};
}

/// The decision that the text would get if it were claimed now, made by what would make it.
Json explain_route(const Channel& channel, const Json& question, int64_t now_ms) {
  const auto text = text_of(question, "text");
  auto with_it = channel;
  with_it.evolve({"message.created",
                  {{"row", channel.transcript.rows + 1},
                   {"msgId", "explained"},
                   {"role", "user"},
                   {"kind", "message"},
                   {"content", text}},
                  now_ms});
  const auto& settings = channel.settings;
  const auto used = utilization(with_it);
  auto json = to_json(route(settings, used, text, text_of(question, "mode")));
  json["policy"] = settings.routing_policy;
  json["utilization"] = used;
  json["words"] = {{"worker", entries_in(settings.worker_words, text)},
                   {"branch", entries_in(settings.branch_words, text)}};
  return json;
}

std::string state_of(const Channel& channel, const Fate& fate) {
  if (fate.cause == "deleted") return "deleted";
  if (!fate.cause.empty()) return "processed";
  if (fate.queued) return channel.queue.find(fate.msg_id) != nullptr ? "queued" : "running";
  return fate.reason == "not_permitted" ? "denied" : "context";
}

Json show_message(const Channel& channel, const Json& question, int64_t now_ms) {
  const auto msg_id = text_of(question, "msgId");
  const auto* fate = channel.queue.fate(msg_id);
  const auto* queued = channel.queue.find(msg_id);
  if (fate == nullptr && queued == nullptr) return nullptr;
  // One that waits longer than fates are remembered is known by its place in the queue.
  auto json = fate != nullptr ? to_json(*fate) : Json{{"msgId", msg_id}};
  json["state"] = fate != nullptr ? state_of(channel, *fate) : "queued";
  if (queued != nullptr) {
    json.update(shown(*queued, now_ms));
    const auto order = channel.queue.in_order(now_ms);
    json["place"] = std::ranges::find(order, queued) - order.begin() + 1;
    json["of"] = order.size();
    if (channel.identity.held) json["held"] = true;
  }
  json.erase("queued");
  json["effects"] = show_effects(channel);
  return json;
}

template <Json (*list)(const Channel&)>
Json all(const Channel& channel, const Json&, int64_t) {
  return list(channel);
}

template <Json (*show)(const Channel&, const std::string&)>
Json one(const Channel& channel, const Json& question, int64_t) {
  return show(channel, text_of(question, "id"));
}

struct Question {
  std::string_view ask;
  Json (*answer)(const Channel& channel, const Json& question, int64_t now_ms);
};
constexpr std::array kQuestions = {
    Question{"channel", show_channel},          Question{"queue", show_queue},
    Question{"messages", show_messages},        Question{"message", show_message},
    Question{"route", explain_route},           Question{"identity", show_identity},
    Question{"workers", all<list_workers>},     Question{"worker", one<show_worker>},
    Question{"branches", all<list_branches>},   Question{"branch", one<show_branch>},
    Question{"artifacts", all<list_artifacts>}, Question{"artifact", one<show_artifact>},
};

}  // namespace

Json answer(const Channel& channel, const Json& question, int64_t now_ms) {
  const auto found = std::ranges::find(kQuestions, text_of(question, "ask"), &Question::ask);
  return found == kQuestions.end() ? Json() : found->answer(channel, question, now_ms);
}

}  // namespace reprise::channel
