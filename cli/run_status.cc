// run:status and run:output: how a run stands, and what came of it.
#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "cli/iteration.h"
#include "cli/left_open.h"
#include "cli/next_steps.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr size_t kMostWaiting = 20;

Document last_event(Dir& run, const RunState& state) {
  std::string buffer;
  const RecordView record = read_record(run, state.last_place, buffer);
  return {{"seq", record.seq},
          {"type", record_type_name(record.type)},
          {"recordedAt", format_time(record.at_ms)},
          {"data", raw_json(record.data)}};
}

Document pending_summary(const RunState& state) {
  const Document kinds = pending_by_kind(state);
  return {{"totalPending", state.open.size()},
          {"countsByKind", kinds},
          {"autoRunnableCount", kinds.value("node", uint64_t{0})}};
}

Document counts_document(const RunCounts& counts) {
  return {{"requested", counts.requested},
          {"resolvedOk", counts.resolved_ok},
          {"resolvedError", counts.resolved_error},
          {"cancelled", counts.cancelled}};
}

void add_origin(Document& document, const RunOrigin& origin) {
  if (!origin.entry.empty()) document["entry"] = origin.entry;
  if (!origin.labels.empty()) document["labels"] = raw_json(origin.labels);
  if (!origin.request.empty()) document["request"] = origin.request;
}

// What each open effect waits for, as far as the list goes.
Document waiting_effects(const RunState& state, int64_t now_ms, Host& host) {
  Document list = Document::array();
  for (const auto& [id, effect] : state.open) {
    if (list.size() == kMostWaiting) break;
    Document& item = list.emplace_back(Document{{"effectId", format_effect_id(id)},
                                                {"kind", effect.kind},
                                                {"label", effect.label},
                                                {"attempt", effect.attempt}});
    if (effect.due_ms > 0) item["dueAt"] = format_time(effect.due_ms);
    add_standing(item, effect, now_ms, host);
  }
  return list;
}

// "attempt 2, claimed by ci-7 until 2026-..."
std::string standing_words(const Document& effect) {
  std::string words;
  const auto add = [&words](const std::string& more) {
    words += (words.empty() ? "" : ", ") + more;
  };
  if (effect["attempt"] != 1) add("attempt " + std::to_string(effect["attempt"].get<uint64_t>()));
  if (effect.contains("claim")) {
    add(claim_text(effect["claim"]));
  }
  if (effect.contains("held")) {
    add(effect["held"] == "lost" ? "lost: a person must let it go on"
                                 : "attempts ran out: a person must let it go on");
  }
  if (effect.contains("availableAt")) add("not before " + effect["availableAt"].get<std::string>());
  if (effect.contains("dueAt")) add("until " + effect["dueAt"].get<std::string>());
  if (effect.contains("deadlineAt")) add("deadline " + effect["deadlineAt"].get<std::string>());
  return words;
}

void add_relatives(Document& document, const RunHandle& run, const RunState& state) {
  if (!state.parent.empty()) {
    document["parent"] = {{"runId", state.parent},
                          {"effectId", format_effect_id(state.parent_effect)}};
  }
  std::set<uint64_t> effects = state.orphans;
  for (const auto& [id, effect] : state.open) {
    if (effect.kind == kRunKind) effects.insert(id);
  }
  if (effects.empty()) return;
  const Neighbours neighbours(run);
  for (const uint64_t effect : effects) {
    Document child = {{"effectId", format_effect_id(effect)},
                      {"runId", child_run_id(state.run_id, effect)}};
    try {
      const auto found = find_child(neighbours.folder(), state, effect);
      child["status"] = found ? status_name(found->state.status()) : "missing";
    } catch (const Error& error) {
      child["status"] = "damaged";
      child["error"] = {{"code", error.code()}, {"message", error.message()}};
    }
    document["children"].push_back(child);
  }
}

// Where a script failed: its stack, a line each.
void add_stack(Table& table, const Document& error) {
  const std::string stack = get_pointer(error, "/stack").value_or("");
  for (size_t at = stack.find("\n    at "); at != std::string::npos;) {
    const size_t end = stack.find('\n', ++at);
    table.add({{"at", Colour::kDim}, {shown(stack.substr(at + 7, end - at - 7))}});
    at = stack.find("\n    at ", at);
  }
}

// Where it would stay as it is unless somebody decides.
std::string step_after_status(const Document& document, const std::string& state) {
  const std::string id = shown(document["runId"].get<std::string>());
  if (state == "failed") return failed_step(document, id);
  if (state != "waiting") return {};
  for (const Document& effect : document["waiting"]) {
    if (effect.contains("held")) {
      return approval_step(id + " " + effect["effectId"].get<std::string>());
    }
  }
  return {};
}

// Why there is no output. The error is thrown as one, so that nobody takes it for an output.
[[noreturn]] void refuse_output(const RunState& state, const std::optional<EndDetails>& end) {
  const std::string& id = state.run_id;
  const std::string reason = status_reason(state, end);
  if (!end) {
    throw Error(Exit::kConflict, "RUN_NOT_ENDED",
                "run " + id + " has no output yet: it is " +
                    std::string(status_name(state.status())) + " (" + reason + ")",
                "reprise run:status " + id + " shows what it waits for");
  }
  const bool failed = state.status() == RunStatus::kFailed;
  const Document details =
      failed ? Document{{"error", raw_json(end->error)}}
             : Document{{"reason", end->reason}, {"payload", raw_json(end->payload)}};
  throw Error(
      Exit::kNo, failed ? "RUN_FAILED" : "RUN_HALTED",
      "run " + id + (failed ? " failed" : " was halted") + (reason.empty() ? "" : ": " + reason),
      "reprise run:status " + id + (failed ? " shows where" : " shows more"), print_json(details));
}

}  // namespace

