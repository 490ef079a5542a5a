#include "engine/process_loader.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "engine/decider_machine.h"
#include "engine/json_writer.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

std::string module_json(const PinnedModule& module) {
  return JsonWriter()
      .text("path", module.path)
      .text("digest", module.digest)
      .number("size", module.size)
      .done();
}

[[noreturn]] void refuse_pinned(const std::string& path, const std::string& why) {
  throw Error(Exit::kCorrupt, "PROCESS_DAMAGED", path + " " + why,
              "the run replays the sources that were pinned at its creation: restore the file from "
              "a copy of the run");
}

/// The time at which the module's top level ran: that of the record that gave the run its process.
int64_t started_at_ms(Dir& run, const RunState& state) {
  std::string buffer;
  return read_record(run, state.process_place, buffer).at_ms;
}

void with_script(Dir& run, OpenRun& open, const Context& context,
                 const ProcessDescriptor& descriptor, const std::function<void(Machine&)>& use) {
  const auto& history = open.history;
  const auto identity = read_identity(run, history.state, descriptor, open.reader);
  const auto sources = read_pinned(run, descriptor);
  const auto started = started_at_ms(run, history.state);
  context.scripts.run([&] {
    ScriptMachine machine(context.scripts, identity, sources, started, history.activations.size());
    use(machine);
  });
}

void with_built_in(Dir& run, OpenRun& open, const BuiltIn& built_in,
                   const std::function<void(Machine&)>& use) {
  const Inputs inputs([&] { return load_inputs(run, open.history.state); });
  auto decider = built_in.make(inputs);
  if (!open.snapshot.empty() && !decider->restore(open.snapshot)) {
    read_everything(run, open);
    decider = built_in.make(inputs);
  }
  DeciderMachine machine(built_in.name, std::move(decider));
  use(machine);
}

/// A file of the user's, links followed; nullopt when it is gone or cannot be read.
std::optional<std::string> read_source(const std::string& path) {
  std::error_code failed;
  const auto file = std::filesystem::canonical(path, failed);
  if (failed) return std::nullopt;
  try {
    const auto folder = open_real_dir(file.parent_path().string(), false);
    return folder ? read_file(*folder, file.filename().string()) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

ScriptIdentity read_identity(Dir& run, const RunState& state, const ProcessDescriptor& descriptor,
                             JsonReader& reader) {
  std::string buffer;
  const auto& created = read_data(run, state.created_place, buffer, reader);
  return {.run_id = created.text("runId"),
          .run_dir = created.text("runDir"),
          .process_id = state.process_id,
          .seed = created.text("seed"),
          .entry = descriptor.import_path,
          .export_name = descriptor.export_name,
          .engine = descriptor.engine,
          .rules = state.rules};
}

bool same_program(const ProcessDescriptor& one, const ProcessDescriptor& other) {
  return one.script == other.script && one.name == other.name &&
         one.import_path == other.import_path && one.export_name == other.export_name &&
         one.modules == other.modules;
}

std::string descriptor_json(const ProcessDescriptor& descriptor) {
  JsonWriter json;
  if (!descriptor.script) return json.text("kind", "builtin").text("name", descriptor.name).done();
  std::string modules = "[";
  for (const auto& module : descriptor.modules) {
    modules += (modules.size() > 1 ? "," : "") + module_json(module);
  }
  return json.text("kind", "script")
      .raw("entrypoint", JsonWriter()
                             .text("importPath", descriptor.import_path)
                             .text("exportName", descriptor.export_name)
                             .done())
      .number("interface", descriptor.interface_version)
      .text("engine", descriptor.engine)
      .text("root", descriptor.root)
      .text_if("folder", descriptor.folder)
      .raw("modules", modules + "]")
      .done();
}

ProcessDescriptor read_descriptor(Dir& run, const RunState& state, JsonReader& reader) {
  std::string buffer;
  return parse_descriptor(read_data(run, state.process_place, buffer, reader).raw("process"));
}

ProcessDescriptor parse_descriptor(std::string_view process) {
  ProcessDescriptor descriptor;
  if (process.empty()) return descriptor;
  JsonReader reader;
  const auto& json = reader.members_of_copy(process);
  descriptor.script = json.text("kind") == "script";
  descriptor.name = json.text("name");
  descriptor.root = json.text("root");
  descriptor.folder = json.text("folder");
  descriptor.engine = json.text("engine");
  descriptor.interface_version = json.number("interface");
  if (!descriptor.script) return descriptor;
  JsonReader nested;
  const auto& entry = nested.members_of_copy(json.raw("entrypoint"));
  descriptor.import_path = entry.text("importPath");
  descriptor.export_name = entry.text("exportName");
  for (const auto item : array_elements(json.raw("modules"))) {
    const auto& module = nested.members_of_copy(item);
    descriptor.modules.push_back(
        {module.text("path"), module.text("digest"), module.number("size")});
  }
  return descriptor;
}

std::string pinned_path(const ProcessDescriptor& descriptor, const std::string& module) {
  return "process/" + (descriptor.folder.empty() ? "" : descriptor.folder + "/") + module;
}

std::vector<PinnedSource> read_pinned(Dir& run, const ProcessDescriptor& descriptor) {
  std::vector<PinnedSource> sources;
  for (const auto& module : descriptor.modules) {
    const auto path = pinned_path(descriptor, module.path);
    auto text = read_file(run, path);
    if (!text) refuse_pinned(path, "is missing");
    if (digest128(*text) != module.digest) refuse_pinned(path, "is not what was pinned");
    sources.push_back({module.path, std::move(*text)});
  }
  return sources;
}

const BuiltIn& find_built_in(std::span<const BuiltIn> catalogue, std::string_view name) {
  const auto found = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const BuiltIn& built_in) { return built_in.name == name; });
  if (found != catalogue.end()) return *found;
  std::string known;
  for (const auto& built_in : catalogue)
    known += (known.empty() ? "" : ", ") + std::string(built_in.name);
  throw Error(Exit::kNotFound, "PROCESS_UNKNOWN",
              "there is no built-in process \"" + std::string(name) + "\"",
              "built in are: " + known + "; a script is given with --entry FILE");
}

void with_machine(Dir& run, OpenRun& open, const Context& context,
                  const std::function<void(Machine&)>& use) {
  const auto descriptor = read_descriptor(run, open.history.state, open.reader);
  if (descriptor.script) return with_script(run, open, context, descriptor, use);
  with_built_in(run, open, find_built_in(context.built_ins, descriptor.name), use);
}

std::string load_inputs(Dir& run, const RunState& state) {
  std::string buffer;
  JsonReader reader;
  return load_value(read_data(run, state.created_place, buffer, reader), "inputs", run);
}

std::vector<std::string> source_notes(Dir& run, const RunState& state, JsonReader& reader) {
  std::vector<std::string> notes;
  if (!state.has_process) return notes;
  const auto descriptor = read_descriptor(run, state, reader);
  if (!descriptor.script) return notes;
  for (const auto& module : descriptor.modules) {
    const auto text = read_source(descriptor.root + "/" + module.path);
    if (!text || digest128(*text) == module.digest) continue;
    notes.push_back(module.path +
                    " changed since it was pinned: the run goes on with the pinned copy");
  }
  return notes;
}

}  // namespace reprise
