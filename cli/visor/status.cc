// visor:status: the visor's own state, what it would see now, and what it would tell.
#include "cli/configured.h"
#include "cli/session.h"
#include "cli/stopped.h"
#include "cli/text.h"
#include "cli/visor/commands.h"
#include "engine/heartbeat/visor_chore.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr size_t kDigestWidth = 80;

/// Times of facts and states are milliseconds; documents have them as text.
Document time_document(const Document& ms) {
  if (!ms.is_number_integer() || ms.get<int64_t>() <= 0) return nullptr;
  return format_time(ms.get<int64_t>());
}

Document work_document(const Document& work, const char* id) {
  Document document = {{"channelId", work["channelId"]}, {id, work[id]}};
  if (work.contains("status")) document["status"] = work["status"];
  document["since"] = time_document(work["since"]);
  return document;
}

void add_state(Document& document, const Document& state) {
  document["begun"] = state.is_object();
  if (!state.is_object()) return;
  document["startedAt"] = time_document(state["started"]);
  document["tickedAt"] = time_document(state["ticked"]);
  document["late"] = state["late"];
  document["degraded"] = Document::array();
  for (const auto& [channel, through] : state["degraded"].items()) {
    document["degraded"].push_back(channel);
  }
  document["idleSince"] = time_document(state["idleSince"]);
  document["maintainedAt"] = time_document(state["maintained"]);
  document["writing"] = !state["pending"]["draft"].is_null();
  document["bulletin"] = nullptr;
  if (!state["bulletin"].is_object()) return;
  document["bulletin"] = {{"bulletinId", state["bulletin"]["bulletinId"]},
                          {"headline", state["bulletin"]["headline"]},
                          {"generatedAt", time_document(state["bulletin"]["generatedAt"])}};
}

void add_facts(Document& document, const Document& facts) {
  document["counts"] = facts["counts"];
  document["workers"] = Document::array();
  document["branches"] = Document::array();
  for (const Document& work : facts["workers"]) {
    document["workers"].push_back(work_document(work, "workerId"));
  }
  for (const Document& work : facts["branches"]) {
    document["branches"].push_back(work_document(work, "branchId"));
  }
  document["lastMessageAt"] =
      facts.contains("lastMessageAt") ? time_document(facts["lastMessageAt"]) : Document();
  document["settings"] = facts["settings"];
}

std::string text_or_nothing(const Document& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string count_text(const Document& counts, const char* name) {
  return std::to_string(counts[name].get<int64_t>());
}

std::string joined(const Document& names) {
  std::string text;
  for (const Document& name : names)
    text += (text.empty() ? "" : ", ") + shown(text_or_nothing(name));
  return text;
}

}  // namespace

Reply visor_status(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  Reply reply{.document = new_document()};
  Document& document = reply.document;
  document["runsDir"] = workspace.runs_path();
  const auto config = configuration(arguments, workspace.home());
  Document report = {{"state", nullptr}};
  if (workspace.exists()) {
    auto index = session.index(workspace);
    AskedRuns asked;
    BeatHome home{.workspace = workspace,
                  .context = session.context(),
                  .index = index,
                  .asked = asked,
                  .config = config,
                  .now_ms = session.context().clock.now_ms(),
                  .simulated = false};
    report = Document::parse(visor_report(home));
  }
  add_stopped(document, workspace, {.name = kVisorRun, .process = kVisorRun});
  add_state(document, report["state"]);
  if (!report.contains("facts")) return reply;
  add_facts(document, report["facts"]);
  const Document& next = report["next"];
  document["next"] = next.value("what", "");
  return reply;
}

std::string visor_status_text(const Document& document, const Style& style) {
  if (!document.contains("counts")) return "there is nothing to watch yet\n";
  Table table;
  const auto add = [&table](const char* name, const std::string& text) {
    if (!text.empty()) table.add({{name, Colour::kDim}, {text}});
  };
  const Document& counts = document["counts"];
  add("channels", count_text(counts, "channels"));
  add("workers", count_text(counts, "openWorkers") + " in progress, " +
                     count_text(counts, "allWorkers") + " in all");
  for (const Document& worker : document["workers"]) {
    add("",
        shown(text_or_nothing(worker["channelId"]) + "/" + text_or_nothing(worker["workerId"])) +
            "  " + text_or_nothing(worker["status"]) + " since " +
            text_or_nothing(worker["since"]));
  }
  for (const Document& branch : document["branches"]) {
    add("",
        shown(text_or_nothing(branch["channelId"]) + "/" + text_or_nothing(branch["branchId"])) +
            "  a branch, since " + text_or_nothing(branch["since"]));
  }
  add("questions", count_text(counts, "questions"));
  if (document["begun"].get<bool>()) {
    add("last tick", text_or_nothing(document["tickedAt"]));
    add("late", joined(document["late"]));
    add("degraded", joined(document["degraded"]));
    add("idle since", text_or_nothing(document["idleSince"]));
    add("memories kept", text_or_nothing(document["maintainedAt"]));
    const Document& bulletin = document["bulletin"];
    if (bulletin.is_object()) {
      add("bulletin", shown(text_or_nothing(bulletin["bulletinId"])) + "  " +
                          shown(text_or_nothing(bulletin["headline"]), kDigestWidth));
    }
  }
  const auto next = text_or_nothing(document["next"]);
  if (!document.contains("stopped")) {
    add("next tick", next.empty() ? "tells nothing" : shown(next));
  }
  return table.print(style) + stopped_text(document, style);
}

}  // namespace reprise
