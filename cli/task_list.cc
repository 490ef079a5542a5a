// task:list and task:show: the effects of a run.
#include <algorithm>

#include "cli/commands.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/task_list_of_all.h"
#include "cli/text.h"
#include "engine/task_files.h"
#include "engine/task_log.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

constexpr size_t kTaskValueWidth = 2000;
/// A result that is longer is named instead.
constexpr uint64_t kMostShown = uint64_t{16} << 20U;

Document task_document(const RunState& state, const EffectInfo& effect, int64_t now_ms,
                       Host& host) {
  Document document = effect_identity(state, effect.request);
  document["status"] = effect.status;
  if (effect.settled_seq) document["resolvedAt"] = format_time(effect.settled_at_ms);
  if (effect.request.due_ms > 0) document["dueAt"] = format_time(effect.request.due_ms);
  if (!effect.stdout_ref.empty()) document["stdoutRef"] = effect.stdout_ref;
  if (!effect.stderr_ref.empty()) document["stderrRef"] = effect.stderr_ref;
  if (effect.status == "requested") add_standing(document, effect.request, now_ms, host);
  return document;
}

Document attempts_document(Dir& run, const EffectInfo& effect, JsonReader& reader) {
  Document attempts = Document::array();
  for (const Attempt& attempt : effect.attempts) {
    Document& item =
        attempts.emplace_back(Document{{"attempt", attempt.number}, {"status", attempt.status}});
    const auto error = load_error(run, attempt, reader);
    if (!error.empty()) item["error"] = raw_json(error);
    if (attempt.at_ms != 0) item["at"] = format_time(attempt.at_ms);
    if (!attempt.worker.empty()) item["worker"] = attempt.worker;
    const auto id = format_effect_id(effect.request.id);
    for (const auto& [name, stream] : {std::pair("stdoutRef", "stdout"), {"stderrRef", "stderr"}}) {
      const auto path = task_log_path(id, attempt.number, stream);
      if (run.stat(path)) item[name] = path;
    }
  }
  return attempts;
}

Document result_document(const EffectResult& result) {
  Document document = {{"status", result.error.empty() ? "ok" : "error"}};
  if (!result.value_file.empty()) {
    document["valueRef"] = result.value_file;
    document["valueBytes"] = result.value_bytes;
  } else if (result.error.empty()) {
    document["value"] = raw_json(result.value);
  } else {
    document["error"] = raw_json(result.error);
  }
  if (!result.started_at.empty()) document["startedAt"] = result.started_at;
  if (!result.finished_at.empty()) document["finishedAt"] = result.finished_at;
  if (!result.metadata.empty()) document["metadata"] = raw_json(result.metadata);
  if (!result.by.empty()) document["by"] = raw_json(result.by);
  return document;
}

// What came when the process had given the work up.
Document late_document(Dir& run, const EffectInfo& effect, JsonReader& reader) {
  Document results = Document::array();
  for (const Attempt& late : effect.late) {
    const auto result = load_late(run, late, reader, kMostShown);
    Document& item = results.emplace_back(Document{{"attempt", late.number}});
    item["at"] = format_time(late.at_ms);
    item.update(result_document(result));
    if (!result.stdout_ref.empty()) item["stdoutRef"] = result.stdout_ref;
    if (!result.stderr_ref.empty()) item["stderrRef"] = result.stderr_ref;
  }
  return results;
}

uint64_t after_effect(const Arguments& arguments) {
  const auto after = arguments.value("--after");
  if (!after) return 0;
  if (const auto id = parse_effect_id(*after)) return *id;
  throw Error(Exit::kUsage, "INVALID_EFFECT_ID",
              "--after is an effect's id, not \"" + *after + "\"",
              "effects are called t1, t2, ...");
}

bool stands(const RunState& state, const OpenEffect& effect, const std::string& standing,
            int64_t now_ms) {
  if (standing == "held") return !effect.held.empty();
  if (standing == "claimed") return effect.claim.has_value();
  return !state.paused && effect.is_available(now_ms) && !effect.claim;
}

bool is_task_wanted(const Arguments& arguments, const RunState& state, const EffectInfo& effect,
                    int64_t now_ms) {
  const auto standing = arguments.value("--standing");
  const bool pending = effect.status == "requested";
  if ((arguments.has("--pending") || standing) && !pending) return false;
  if (standing && !stands(state, effect.request, *standing, now_ms)) return false;
  const auto kinds = arguments.values("--kind");
  return kinds.empty() || std::ranges::find(kinds, effect.request.kind) != kinds.end();
}

}  // namespace

Reply task_list(const Arguments& arguments) {
  if (arguments.positional("RUN").empty()) return task_list_of_all(arguments);
  const uint64_t after = after_effect(arguments);
  const uint64_t limit = limit_flag(arguments, kTaskListLimit);
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const RunState state = read_state(*run.dir).state;

  Reply reply{.document = run_document(run, state)};
  Document& tasks = reply.document["tasks"] = Document::array();
  const int64_t now_ms = std::max(session.context().clock.now_ms(), state.head.at_ms);
  JsonReader reader;
  bool more = false;
  for (const EffectInfo& effect : list_effects(*run.dir)) {
    if (effect.request.id <= after || !is_task_wanted(arguments, state, effect, now_ms)) continue;
    more = tasks.size() == limit;
    if (more) break;
    tasks.push_back(task_document(state, effect, now_ms, session.context().host));
    add_question(tasks.back(), *run.dir, effect.request, reader);
  }
  add_cursor(reply.document, more, tasks.empty() ? "" : tasks.back()["effectId"]);
  return reply;
}

