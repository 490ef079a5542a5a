#include "engine/task_files.h"

#include <algorithm>
#include <array>

#include "engine/history.h"
#include "engine/json_writer.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr std::string_view kSchemaVersion = "reprise.task.1";

/// The author's task with what identifies the effect in front; our members win.
std::string task_json(const RunState& state, const OpenEffect& effect,
                      const EffectRequest& request) {
  JsonWriter json;
  json.text("schemaVersion", kSchemaVersion)
      .text("effectId", format_effect_id(effect.id))
      .text("taskId", effect.task)
      .text("invocationKey", invocation_key(state.process_id, effect.id, effect.key, effect.task))
      .text("stepId", step_id(effect.id, effect.key))
      .text("kind", effect.kind)
      .text("label", effect.label);
  constexpr std::array<std::string_view, 7> ours = {
      "schemaVersion", "effectId", "taskId", "invocationKey", "stepId", "kind", "label"};
  JsonReader reader;
  for (const auto& member : reader.members_of_copy(request.definition)) {
    const bool taken = std::find(ours.begin(), ours.end(), member.name) != ours.end();
    if (!taken && member.name != "inputs")
      json.raw(unquote("\"" + std::string(member.name) + "\""), member.raw);
  }
  return json.raw("inputs", request.inputs).done() + "\n";
}

/// Ours, and not to be kept: a request's file, or what a killed command left of one or of a log.
bool is_passing(std::string_view file) {
  constexpr std::array<std::string_view, 4> ours = {"task.json", "input.json", "stdout.log",
                                                    "stderr.log"};
  const bool leftover = file.ends_with(".tmp") && std::ranges::any_of(ours, [&](auto name) {
                          return file.starts_with(std::string(name) + ".");
                        });
  return leftover || file == "task.json" || file == "input.json";
}

/// They are not synced: a power failure leaves the name of a file that was new, and no bytes.
bool is_there(Dir& run, const std::string& path) {
  const auto stat = run.stat(path);
  return stat && stat->size > 0;
}

}  // namespace

EffectRequest request_of(const Members& data, Dir& run) {
  return {load_value(data, "inputs", run), load_value(data, "taskDef", run)};
}

EffectRequest load_request(Dir& run, const Place& place, JsonReader& reader) {
  std::string buffer;
  const auto record = read_record(run, place, buffer);
  return request_of(reader.members(record.data), run);
}

std::string step_id(uint64_t effect, std::string_view key) {
  if (!key.empty()) return std::string(key);
  auto digits = std::to_string(effect);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return "S" + digits;
}

std::string invocation_key(std::string_view process_id, uint64_t effect, std::string_view key,
                           std::string_view task) {
  return std::string(process_id) + ":" + step_id(effect, key) + ":" + std::string(task);
}

void write_task_files(Dir& run, const RunState& state, const OpenEffect& effect,
                      JsonReader& reader) {
  const auto folder = "tasks/" + format_effect_id(effect.id);
  if (is_there(run, folder + "/task.json") && is_there(run, folder + "/input.json")) return;
  const auto request = load_request(run, effect.place, reader);
  run.make_dir(folder);
  replace_file(run, folder + "/input.json", request.inputs + "\n", false);
  replace_file(run, folder + "/task.json", task_json(state, effect, request), false);
}

void refresh_task_files(Dir& run, const RunState& state, JsonReader& reader) {
  for (const auto& name : run.list("tasks")) {
    const auto id = parse_effect_id(name);
    if (!id || state.open.contains(*id)) continue;
    const auto folder = "tasks/" + name;
    for (const auto& file : run.list(folder)) {
      if (is_passing(file)) run.remove(folder + "/" + file);
    }
    run.remove(folder);
  }
  for (const auto& [id, effect] : state.open) {
    if (effect.kind != "sleep") write_task_files(run, state, effect, reader);
  }
}

}  // namespace reprise
