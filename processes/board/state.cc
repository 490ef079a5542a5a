#include "processes/board/state.h"

#include <algorithm>

#include "processes/board/titles.h"

namespace reprise::board {

namespace {

constexpr int kVersion = 1;

Card new_card(const Json& payload, int64_t at_ms, uint64_t number) {
  Card card;
  card.id = text_of(payload, "cardId");
  card.project = text_of(payload, "projectId");
  card.title = text_of(payload, "title");
  card.description = text_of(payload, "description");
  card.priority = text_of(payload, "priority");
  card.status = find_status(text_of(payload, "status")).value_or(Status::kBacklog);
  card.channel = text_of(payload, "channel");
  card.agent = text_of(payload, "agent");
  card.by = text_of(payload, "by");
  card.origin = member_of(payload, "origin");
  card.created_ms = card.updated_ms = at_ms;
  card.number = number;
  card.signal = static_cast<uint64_t>(number_of(payload, "signal"));
  return card;
}

}  // namespace

bool Project::has(std::string_view channel) const {
  return std::ranges::find(channels, channel) != channels.end();
}

void Board::evolve(std::string_view type, const Json& payload, int64_t at_ms) {
  if (type == "board.heard") {
    auto& seq = heard[text_of(payload, "channel")];
    seq = std::max(seq, static_cast<uint64_t>(number_of(payload, "seq")));
  } else if (type.starts_with("project.")) {
    evolve_project(type, payload, at_ms);
  } else {
    evolve_card(type, payload, at_ms);
  }
}

void Board::evolve_project(std::string_view type, const Json& payload, int64_t at_ms) {
  const auto id = text_of(payload, "projectId");
  const auto channel = text_of(payload, "channel");
  if (type == "project.created") {
    projects[id] = {.id = id,
                    .name = text_of(payload, "name", id),
                    .description = text_of(payload, "description"),
                    .by = text_of(payload, "by"),
                    .created_ms = at_ms,
                    .channels = {}};
  } else if (type == "project.linked") {
    projects[id].channels.push_back(channel);
    auto& seq = heard[channel];
    seq = std::max(seq, static_cast<uint64_t>(number_of(payload, "from")));
  } else if (type == "project.unlinked") {
    std::erase(projects[id].channels, channel);
  }
}

void Board::evolve_card(std::string_view type, const Json& payload, int64_t at_ms) {
  const auto id = text_of(payload, "cardId");
  if (type == "board.card.added") {
    cards[id] = new_card(payload, at_ms, ++numbers);
    return;
  }
  const auto found = cards.find(id);
  if (found == cards.end()) return;
  Card& card = found->second;
  if (type == "board.card.moved") {
    move(card, payload, at_ms);
    forget_old();
  } else if (type == "board.card.assigned") {
    card.channel = text_of(payload, "channel");
    card.agent = text_of(payload, "agent");
    card.updated_ms = at_ms;
  } else if (type == "board.card.removed") {
    cards.erase(found);
  } else {
    evolve_work(type, payload, card);
  }
}

void Board::evolve_work(std::string_view type, const Json& payload, Card& card) {
  if (type == "board.worker.asked") {
    ++card.attempts;
    card.work = Work{.channel = text_of(payload, "channel"), .worker = {}};
  } else if (!card.work) {
    return;
  } else if (type == "board.worker.started") {
    card.work->worker = text_of(payload, "workerId");
  } else if (type == "board.worker.unwanted") {
    card.work->unwanted = true;
  } else if (type == "board.worker.told") {
    card.work->told = true;
  } else if (type == "board.worker.ended") {
    card.work.reset();
    forget_old();
  }
}

void Board::move(Card& card, const Json& payload, int64_t at_ms) {
  const auto to = find_status(text_of(payload, "to"));
  if (!to) return;
  Json told = {{"from", name_of(card.status)}, {"to", name_of(*to)}, {"at", at_ms}};
  card.reason = text_of(payload, "reason");
  told["by"] = text_of(payload, "by");
  if (!card.reason.empty()) told["reason"] = card.reason;
  card.moves.push_back(std::move(told));
  if (!keeps_all && card.moves.size() > kMostMoves) card.moves.erase(card.moves.begin());
  card.status = *to;
  card.updated_ms = at_ms;
  card.over_at = is_over(*to) ? ++x_over : 0;
}

void Board::forget_old() {
  if (keeps_all) return;
  std::map<uint64_t, std::string> over;
  for (const auto& [id, card] : cards) {
    if (card.over_at != 0 && !card.work) over[card.over_at] = id;
  }
  for (auto oldest = over.begin(); over.size() > kMostOver; oldest = over.erase(oldest)) {
    cards.erase(oldest->second);
  }
}

const Card* Board::find_card(const std::string& id) const {
  const auto found = cards.find(id);
  return found == cards.end() ? nullptr : &found->second;
}

const Card* Board::find_added_by(uint64_t signal) const {
  const auto found =
      std::ranges::find_if(cards, [&](const auto& entry) { return entry.second.signal == signal; });
  return found == cards.end() ? nullptr : &found->second;
}

const Project* Board::project_of_channel(std::string_view channel) const {
  const auto found =
      std::ranges::find_if(projects, [&](const auto& entry) { return entry.second.has(channel); });
  return found == projects.end() ? nullptr : &found->second;
}

const Card* Board::find_by_worker(const std::string& channel, const std::string& worker) const {
  const auto found = std::ranges::find_if(cards, [&](const auto& entry) {
    const auto& work = entry.second.work;
    return work && work->channel == channel && work->worker == worker;
  });
  return found == cards.end() ? nullptr : &found->second;
}

const Card* Board::find_same(const std::string& project, const std::string& title) const {
  const auto wanted = normal_title(title);
  const auto found = std::ranges::find_if(cards, [&](const auto& entry) {
    const auto& card = entry.second;
    return card.project == project && !is_over(card.status) && normal_title(card.title) == wanted;
  });
  return found == cards.end() ? nullptr : &found->second;
}

std::vector<const Card*> Board::in_order() const {
  std::vector<const Card*> order;
  for (const auto& [id, card] : cards) order.push_back(&card);
  std::ranges::sort(order, [](const Card* a, const Card* b) {
    const auto first = priority_of(a->priority).value_or(0);
    const auto second = priority_of(b->priority).value_or(0);
    return first != second ? first > second : a->number < b->number;
  });
  return order;
}

Json to_json(const Project& project) {
  return {{"projectId", project.id},
          {"name", project.name},
          {"description", project.description},
          {"by", project.by},
          {"createdAt", project.created_ms},
          {"channels", project.channels}};
}

Json to_json(const Card& card) {
  Json json = {{"cardId", card.id},
               {"projectId", card.project},
               {"title", card.title},
               {"description", card.description},
               {"priority", card.priority},
               {"status", name_of(card.status)},
               {"by", card.by},
               {"createdAt", card.created_ms},
               {"updatedAt", card.updated_ms},
               {"attempts", card.attempts},
               {"moves", card.moves}};
  if (!card.channel.empty()) json["channel"] = card.channel;
  if (!card.agent.empty()) json["agent"] = card.agent;
  if (!card.reason.empty()) json["reason"] = card.reason;
  if (!card.origin.is_null()) json["origin"] = card.origin;
  if (card.work) {
    json["worker"] = {{"channel", card.work->channel}, {"unwanted", card.work->unwanted}};
    if (!card.work->worker.empty()) json["worker"]["workerId"] = card.work->worker;
  }
  return json;
}

Json Board::to_json() const {
  Json json = {{"version", kVersion}, {"numbers", numbers}, {"over", x_over}, {"heard", heard}};
  json["projects"] = Json::array();
  for (const auto& [id, project] : projects) json["projects"].push_back(board::to_json(project));
  json["cards"] = Json::array();
  for (const auto& [id, card] : cards) {
    auto& kept = json["cards"].emplace_back(board::to_json(card));
    kept["number"] = card.number;
    kept["overAt"] = card.over_at;
    kept["signal"] = card.signal;
    if (card.work) kept["worker"]["told"] = card.work->told;
  }
  json["open"] = Json::array();
  for (const auto& [effect, key] : open) json["open"].push_back({effect, key});
  return json;
}

bool Board::restore(const Json& json) {
  if (number_of(json, "version") != kVersion) return false;
  numbers = json.at("numbers");
  x_over = json.at("over");
  heard = json.at("heard");
  for (const auto& kept : json.at("projects")) {
    evolve("project.created", kept, kept.at("createdAt"));
    projects[text_of(kept, "projectId")].channels = kept.at("channels");
  }
  for (const auto& kept : json.at("cards")) {
    Card card = new_card(kept, kept.at("createdAt"), kept.at("number"));
    card.updated_ms = kept.at("updatedAt");
    card.attempts = kept.at("attempts");
    card.over_at = kept.at("overAt");
    card.moves = kept.at("moves");
    card.reason = text_of(kept, "reason");
    if (const auto& work = member_of(kept, "worker"); work.is_object()) {
      card.work = Work{text_of(work, "channel"), text_of(work, "workerId"), work.at("unwanted"),
                       work.at("told")};
    }
    cards[card.id] = std::move(card);
  }
  for (const auto& kept : json.at("open")) open[kept.at(0)] = kept.at(1);
  return true;
}

}  // namespace reprise::board