Reply run_status(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const RunState state = read_state(*run.dir).state;
  JsonReader reader;
  const std::optional<EndDetails> end = load_end(*run.dir, state, reader);

  Reply reply{.document = run_document(run, state)};
  Document& document = reply.document;
  if (!state.identity.empty()) document["identity"] = state.identity;
  if (state.rules != 0) document["rules"] = state.rules;
  add_origin(document, load_origin(*run.dir, state, reader));
  add_relatives(document, run, state);
  document["state"] = status_name(state.status());
  document["reason"] = status_reason(state, end);
  document["createdAt"] = format_time(state.created_at_ms);
  document["lastEvent"] = last_event(*run.dir, state);
  document["pendingByKind"] = pending_by_kind(state);
  document["pendingEffectsSummary"] = pending_summary(state);
  if (state.cancel_seq != 0 && !end) document["cancelling"] = true;
  document["needsMoreIterations"] = state.status() == RunStatus::kReady;
  document["effects"] = counts_document(state.counts);
  const int64_t now_ms = std::max(session.context().clock.now_ms(), state.head.at_ms);
  document["waiting"] = waiting_effects(state, now_ms, session.context().host);
  if (const auto due_ms = state.next_due_ms(now_ms); due_ms && !end) {
    document["nextWakeAt"] = format_time(*due_ms);
  }
  add_awaited(document, state);
  if (end && !end->error.empty()) document["error"] = raw_json(end->error);
  add_failed_by(document, *run.dir, state);
  if (end && !end->payload.empty()) document["payload"] = raw_json(end->payload);
  if (end && !end->abandoned.empty()) document["abandoned"] = end->abandoned;
  document["metadata"] = {{"stateVersion", state.head.seq}, {"applied", state.applied}};
  reply.exit = arguments.has("--exit-status") ? status_exit(state, true, now_ms) : Exit::kOk;
  reply.warnings = session.clock_warnings(state);
  return reply;
}

std::string run_status_text(const Document& document, const Style& style) {
  const std::string state = document["state"];
  const std::string out = headline(style, document["runId"].get<std::string>(), state,
                                   document["reason"].get<std::string>());
  Table table;
  const auto row = [&table](const char* name, const std::string& text) {
    table.add({{name, Colour::kDim}, {shown(text)}});
  };
  if (document.contains("request")) row("request", document["request"]);
  std::string process = document["processId"];
  if (document.contains("entry")) process += "  " + document["entry"].get<std::string>();
  row("process", process.empty() ? "-" : process);
  if (document.contains("cancelling")) row("cancel", "being cancelled");
  if (document.contains("labels")) row("labels", json_of(document["labels"]));
  row("created", document["createdAt"]);
  const Document& last = document["lastEvent"];
  row("last", last["recordedAt"].get<std::string>() + "  " + last["type"].get<std::string>() +
                  " #" + std::to_string(last["seq"].get<uint64_t>()));
  const Document& effects = document["effects"];
  row("effects", std::to_string(effects["requested"].get<uint64_t>()) + " requested, " +
                     std::to_string(effects["resolvedOk"].get<uint64_t>()) + " ok, " +
                     std::to_string(effects["resolvedError"].get<uint64_t>()) + " failed");
  for (const auto& [kind, count] : document["pendingByKind"].items()) {
    row("pending", std::to_string(count.get<uint64_t>()) + " " + kind);
  }
  if (document.contains("awaits")) {
    for (const Document& name : document["awaits"]) {
      row("awaits", "signal " + name.get<std::string>());
    }
  }
  for (const Document& effect : document["waiting"]) {
    const std::string words = standing_words(effect);
    if (!words.empty()) row("waits", effect["effectId"].get<std::string>() + " " + words);
  }
  if (state == "waiting" && document["pendingByKind"].empty()) row("waits", "for a signal");
  if (document.contains("parent")) row("parent", document["parent"]["runId"]);
  if (document.contains("children")) {
    for (const Document& child : document["children"]) {
      row("child", child["runId"].get<std::string>() + "  " + child["status"].get<std::string>());
    }
  }
  if (document.contains("nextWakeAt")) row("wakes", document["nextWakeAt"]);
  if (document.contains("abandoned")) row("left", effects_left_open(document["abandoned"]));
  if (document.contains("failedBy")) {
    const Document& by = document["failedBy"];
    row("failed", "at the result of " + by["effectId"].get<std::string>() + ", " +
                      by["kind"].get<std::string>() + " " + by["label"].get<std::string>());
  }
  if (document.contains("error")) add_stack(table, document["error"]);
  row("in", document["runDir"]);
  return out + table.print(style, "  ") + step_after_status(document, state);
}

Reply run_output(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const RunState state = read_state(*run.dir).state;
  JsonReader reader;
  const std::optional<EndDetails> end = load_end(*run.dir, state, reader);
  if (state.status() != RunStatus::kCompleted || !end) refuse_output(state, end);
  Reply reply{.document = run_document(run, state)};
  reply.document["status"] = status_name(state.status());
  reply.document["output"] = raw_json(end->output);
  return reply;
}

// The output is what was asked for: strings bare, and nothing escaped, since it goes into files and
// pipes.
std::string run_output_text(const Document& document, const Style&) {
  std::string text = get_pointer(document, "/output").value_or("");
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace reprise
