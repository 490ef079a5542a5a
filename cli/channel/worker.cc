// worker:list, show, spawn, route, cancel.
#include <filesystem>

#include "cli/channel/commands.h"
#include "cli/channel/making.h"
#include "cli/channel/parts.h"
#include "cli/channel/signal_request.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/agents/agent.h"
#include "journal/value.h"

namespace reprise {
namespace {

constexpr size_t kWorkerTextWidth = 72;

SignalRequest worker_request(std::string signal) {
  SignalRequest request{.signal = std::move(signal)};
  request.question = {{"ask", "workers"}};
  request.answer = "workers";
  return request;
}

void add_text_flag(Document& value, const Arguments& arguments, const char* flag,
                   const char* member) {
  if (const auto text = arguments.value(flag)) value[member] = checked_text(*text, flag);
}

void add_row(Table& table, const Document& worker) {
  const std::string state = member_text(worker, "state");
  std::string what = member_text(worker, "report");
  if (state == "completed") what = member_text(worker, "summary");
  if (state == "failed") what = member_text(worker, "error");
  table.add({{shown(member_text(worker, "workerId")), Colour::kBold},
             {shown(state), status_colour(state)},
             {shown(member_text(worker, "title"), kWorkerTextWidth)},
             {shown(what, kWorkerTextWidth)}});
}

std::string workers_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& worker : document["workers"]) add_row(table, worker);
  return table.empty() ? "  no workers\n" : table.print(style, "  ");
}

}  // namespace

Reply worker_list(const Arguments& arguments) { return list_parts(arguments, "workers"); }

std::string worker_list_text(const Document& document, const Style& style) {
  return workers_text(document, style);
}

Reply worker_show(const Arguments& arguments) {
  return show_part(arguments, {"worker", "WORKER"}, Past::kPresent);
}

std::string worker_show_text(const Document& document, const Style& style) {
  return part_text(document["worker"], style, "workerId");
}

Reply worker_spawn(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  SignalRequest request = worker_request("worker.spawn");
  Document& value = request.value;
  value["objective"] = checked_text(arguments.positional("OBJECTIVE"), "OBJECTIVE");
  add_text_flag(value, arguments, "--title", "title");
  add_text_flag(value, arguments, "--mode", "mode");
  add_text_flag(value, arguments, "--task-id", "taskId");
  if (const auto agent = arguments.value("--agent")) {
    find_agent(session.workspace_to_read().home_path(), checked_text(*agent, "--agent"));
    value["agent"] = *agent;
  }
  for (const auto& tool : arguments.values("--tool")) {
    value["tools"].push_back(checked_text(tool, "--tool"));
  }
  if (const auto dir = arguments.value("--dir")) {
    value["workingDirectory"] = folder_flag(*dir, session);
  }
  if (const auto entry = arguments.value("--entry")) {
    value["entry"] =
        (std::filesystem::path(session.working_dir()) / checked_text(*entry, "--entry"))
            .lexically_normal()
            .string();
  }
  if (const auto file = arguments.value("--inputs")) {
    const auto text = read_user_file(*file, {session.working_dir()}, "--inputs");
    value["inputs"] = raw_json(parse_value(text, "--inputs").text);
  }
  return tell_channel(arguments, session, run, request);
}

std::string worker_spawn_text(const Document& document, const Style& style) {
  return told_text(document, style, "given a worker") + workers_text(document, style) +
         pending_text(document, style);
}

Reply worker_route(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  SignalRequest request = worker_request("worker.route");
  request.value = {{"workerId", checked_text(arguments.positional("WORKER"), "WORKER")},
                   {"command", *arguments.value("--command")}};
  add_text_flag(request.value, arguments, "--text", "text");
  add_text_flag(request.value, arguments, "--summary", "summary");
  add_text_flag(request.value, arguments, "--error", "error");
  return tell_channel(arguments, session, run, request);
}

std::string worker_route_text(const Document& document, const Style& style) {
  return told_text(document, style, "told") + workers_text(document, style);
}

Reply worker_cancel(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = find_channel(session, arguments);
  SignalRequest request = worker_request("worker.cancel");
  request.value["workerId"] = checked_text(arguments.positional("WORKER"), "WORKER");
  add_text_flag(request.value, arguments, "--reason", "reason");
  return tell_channel(arguments, session, run, request);
}

std::string worker_cancel_text(const Document& document, const Style& style) {
  return told_text(document, style, "rid of the worker") + workers_text(document, style);
}

}  // namespace reprise
