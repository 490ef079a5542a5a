#include "engine/children.h"

#include <filesystem>
#include <map>

#include "engine/create.h"
#include "engine/identity.h"
#include "engine/inspect.h"
#include "engine/json_writer.h"
#include "engine/process_loader.h"
#include "engine/task_files.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr size_t kRunIdBytes = 128;
constexpr std::string_view kBuiltInPrefix = "builtin:";

[[noreturn]] void refuse_request(const std::string& message) {
  throw Error(Exit::kUsage, "CHILD_INVALID", message,
              "as in ctx.run('./build.js', {branch: 'main'})");
}

/// What the parent asked for.
struct Wanted {
  std::string entry;
  Value inputs;
  std::map<std::string, std::string> labels;
};

Wanted read_request(Dir& parent_dir, const OpenEffect& effect) {
  JsonReader reader;
  const auto request = load_request(parent_dir, effect.place, reader);
  Wanted wanted;
  JsonReader members;
  const auto& args = members.members_of_copy(request.inputs);
  wanted.entry = args.text("entry");
  if (wanted.entry.empty()) refuse_request("a child run needs an entry");
  const auto inputs = args.raw("inputs");
  wanted.inputs = parse_value(inputs.empty() ? "{}" : inputs, "the inputs of the child run");
  JsonReader nested;
  const auto& definition = members.members_of_copy(request.definition);
  const auto run = definition.raw("run");
  if (!run.starts_with('{')) return wanted;
  const auto labels = std::string(nested.members_of_copy(run).raw("labels"));
  if (!labels.starts_with('{')) return wanted;
  for (const auto& label : nested.members_of_copy(labels)) {
    const auto name = unquote("\"" + std::string(label.name) + "\"");
    wanted.labels[name] = label.raw.starts_with('"') ? unquote(label.raw) : std::string(label.raw);
  }
  return wanted;
}

ProcessChoice choose_process(const std::string& entry, const ProcessDescriptor& parent) {
  ProcessChoice choice;
  if (entry.starts_with(kBuiltInPrefix)) {
    choice.built_in = entry.substr(kBuiltInPrefix.size());
    return choice;
  }
  const auto hash = entry.rfind('#');
  if (hash != std::string::npos) choice.export_name = entry.substr(hash + 1);
  const fs::path file(entry.substr(0, hash));
  if (!parent.script && !file.is_absolute()) {
    refuse_request("a built-in process has no file that " + entry + " could be relative to");
  }
  const auto folder = fs::path(parent.root) / fs::path(parent.import_path).parent_path();
  choice.entry = (folder / file).lexically_normal().string();
  return choice;
}

/// What the parent has pinned is read from there: its children are of one piece with it.
SourceReader pinned_first(Dir& parent_dir, const ProcessDescriptor& parent,
                          const SourceReader& others) {
  std::map<std::string, std::string> pinned;
  for (auto& source : read_pinned(parent_dir, parent)) {
    pinned.emplace((fs::path(parent.root) / source.path).string(), std::move(source.text));
  }
  return [pinned = std::move(pinned), &others](const std::string& path) {
    const auto found = pinned.find(path);
    return found == pinned.end() ? others(path) : std::optional(found->second);
  };
}

Post error_post(uint64_t effect, std::string_view name, const std::string& message,
                const std::string& data) {
  Post post;
  post.effect.id = effect;
  post.ok = false;
  post.value =
      parse_value(JsonWriter().text("name", name).text("message", message).raw("data", data).done(),
                  "the end of a child run");
  return post;
}

Post failure_of_child(const RunState& state, const EndDetails& end) {
  JsonWriter data;
  data.text("runId", state.run_id);
  const auto run = "child run " + state.run_id;
  if (state.status() == RunStatus::kFailed) {
    JsonReader reader;
    const auto why = reader.members_of_copy(end.error).text("message");
    return error_post(state.parent_effect, "ChildRunFailed", run + " failed: " + why,
                      data.raw("error", end.error).done());
  }
  const bool cancelled = state.status() == RunStatus::kCancelled;
  data.text("reason", end.reason).raw_if("payload", end.payload);
  return error_post(state.parent_effect, cancelled ? "ChildRunCancelled" : "ChildRunHalted",
                    run + (cancelled ? " was cancelled" : " was halted") +
                        (end.reason.empty() ? "" : ": " + end.reason),
                    data.done());
}

