#include "engine/chosen.h"

#include <filesystem>
#include <set>

#include "journal/blobs.h"
#include "journal/error.h"

namespace reprise {

namespace {

ChosenProcess choose_script(const Context& context, const SourceReader& read,
                            const ProcessChoice& choice, ScriptIdentity identity, int64_t now_ms) {
  ChosenProcess chosen;
  chosen.rules = identity.rules;
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

}  // namespace

ChosenProcess choose_process(const Context& context, const SourceReader& read,
                             const ProcessChoice& choice, const ScriptIdentity& identity,
                             std::string_view inputs, int64_t now_ms) {
  if (!choice.entry.empty()) return choose_script(context, read, choice, identity, now_ms);
  ChosenProcess chosen;
  chosen.rules = identity.rules;
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

void write_sources(Dir& run, const ChosenProcess& chosen) {
  std::set<std::string> folders = {""};
  for (const auto& source : chosen.sources) {
    const auto path = pinned_path(chosen.descriptor, source.path);
    auto folder = std::filesystem::path(path).parent_path();
    run.make_dir(folder.string());
    for (; !folder.empty(); folder = folder.parent_path()) folders.insert(folder.string());
    replace_file(run, path, source.text, true);
  }
  for (const auto& folder : folders) run.sync_dir(folder);
}

}  // namespace reprise
