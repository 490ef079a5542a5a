#include "processes/subconscious/card.h"

#include <algorithm>

#include "processes/subconscious/ids.h"

namespace reprise::subconscious {

using kit::flag_of;
using kit::number_of;
using kit::text_of;

namespace {

constexpr std::string_view kCardPrefix = "card-";

}  // namespace

Json Card::to_json() const {
  Json json = {{"cardId", id},
               {"taskId", task_id},
               {"entryId", entry_id},
               {"title", title},
               {"description", description},
               {"action", action},
               {"priority", priority},
               {"kind", kind},
               {"status", status},
               {"effect", effect},
               {"runs", runs},
               {"raised", raised_ms},
               {"once", once}};
  for (const auto& [name, text] : {std::pair("fix", &fix), {"by", &by}, {"error", &error}}) {
    if (!text->empty()) json[name] = *text;
  }
  return json;
}

Card Card::from_json(const Json& json) {
  Card card;
  card.id = text_of(json, "cardId");
  card.task_id = text_of(json, "taskId");
  card.entry_id = text_of(json, "entryId");
  card.title = text_of(json, "title");
  card.description = text_of(json, "description");
  card.action = text_of(json, "action");
  card.priority = text_of(json, "priority");
  card.fix = text_of(json, "fix");
  card.kind = text_of(json, "kind");
  card.status = text_of(json, "status", "pending");
  card.by = text_of(json, "by");
  card.error = text_of(json, "error");
  card.effect = static_cast<uint64_t>(number_of(json, "effect"));
  card.runs = static_cast<uint64_t>(number_of(json, "runs"));
  card.raised_ms = number_of(json, "raised");
  card.once = flag_of(json, "once");
  return card;
}

const Card* Cards::find(std::string_view id) const {
  const auto found = known.find(number_of_id(kCardPrefix, id));
  return found == known.end() || found->second.id != id ? nullptr : &found->second;
}

const Card* Cards::find_effect(uint64_t effect) const {
  for (const auto& [number, card] : known) {
    if (card.effect == effect) return &card;
  }
  return nullptr;
}

const Card* Cards::newest_for(std::string_view task_id, std::string_view action) const {
  const Card* newest = nullptr;
  for (const auto& [number, card] : known) {
    if (card.task_id == task_id && card.action == action) newest = &card;
  }
  return newest;
}

const Card* Cards::open_of(std::string_view task_id) const {
  for (const auto& [number, card] : known) {
    if (card.task_id == task_id && card.is_open()) return &card;
  }
  return nullptr;
}

uint64_t Cards::pending() const {
  return static_cast<uint64_t>(std::ranges::count_if(
      known, [](const auto& entry) { return entry.second.status == "pending"; }));
}

void Cards::evolve(const Event& event) {
  const auto& [type, payload, at_ms] = event;
  if (type == "heartbeat.card.raised") {
    auto card = Card::from_json(payload);
    card.raised_ms = at_ms;
    known[++raised] = std::move(card);
    return forget_old();
  }
  const auto found = known.find(number_of_id(kCardPrefix, text_of(payload, "cardId")));
  if (found == known.end()) return;
  auto& card = found->second;
  if (type == "heartbeat.card.resolved") {
    card.status = text_of(payload, "verdict");
    card.by = text_of(payload, "by");
    if (card.status == "approved") card.runs = 1;
  } else if (type == "heartbeat.card.executed") {
    card.status = flag_of(payload, "ok") ? "executed" : "failed";
    card.error = flag_of(payload, "ok") ? "" : text_of(payload, "text");
  } else if (type == "heartbeat.card.retried") {
    card.status = "approved";
    ++card.runs;
  }
}

void Cards::asked(std::string_view id, uint64_t effect) {
  const auto found = known.find(number_of_id(kCardPrefix, id));
  if (found != known.end()) found->second.effect = effect;
}

void Cards::forget_old() {
  if (keeps_all) return;
  auto settled =
      std::ranges::count_if(known, [](const auto& entry) { return !entry.second.is_open(); });
  for (auto it = known.begin(); it != known.end() && settled > static_cast<int64_t>(kKeptCards);) {
    if (it->second.is_open()) {
      ++it;
    } else {
      it = known.erase(it);
      --settled;
    }
  }
}

Json Cards::to_json() const {
  auto list = Json::array();
  for (const auto& [number, card] : known) list.push_back(card.to_json());
  return {{"raised", raised}, {"known", std::move(list)}};
}

void Cards::restore(const Json& json) {
  known.clear();
  raised = json.at("raised");
  for (const auto& entry : json.at("known")) {
    auto card = Card::from_json(entry);
    const auto number = number_of_id(kCardPrefix, card.id);
    known[number] = std::move(card);
  }
}

}  // namespace reprise::subconscious