Post end_of_child(Dir& child, const RunState& state) {
  JsonReader reader;
  const auto end = load_end(child, state, reader).value();
  Post post;
  if (state.status() == RunStatus::kCompleted) {
    post.effect.id = state.parent_effect;
    post.value = parse_value(end.output, "the output of " + state.run_id);
  } else {
    post = failure_of_child(state, end);
  }
  // A child that is retried may end again; each of its ends counts once. So may one that is made
  // again under its id. A parent without an identity keeps the keys that it has.
  const auto key = std::string(kChildPostKey) + std::to_string(state.end->seq);
  post.post_key = state.parent_identity.empty() ? key : with_identity(key, state.identity);
  return post;
}

}  // namespace

std::string child_run_id(std::string_view parent, uint64_t effect) {
  const auto end = "." + format_effect_id(effect);
  if (parent.size() + end.size() <= kRunIdBytes) return std::string(parent) + end;
  const auto tail = "-" + digest128(parent) + end;
  return std::string(parent.substr(0, kRunIdBytes - tail.size())) + tail;
}

std::optional<ChildRun> find_child(const RunFolder& folder, const RunState& parent,
                                   uint64_t effect) {
  const auto id = child_run_id(parent.run_id, effect);
  ChildRun child{folder.runs.open_dir(id), {}};
  if (!child.dir) return std::nullopt;
  child.state = read_state(*child.dir).state;
  if (is_child_of(child.state, parent, effect)) return child;
  const bool of_earlier =
      child.state.parent == parent.run_id && child.state.parent_effect == effect;
  throw Error(
      Exit::kConflict, "RUN_EXISTS",
      "there is a run " + id +
          (of_earlier ? " that an earlier run " + parent.run_id + " made: delete or archive it"
                      : " that is not the child of " + parent.run_id));
}

void create_child(const RunFolder& folder, Dir& parent_dir, const RunState& parent,
                  const OpenEffect& effect, const Context& context) {
  JsonReader reader;
  const auto descriptor = read_descriptor(parent_dir, parent, reader);
  auto wanted = read_request(parent_dir, effect);
  CreateRequest request;
  request.run_id = child_run_id(parent.run_id, effect.id);
  request.process = choose_process(wanted.entry, descriptor);
  request.inputs = std::move(wanted.inputs);
  request.labels = std::move(wanted.labels);
  request.parent = {parent.run_id, effect.id, parent.identity};
  request.simulated = parent.simulated;
  try {
    create_run(&folder.runs, folder.path, context,
               pinned_first(parent_dir, descriptor, folder.read), request);
  } catch (const Error& error) {
    // Somebody else made it meanwhile, perhaps of sources that changed since.
    if (error.code() != "RUN_EXISTS" || !find_child(folder, parent, effect.id)) throw;
  }
}

Posted post_end(Dir& parent, const Context& context, Dir& child, const RunState& state) {
  auto post = end_of_child(child, state);
  post.by_engine = true;
  try {
    return post_result(parent, context, post);
  } catch (const Error& error) {
    // Nobody could correct it: what the child came to is as durable as its parent's schema.
    const bool schema = error.code() == "SCHEMA_INVALID";
    if (!schema && error.code() != "OUTPUT_INVALID") throw;
    JsonReader reader;
    const auto& violation = reader.members_of_copy(error.details());
    JsonWriter data;
    data.text("runId", state.run_id).text("pointer", violation.text("pointer"));
    data.text_if("reason", violation.text("reason"));
    auto failure = error_post(state.parent_effect, schema ? "SchemaInvalid" : "OutputInvalid",
                              "child run " + state.run_id + ": " + error.message(), data.done());
    failure.post_key = std::move(post.post_key);
    return post_result(parent, context, failure);
  }
}

bool is_settled_by(const Error& error) {
  return error.exit() == Exit::kUsage || error.exit() == Exit::kNotFound ||
         error.exit() == Exit::kConflict || error.exit() == Exit::kForbidden;
}

Post child_not_created(uint64_t effect, const Error& error) {
  const auto message = "the child run cannot be made: " + error.message();
  auto post = error_post(effect, "ChildRunNotCreated", message,
                         JsonWriter().text("code", error.code()).done());
  post.post_key = std::string(kChildPostKey) + "none";
  return post;
}

}  // namespace reprise