std::string task_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& task : document["tasks"]) {
    const std::string status = task["status"];
    const std::string run = task.contains("runId") ? task["runId"].get<std::string>() + " " : "";
    table.add({{shown(run) + task["effectId"].get<std::string>(), Colour::kBold},
               {status, status_colour(status)},
               {shown(task["kind"].get<std::string>())},
               {shown(task["taskId"].get<std::string>())},
               {shown(title_of(task))}});
  }
  if (table.empty()) return "no effects\n";
  return table.print(style) + more_hint(document);
}

Reply task_show(const Arguments& arguments) {
  const Session session(arguments);
  const Session::RunAndEffect found = session.find_effect("--key");
  Dir& run = *found.run.dir;
  const EffectInfo effect = find_effect(run, found.effect);
  const RunState state = read_state(run).state;
  JsonReader reader;
  const EffectRequest request = load_request(run, effect.request.place, reader);

  Reply reply{.document = run_document(found.run, state)};
  const int64_t now_ms = std::max(session.context().clock.now_ms(), state.head.at_ms);
  reply.document["effect"] = task_document(state, effect, now_ms, session.context().host);
  reply.document["attempts"] = attempts_document(run, effect, reader);
  const auto progress = load_progress(run, effect.request, reader);
  if (!progress.empty()) reply.document["progress"] = raw_json(progress);
  reply.document["task"] = raw_json(request.definition);
  reply.document["inputs"] = raw_json(request.inputs);
  const bool resolved = effect.status.starts_with("resolved");
  reply.document["result"] =
      resolved ? result_document(load_result(run, effect, reader, kMostShown)) : Document(nullptr);
  if (!effect.late.empty()) reply.document["late"] = late_document(run, effect, reader);
  return reply;
}

namespace {

void add_standing_rows(Table& table, const Document& document) {
  const Document& effect = document["effect"];
  const auto row = [&table](const char* name, const std::string& text) {
    table.add({{name, Colour::kDim}, {shown(text, kTaskValueWidth)}});
  };
  if (effect.contains("claim")) {
    row("claim", claim_text(effect["claim"]));
  }
  if (effect.contains("held")) row("held", "a person must let it go on");
  if (effect.contains("availableAt")) row("from", effect["availableAt"]);
  if (effect.contains("deadlineAt")) row("deadline", effect["deadlineAt"]);
  if (document.contains("progress")) row("progress", json_of(document["progress"]));
  for (const Document& attempt : document["attempts"]) {
    const std::string name = "attempt " + std::to_string(attempt["attempt"].get<uint64_t>());
    std::string text = attempt["status"];
    if (attempt.contains("worker")) text += ", " + attempt["worker"].get<std::string>();
    const std::string why = get_pointer(attempt, "/error/message").value_or("");
    row(name.c_str(), why.empty() ? text : text + ": " + why);
    for (const char* log : {"stdoutRef", "stderrRef"}) {
      if (attempt.contains(log) && attempt[log] != effect.value(log, Document())) {
        row("", attempt[log]);
      }
    }
  }
}

// What a result is, or where.
std::string outcome_text(const Document& result) {
  if (!result.contains("valueRef")) {
    return json_of(result.contains("value") ? result["value"] : result["error"]);
  }
  return std::to_string(result["valueBytes"].get<uint64_t>() >> 20U) + " MiB in " +
         result["valueRef"].get<std::string>() + " of the run";
}

}  // namespace

std::string task_show_text(const Document& document, const Style& style) {
  const Document& effect = document["effect"];
  const std::string status = effect["status"];
  std::string out = paint(style, Colour::kBold, effect["effectId"].get<std::string>()) + "  " +
                    paint(style, status_colour(status), status) + "  " +
                    shown(effect["kind"].get<std::string>()) + "  " +
                    shown(effect["taskId"].get<std::string>()) + "\n";
  Table table;
  const auto row = [&table](const char* name, const std::string& text) {
    table.add({{name, Colour::kDim}, {shown(text, kTaskValueWidth)}});
  };
  row("label", effect["label"]);
  if (effect.contains("key")) row("key", effect["key"]);
  row("requested", effect["requestedAt"]);
  if (effect.contains("dueAt")) row("due", effect["dueAt"]);
  add_standing_rows(table, document);
  row("inputs", json_of(document["inputs"]));
  row("task", json_of(document["task"]));
  if (effect.contains("resolvedAt")) row("resolved", effect["resolvedAt"]);
  const Document& result = document["result"];
  if (result.contains("value") || result.contains("valueRef")) row("value", outcome_text(result));
  if (result.contains("error")) row("error", json_of(result["error"]));
  if (result.contains("metadata")) row("metadata", json_of(result["metadata"]));
  for (const char* log : {"stdoutRef", "stderrRef"}) {
    if (effect.contains(log)) row(log, effect[log]);
  }
  for (const Document& late : document.value("late", Document::array())) {
    row("late", late["at"].get<std::string>() + ", " + late["status"].get<std::string>() + ": " +
                    outcome_text(late));
  }
  return out + table.print(style, "  ");
}

}  // namespace reprise
