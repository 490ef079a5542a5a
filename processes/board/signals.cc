#include "processes/board/signals.h"

#include <algorithm>
#include <array>

#include "processes/board/check.h"
#include "processes/board/titles.h"
#include "processes/board/work.h"
#include "unicode/unicode.h"

namespace reprise::board {

namespace {

constexpr const char* kProposed = "todo.proposed";

void link_channels(Scribe& scribe, const std::string& project, const Json& value) {
  for (const auto& link : value.value("channels", Json::array())) {
    const auto channel = text_of(link, "channel");
    if (scribe.state().project_of_channel(channel) != nullptr) continue;
    scribe.emit("project.linked", {{"projectId", project},
                                   {"channel", channel},
                                   {"from", number_of(link, "from")},
                                   {"by", text_of(value, "by")}});
  }
}

void create_project(Scribe& scribe, const Json& value) {
  const auto id = text_of(value, "projectId");
  scribe.emit("project.created", {{"projectId", id},
                                  {"name", text_of(value, "name", id)},
                                  {"description", text_of(value, "description")},
                                  {"by", text_of(value, "by")}});
  link_channels(scribe, id, value);
}

void link_project(Scribe& scribe, const Json& value) {
  link_channels(scribe, text_of(value, "projectId"), value);
}

void unlink_project(Scribe& scribe, const Json& value) {
  for (const auto& link : value.at("channels")) {
    const auto channel = text_of(link, "channel");
    const auto* project = scribe.state().project_of_channel(channel);
    if (project == nullptr) continue;
    scribe.emit("project.unlinked",
                {{"projectId", project->id}, {"channel", channel}, {"by", text_of(value, "by")}});
  }
}

void add(Scribe& scribe, Json card) {
  card["cardId"] = "card-" + std::to_string(scribe.state().numbers + 1);
  scribe.emit("board.card.added", card);
}

void add_card(Scribe& scribe, const Json& value) {
  Json card = {{"projectId", text_of(value, "projectId")},
               {"title", unicode::collapsed(text_of(value, "title"))},
               {"description", text_of(value, "description")},
               {"priority", text_of(value, "priority", "medium")},
               {"status", text_of(value, "status", "backlog")},
               {"signal", scribe.seq()},
               {"by", text_of(value, "by")}};
  for (const auto* name : {"channel", "agent"}) {
    if (const auto text = text_of(value, name); !text.empty()) card[name] = text;
  }
  add(scribe, std::move(card));
}

void move_card(Scribe& scribe, const Json& value) {
  const Card card = *scribe.state().find_card(text_of(value, "cardId"));
  const auto to = find_status(text_of(value, "to")).value_or(kApprovedTo);
  Json more = Json::object();
  if (const auto reason = text_of(value, "reason"); !reason.empty()) more["reason"] = reason;
  scribe.move(card, to, text_of(value, "by"), more);
}

void assign_card(Scribe& scribe, const Json& value) {
  Json assigned = {{"cardId", text_of(value, "cardId")}, {"by", text_of(value, "by")}};
  for (const auto* name : {"channel", "agent"}) {
    if (const auto text = text_of(value, name); !text.empty()) assigned[name] = text;
  }
  scribe.emit("board.card.assigned", assigned);
}

void remove_card(Scribe& scribe, const Json& value) {
  const auto* card = scribe.state().find_card(text_of(value, "cardId"));
  Json removed = {{"cardId", card->id}, {"title", card->title}, {"by", text_of(value, "by")}};
  if (const auto reason = text_of(value, "reason"); !reason.empty()) removed["reason"] = reason;
  scribe.emit("board.card.removed", removed);
}

/// Each todo becomes a card that waits for approval, unless such a card is there.
void propose(Scribe& scribe, const std::string& channel, const Json& event) {
  const auto* project = scribe.state().project_of_channel(channel);
  if (project == nullptr) return;
  const auto project_id = project->id;
  const auto& payload = member_of(event, "payload");
  for (const auto& todo : member_of(payload, "todos")) {
    if (!todo.is_string()) continue;
    const auto title = title_of(todo.get_ref<const std::string&>());
    if (title.empty() || scribe.state().find_same(project_id, title) != nullptr) continue;
    add(scribe, {{"projectId", project_id},
                 {"title", title},
                 {"description", todo},
                 {"priority", "medium"},
                 {"status", name_of(Status::kPendingApproval)},
                 {"channel", channel},
                 {"by", kTheBoard},
                 {"origin",
                  {{"channel", channel},
                   {"branchId", text_of(payload, "branchId")},
                   {"seq", number_of(event, "seq")}}}});
  }
}

void hear_channel(Scribe& scribe, const Json& value) {
  const auto channel = text_of(value, "channel");
  const auto known = scribe.state().heard.find(channel);
  auto heard = known == scribe.state().heard.end() ? uint64_t{0} : known->second;
  const auto before = heard;
  for (const auto& event : value.at("events")) {
    const auto seq = static_cast<uint64_t>(number_of(event, "seq"));
    if (seq <= heard) continue;
    heard = seq;
    const auto type = text_of(event, "type");
    if (type == kProposed) {
      propose(scribe, channel, event);
    } else {
      hear_worker(scribe, channel, type, member_of(event, "payload"));
    }
  }
  if (heard != before) scribe.emit("board.heard", {{"channel", channel}, {"seq", heard}});
  if (flag_of(value, "gone")) hear_gone(scribe, channel);
}

constexpr std::array kSignals = {
    SignalSpec{"project.create", check_project_create, create_project},
    SignalSpec{"project.link", check_project_link, link_project},
    SignalSpec{"project.unlink", check_project_unlink, unlink_project},
    SignalSpec{"card.add", check_card_add, add_card},
    SignalSpec{"card.move", check_card_move, move_card},
    SignalSpec{"card.approve", check_card_approve, move_card},
    SignalSpec{"card.assign", check_card_assign, assign_card},
    SignalSpec{"card.remove", check_card_remove, remove_card},
    SignalSpec{"channel.heard", check_channel_heard, hear_channel},
};

}  // namespace

const SignalSpec* find_signal(std::string_view name) {
  const auto* found = std::ranges::find(kSignals, name, &SignalSpec::name);
  return found == kSignals.end() ? nullptr : found;
}

}  // namespace reprise::board
