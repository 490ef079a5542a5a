// heartbeat:status: how the loop is, and what stands in its way.
#include "cli/configured.h"
#include "cli/heartbeat/loop.h"
#include "cli/heartbeat/loop_home.h"
#include "cli/stopped.h"
#include "cli/text.h"
#include "engine/heartbeat/task_file.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

/// Why no tick opens by itself; empty: nothing stands in its way.
std::string standstill(const LoopSettings& settings, bool evaluator, const Document& status,
                       const Document& document) {
  if (document.contains("stopped")) {
    return "the run is " + document["stopped"]["status"].get<std::string>();
  }
  if (!settings.enabled) return "disabled: heartbeat.enabled is false";
  if (!settings.inference) return "only heartbeat:run-now: heartbeat.inferenceEnabled is false";
  if (!evaluator) return "not configured: no executor matches the kind evaluate";
  if (status.contains("paused")) return "paused";
  return {};
}

void name_effects(Document& list) {
  for (Document& entry : list) entry["effect"] = format_effect_id(entry["effect"]);
}

Document failed_cards(const Document& cards) {
  Document named = Document::array();
  for (const Document& card : cards) {
    named.push_back(
        {{"effect", format_effect_id(card[0])}, {"title", card[1]}, {"error", card[2]}});
  }
  return named;
}

/// A home without a loop looks as one that has done nothing.
Document empty_status() {
  return {{"tasks", 0},
          {"allTasks", 0},
          {"due", 0},
          {"failures", 0},
          {"pendingApprovals", 0},
          {"failedCards", Document::array()},
          {"unresolved", Document::array()},
          {"tick", {{"total", 0}}}};
}

void add_tick(Document& document, const Document& tick) {
  document["totalTicks"] = tick["total"];
  if (!tick.contains("tickId")) return;
  Document& last = document["lastTick"] = {{"tickId", tick["tickId"]}, {"state", tick["state"]}};
  last["at"] = tick["openedAt"];
  if (tick.contains("text")) last["text"] = tick["text"];
  if (!tick["open"].empty()) last["inProgress"] = tick["open"];
}

}  // namespace

Reply heartbeat_status(const Arguments& arguments) {
  const Session session(arguments);
  LoopHome home(arguments, session, false);
  const Config config = configuration(arguments, home.workspace().home());
  const auto settings = loop_settings(config);
  const bool evaluator = has_evaluator(config);
  Document status = home.ask({{"ask", "status"}});
  const bool exists = !status.is_null();
  if (!exists) status = empty_status();
  Reply reply{.document = new_document(), .warnings = config.warnings};
  Document& document = reply.document;
  document["runId"] = home.run_name();
  document["exists"] = exists;
  document["enabled"] = settings.enabled;
  document["inferenceEnabled"] = settings.inference;
  document["evaluator"] = evaluator ? "configured" : "not configured";
  document["intervalMinutes"] = settings.interval_ms / 60'000;
  for (const char* name : {"tasks", "due", "failures", "pendingApprovals"}) {
    document[name] = status[name];
  }
  add_tick(document, status["tick"]);
  if (status.contains("lastSeenAt")) document["lastSeenAt"] = status["lastSeenAt"];
  add_stopped(document, home.workspace(), home.wanted());
  const auto stands = standstill(settings, evaluator, status, document);
  if (stands.empty()) {
    const auto window = window_of(home.now_ms(), settings.interval_ms) + settings.interval_ms;
    document["nextWindowAt"] = format_time(window);
  } else {
    document["standstill"] = stands;
  }
  if (status.contains("paused")) document["paused"] = status["paused"];
  document["unresolved"] = status["unresolved"];
  name_effects(document["unresolved"]);
  document["failedCards"] = failed_cards(status["failedCards"]);
  document["notices"] = read_task_file(home.workspace().home_path()).notices;
  return reply;
}

namespace {

std::string trouble_text(const Document& document, const Style& style) {
  const std::string run = shown(document["runId"].get<std::string>());
  std::string out;
  const auto line = [&](const std::string& what, const std::string& next) {
    out += paint(style, Colour::kYellow, what) + "\n";
    if (!next.empty()) out += "  next  reprise " + next + "\n";
  };
  if (document.contains("stopped")) {
    out += stopped_text(document, style);
  } else if (document.contains("paused")) {
    line("paused: " + shown(document["paused"]["reason"].get<std::string>()), "heartbeat:resume");
  } else if (document.contains("standstill")) {
    const bool evaluator = document["evaluator"] == "configured";
    line(document["standstill"], evaluator ? "" : "help executor:add; docs/subconscious.md");
  }
  for (const Document& it : document["unresolved"]) {
    line(shown(it["title"].get<std::string>(), 60) + " has unresolved work, " +
             it["effect"].get<std::string>(),
         "heartbeat:abandon " + it["taskId"].get<std::string>());
  }
  for (const Document& it : document["failedCards"]) {
    line("approved and failed: " + shown(it["title"].get<std::string>(), 60),
         "approval:retry " + run + " " + it["effect"].get<std::string>());
  }
  for (const Document& notice : document["notices"]) line(shown(notice.get<std::string>()), "");
  return out;
}

}  // namespace

std::string heartbeat_status_text(const Document& document, const Style& style) {
  Table table;
  const auto row = [&table](const char* name, const std::string& text,
                            Colour colour = Colour::kPlain) {
    table.add({{name, Colour::kDim}, {text, colour}});
  };
  const uint64_t failures = document["failures"];
  const uint64_t pending = document["pendingApprovals"];
  row("tasks", counted(document["tasks"], "task", "tasks") + ", " +
                   std::to_string(document["due"].get<uint64_t>()) + " due");
  std::string ticks = std::to_string(document["totalTicks"].get<uint64_t>());
  if (document.contains("lastTick")) {
    const Document& last = document["lastTick"];
    ticks +=
        ", the last " + last["state"].get<std::string>() + " at " + last["at"].get<std::string>();
    if (last.contains("text")) ticks += ": " + shown(last["text"].get<std::string>(), 80);
  }
  row("ticks", ticks);
  row("failures", std::to_string(failures) + (failures == 0 ? "" : " in a row"),
      failures == 0 ? Colour::kPlain : Colour::kRed);
  row("approvals",
      std::to_string(pending) + (pending == 0 ? "" : " pending: reprise approval:list"),
      pending == 0 ? Colour::kPlain : Colour::kYellow);
  if (document.contains("nextWindowAt")) row("next", document["nextWindowAt"]);
  return table.print(style) + trouble_text(document, style);
}

}  // namespace reprise
