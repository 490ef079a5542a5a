#include "engine/create.h"

#include "engine/commands.h"
#include "engine/commit.h"
#include "engine/identity.h"
#include "engine/json_writer.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"
#include "journal/run_dir.h"

namespace reprise {

namespace {

constexpr std::string_view kLayoutVersion = "reprise.run.1";

std::string parent_json(const ParentEffect& parent) {
  return JsonWriter()
      .text("runId", parent.run_id)
      .text("effectId", format_effect_id(parent.effect))
      .text_if("identity", parent.identity)
      .done();
}

std::string labels_json(const std::map<std::string, std::string>& labels) {
  JsonWriter json;
  for (const auto& [name, value] : labels) json.text(name, value);
  return json.done();
}

NewRecord created_record(const CreateRequest& request, const ScriptIdentity& identity,
                         const ChosenProcess& chosen, const Author& author, Dir& run) {
  JsonWriter data;
  data.text("runId", identity.run_id)
      .text("runDir", identity.run_dir)
      .text("seed", identity.seed)
      .text_if("identity",
               chosen.rules == 0 ? std::string() : derived_identity(identity.run_id, identity.seed))
      .text("processId", chosen.process_id)
      .text("inputsDigest", value_digest(request.inputs.canonical()));
  if (!chosen.bare()) data.raw("process", descriptor_json(chosen.descriptor));
  if (chosen.rules != 0) data.number("rules", chosen.rules);
  if (!request.labels.empty()) data.raw("labels", labels_json(request.labels));
  const auto& parent = request.parent;
  if (!parent.run_id.empty()) data.raw("parent", parent_json(parent));
  data.text_if("request", request.request).flag("simulated", request.simulated);
  add_value(data, "inputs", request.inputs.text, run);
  return {RecordType::kRunCreated, 0, 0, data.raw("by", author_json(author)).done()};
}

/// Everything that a new run holds, in the folder that is built aside.
void fill_run(Dir& run, const NewRecord& created, const ScriptIdentity& identity,
              const ChosenProcess& chosen, const Value& inputs, int64_t now_ms) {
  write_sources(run, chosen);
  start_journal(run, identity.run_id + ":" + identity.seed, {&created, 1}, now_ms,
                journal_format(chosen.rules));
  replace_file(run, "inputs.json", inputs.text + "\n", true);
  JsonReader reader;
  const auto state = read_state(run).state;
  replace_file(run, "run.json", run_json(run, state, reader), true);
  store_state(run, state, {});
}

/// An existing run of that name: success when it is the same one and --if-absent was given.
CreatedRun accept_existing(Dir& runs, const std::string& run_dir, const CreateRequest& request,
                           const ChosenProcess& chosen) {
  CreatedRun result{request.run_id, run_dir, chosen.process_id, chosen.entry(), false};
  std::string why = "a run of this id exists";
  const auto run = request.if_absent ? runs.open_dir(request.run_id) : nullptr;
  if (run) {
    JsonReader reader;
    std::string buffer;
    const auto state = read_state(*run).state;
    const auto& created = read_data(*run, state.created_place, buffer, reader);
    const bool same_inputs =
        created.text("inputsDigest") == value_digest(request.inputs.canonical());
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
  ScriptIdentity identity{
      .run_id = run_id, .run_dir = runs_path + "/" + run_id, .rules = request.rules};
  identity.seed = format_hex64(context.random.next()) + format_hex64(context.random.next());
  const auto chosen =
      choose_process(context, read, request.process, identity, request.inputs.text, now_ms);
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
    // An index may still know an earlier run of this id, whose folder it would take for this one.
    if (context.changes != nullptr) context.changes->touch(runs->path() + "/" + run_id, 0);
    if (!building.commit(run_id)) return accept_existing(*runs, identity.run_dir, named, chosen);
  }
  return {run_id, identity.run_dir, chosen.process_id, chosen.entry(), !request.dry_run};
}

std::string run_json(Dir& run, const RunState& state, JsonReader& reader) {
  std::string buffer;
  const auto& created = read_data(run, state.created_place, buffer, reader);
  JsonWriter json;
  json.text("schemaVersion", "reprise.run.1").text("runId", state.run_id);
  json.raw("request", created.has("request") ? created.raw("request") : quote(state.process_id));
  json.text("processId", state.process_id).raw_if("labels", created.raw("labels"));
  if (!state.parent.empty()) {
    json.raw("parent", parent_json({.run_id = state.parent, .effect = state.parent_effect}));
  }
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
