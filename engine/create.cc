#include "engine/create.h"

#include <filesystem>
#include <set>

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/json_writer.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/run_dir.h"

namespace reprise {

namespace {

constexpr std::string_view kLayoutVersion = "reprise.run.1";

/// A process that was found fit: pinned, loaded once, its inputs accepted.
struct Chosen {
  std::string process_id;
  ProcessDescriptor descriptor;
  std::vector<PinnedSource> sources;

  bool bare() const { return descriptor.name.empty() && !descriptor.script; }
  std::string entry() const {
    return descriptor.script ? descriptor.import_path + "#" + descriptor.export_name
                             : descriptor.name;
  }
};

Chosen choose_script(const Context& context, const SourceReader& read, const ProcessChoice& choice,
                     ScriptIdentity identity, int64_t now_ms) {
  Chosen chosen;
  auto& descriptor = chosen.descriptor;
  context.scripts.run([&] {
    auto program = pin_program(context.scripts, choice.entry, read);
    const auto& table = context.scripts.table();
    descriptor.script = true;
    descriptor.import_path = program.entry;
    descriptor.export_name = choice.export_name.empty() ? "process" : choice.export_name;
    descriptor.root = program.root;
    descriptor.engine = as_view(table.engine);
    descriptor.interface_version = table.interface_version;
    for (const auto& source : program.sources) {
      descriptor.modules.push_back({source.path, digest128(source.text), source.text.size()});
    }
    chosen.process_id = choice.process_id.empty()
                            ? std::filesystem::path(choice.entry).stem().string()
                            : choice.process_id;
    identity.process_id = chosen.process_id;
    identity.entry = program.entry;
    identity.export_name = descriptor.export_name;
    identity.engine = descriptor.engine;
    ScriptMachine loads(context.scripts, identity, program.sources, now_ms, 0);
    loads.begin_live();
    chosen.sources = std::move(program.sources);
  });
  return chosen;
}

Chosen choose(const Context& context, const SourceReader& read, const ProcessChoice& choice,
              const ScriptIdentity& identity, std::string_view inputs, int64_t now_ms) {
  if (!choice.entry.empty()) return choose_script(context, read, choice, identity, now_ms);
  Chosen chosen;
  chosen.process_id = choice.process_id;
  if (choice.built_in.empty()) return chosen;
  const auto& built_in = find_built_in(context.built_ins, choice.built_in);
  if (const auto wrong = built_in.check_inputs(inputs); !wrong.empty()) {
    throw Error(Exit::kUsage, "INPUTS_REFUSED", "the inputs of " + choice.built_in + ": " + wrong);
  }
  if (chosen.process_id.empty()) chosen.process_id = choice.built_in;
  chosen.descriptor.name = choice.built_in;
  return chosen;
}

std::string parent_json(const std::string& run_id, uint64_t effect) {
  return JsonWriter().text("runId", run_id).text("effectId", format_effect_id(effect)).done();
}

std::string labels_json(const std::map<std::string, std::string>& labels) {
  JsonWriter json;
  for (const auto& [name, value] : labels) json.text(name, value);
  return json.done();
}

NewRecord created_record(const CreateRequest& request, const ScriptIdentity& identity,
                         const Chosen& chosen, const Author& author, Dir& run) {
  JsonWriter data;
  data.text("runId", identity.run_id)
      .text("runDir", identity.run_dir)
      .text("seed", identity.seed)
      .text("processId", chosen.process_id)
      .text("inputsDigest", value_digest(request.inputs.canonical));
  if (!chosen.bare()) data.raw("process", descriptor_json(chosen.descriptor));
  if (!request.labels.empty()) data.raw("labels", labels_json(request.labels));
  const auto& parent = request.parent;
  if (!parent.run_id.empty()) data.raw("parent", parent_json(parent.run_id, parent.effect));
  data.text_if("request", request.request).flag("simulated", request.simulated);
  add_value(data, "inputs", request.inputs.text, run);
  return {RecordType::kRunCreated, 0, 0, data.raw("by", author_json(author)).done()};
}

/// Durable when it returns, with the folders that it made.
void write_sources(Dir& run, const std::vector<PinnedSource>& sources) {
  std::set<std::string> folders = {""};
  for (const auto& source : sources) {
    const auto path = "process/" + source.path;
    auto folder = std::filesystem::path(path).parent_path();
    run.make_dir(folder.string());
    for (; !folder.empty(); folder = folder.parent_path()) folders.insert(folder.string());
    replace_file(run, path, source.text, true);
  }
  for (const auto& folder : folders) run.sync_dir(folder);
}

/// Assigning the process that the run has already changes nothing: a repeated command succeeds.
void refuse_other_process(Dir& run, OpenRun& open, const Chosen& chosen) {
  const auto& state = open.history.state;
  const auto recorded = read_descriptor(run, state, open.reader);
  if (state.process_id == chosen.process_id && same_program(recorded, chosen.descriptor)) return;
  throw Error(Exit::kConflict, "PROCESS_ALREADY_ASSIGNED",
              "run " + state.run_id + " has another process already: " + state.process_id,
              "create another run: reprise run:create");
}

[[noreturn]] void refuse_ended(const RunState& state) {
  throw Error(Exit::kConflict, "RUN_ENDED",
              "run " + state.run_id + " was halted and takes no process",
              "create another run: reprise run:create");
}

/// Everything that a new run holds, in the folder that is built aside.
void fill_run(Dir& run, const NewRecord& created, const ScriptIdentity& identity,
              const Chosen& chosen, const Value& inputs, int64_t now_ms) {
  write_sources(run, chosen.sources);
  start_journal(run, identity.run_id + ":" + identity.seed, {&created, 1}, now_ms);
  replace_file(run, "inputs.json", inputs.text + "\n", true);
  JsonReader reader;
  const auto state = read_state(run).state;
  replace_file(run, "run.json", run_json(run, state, reader), true);
  store_state(run, state, {});
}

/// An existing run of that name: success when it is the same one and --if-absent was given.
CreatedRun accept_existing(Dir& runs, const std::string& run_dir, const CreateRequest& request,
                           const Chosen& chosen) {
  CreatedRun result{request.run_id, run_dir, chosen.process_id, chosen.entry(), false};
  std::string why = "a run of this id exists";
  if (request.if_absent) {
    JsonReader reader;
    std::string buffer;
    const auto run = runs.open_dir(request.run_id);
    const auto state = read_state(*run).state;
    const auto& created = read_data(*run, state.created_place, buffer, reader);
    const bool same_inputs = created.text("inputsDigest") == value_digest(request.inputs.canonical);
    const bool same_process =
        same_program(parse_descriptor(created.raw("process")), chosen.descriptor);
    if (same_inputs && same_process) {
      runs.sync_dir("");  // whoever made it may have died before this
      return result;
    }
    why += same_inputs ? " with another process" : " with other inputs";
  }
  throw Error(
      Exit::kConflict, "RUN_EXISTS", why + ": " + run_dir,
      "look at it with reprise run:status " + request.run_id + ", or choose another --run-id");
}

}  // namespace

CreatedRun create_run(Dir* runs, const std::string& runs_path, const Context& context,
                      const SourceReader& read, const CreateRequest& request) {
  const auto now_ms = context.clock.now_ms();
  const auto ulid = make_ulid(now_ms, context.random);
  const auto run_id = request.run_id.empty() ? ulid : request.run_id;
  if (!valid_run_id(run_id)) {
    throw Error(
        Exit::kUsage, "INVALID_RUN_ID", "\"" + run_id + "\" cannot be a run id",
        "letters, digits, dots, underscores and hyphens, at most 128, the first a letter or digit");
  }
  ScriptIdentity identity{.run_id = run_id, .run_dir = runs_path + "/" + run_id};
  identity.seed = format_hex64(context.random.next()) + format_hex64(context.random.next());
  const auto chosen = choose(context, read, request.process, identity, request.inputs.text, now_ms);
  auto named = request;
  named.run_id = run_id;
  if (runs != nullptr && runs->stat(run_id)) {
    return accept_existing(*runs, identity.run_dir, named, chosen);
  }
  if (!request.dry_run) {
    NewRun building(*runs, ulid);
    building.dir().make_dir("blobs");  // durable with the run, so that a blob need not see to it
    fill_run(building.dir(),
             created_record(request, identity, chosen, context.author, building.dir()), identity,
             chosen, request.inputs, now_ms);
    if (!building.commit(run_id)) return accept_existing(*runs, identity.run_dir, named, chosen);
  }
  return {run_id, identity.run_dir, chosen.process_id, chosen.entry(), !request.dry_run};
}

AssignedProcess assign_process(Dir& run, const Context& context, const SourceReader& read,
                               const ProcessChoice& choice, bool dry_run) {
  auto open = open_run(run, context, Read::kTail);
  auto& state = open.history.state;
  if (state.end && !state.has_process) refuse_ended(state);
  std::string buffer;
  const auto& created = read_data(run, state.created_place, buffer, open.reader);
  const ScriptIdentity identity{
      .run_id = state.run_id, .run_dir = created.text("runDir"), .seed = created.text("seed")};
  const auto inputs = load_value(created, "inputs", run);
  const auto at_ms = commit_time(open, context.clock);
  const bool assigned = !state.has_process;
  const auto chosen = choose(context, read, choice, identity, inputs, at_ms);
  if (!assigned) refuse_other_process(run, open, chosen);
  if (dry_run) return {chosen.process_id, chosen.entry(), false, {}};
  if (assigned) {
    write_sources(run, chosen.sources);
    Commit commit(open, at_ms);
    commit.add({RecordType::kProcessAssigned, 0, 0,
                JsonWriter()
                    .text("processId", chosen.process_id)
                    .raw("process", descriptor_json(chosen.descriptor))
                    .raw("by", author_json(context.author))
                    .done()});
    commit.write();
  }
  AssignedProcess result{chosen.process_id, chosen.entry(), assigned, {}};
  write_derived(result.notes, [&] {
    replace_file(run, "run.json", run_json(run, state, open.reader), false);
    refresh_state(run, open, nullptr, false);
  });
  return result;
}

std::string run_json(Dir& run, const RunState& state, JsonReader& reader) {
  std::string buffer;
  const auto& created = read_data(run, state.created_place, buffer, reader);
  JsonWriter json;
  json.text("schemaVersion", "reprise.run.1").text("runId", state.run_id);
  json.raw("request", created.has("request") ? created.raw("request") : quote(state.process_id));
  json.text("processId", state.process_id).raw_if("labels", created.raw("labels"));
  if (!state.parent.empty()) json.raw("parent", parent_json(state.parent, state.parent_effect));
  json.flag("simulated", state.simulated).text("layoutVersion", kLayoutVersion);
  json.text("createdAt", format_time(state.created_at_ms));
  std::string entrypoint = R"({"importPath":"bare-run"})";
  if (state.has_process) {
    const auto descriptor = read_descriptor(run, state, reader);
    entrypoint = JsonWriter()
                     .text("importPath", descriptor.script ? "process/" + descriptor.import_path
                                                           : "builtin:" + descriptor.name)
                     .text_if("exportName", descriptor.export_name)
                     .done();
  }
  return json.raw("entrypoint", entrypoint).done() + "\n";
}

}  // namespace reprise
