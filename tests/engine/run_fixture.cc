#include "tests/engine/run_fixture.h"

#include <catch2/catch.hpp>

#include "engine/commands.h"
#include "engine/process_loader.h"
#include "journal/error.h"
#include "journal/memory_files.h"

namespace reprise::test {

namespace {

SourceReader reader_of(std::map<std::string, std::string> sources) {
  return [sources = std::move(sources)](const std::string& path) -> std::optional<std::string> {
    const auto found = sources.find(path.substr(std::string("/source/").size()));
    return found == sources.end() ? std::nullopt : std::optional(found->second);
  };
}

/// A runs folder that Workspace would open; create_run is given it directly.
std::unique_ptr<Dir> create(World& world, const CreateRequest& request,
                            const std::map<std::string, std::string>& sources) {
  auto wanted = request;
  wanted.rules = world.rules;
  const auto created =
      create_run(world.runs.get(), "/home/runs", world.context, reader_of(sources), wanted);
  return world.runs->open_dir(created.run_id);
}

}  // namespace

World::World(std::vector<BuiltIn> processes)
    : scripts(ScriptHost::Options{.module = REPRISE_TEST_MODULE}),
      built_ins(std::move(processes)),
      context{clock, random, scripts, host, built_ins, {"tester", "host", "test"}},
      runs(MemoryFiles().root()) {}

TestRun::TestRun(World& world, const std::map<std::string, std::string>& sources,
                 const std::string& inputs)
    : x_world(&world) {
  CreateRequest request;
  request.process.entry = "/source/main.js";
  request.inputs = parse_value(inputs, "inputs");
  x_dir = create(world, request, sources);
}

TestRun::TestRun(World& world, const std::string& source, const std::string& inputs)
    : TestRun(world, std::map<std::string, std::string>{{"main.js", source}}, inputs) {}

TestRun TestRun::built_in(World& world, const std::string& name, const std::string& inputs) {
  CreateRequest request;
  request.process.built_in = name;
  request.inputs = parse_value(inputs, "inputs");
  return {world, create(world, request, {})};
}

Iteration TestRun::iterate() { return reprise::iterate(*x_dir, x_world->context); }

Posted TestRun::post(const std::string& effect, const std::string& value) {
  Post post;
  post.effect.id = parse_effect_id(effect).value();
  post.value = parse_value(value, "value");
  return post_result(*x_dir, x_world->context, post);
}

Posted TestRun::post_error(const std::string& effect, const std::string& error) {
  Post post;
  post.effect.id = parse_effect_id(effect).value();
  post.ok = false;
  post.value = parse_error_value(error, "error");
  return post_result(*x_dir, x_world->context, post);
}

AssignedProcess TestRun::assign(const std::string& source, bool yes, bool abandon) {
  AssignRequest request;
  request.process.entry = "/source/main.js";
  request.yes = yes;
  request.abandon = abandon;
  return assign_process(*x_dir, x_world->context, reader_of({{"main.js", source}}), request);
}

Reopened TestRun::retry() { return retry_run(*x_dir, x_world->context, false); }

Rewound TestRun::rewind(const std::string& target, const std::string& source, bool yes) {
  RewindRequest request;
  if (const auto effect = parse_effect_id(target)) {
    request.before = EffectSelector{*effect, {}};
  } else {
    request.to = std::stoull(target);
  }
  request.reason = "a test";
  request.yes = yes;
  if (!source.empty()) {
    request.process.emplace();
    request.process->entry = "/source/main.js";
  }
  return rewind_run(*x_dir, x_world->context, reader_of({{"main.js", source}}), request);
}

RunState TestRun::state() const { return read_state(*x_dir).state; }

std::string TestRun::pending() const {
  std::string text;
  const auto now = state();
  for (const auto& [id, effect] : now.open) {
    text += (text.empty() ? "" : " ") + format_effect_id(id) + ":" + effect.label;
  }
  return text;
}

std::string TestRun::end() const {
  JsonReader reader;
  const auto now = state();
  const auto details = load_end(*x_dir, now, reader);
  if (!details) return "open";
  if (!details->output.empty()) return details->output;
  if (details->error.empty()) return "halted: " + details->reason;
  const auto& error = reader.members_of_copy(details->error);
  return "failed: " + error.text("name") + ": " + error.text("message");
}

std::string TestRun::types() const {
  std::string text;
  for_each_event(*x_dir, [&](const RecordView& record) {
    text += (text.empty() ? "" : " ") + std::string(record_type_name(record.type));
  });
  return text;
}

std::vector<std::string> TestRun::decisions() const {
  std::vector<std::string> list;
  JsonReader reader;
  for_each_event(*x_dir, [&](const RecordView& record) {
    if (is_command(record.type))
      list.push_back(describe(command_record(record, reader.members(record.data)), reader));
  });
  return list;
}

size_t TestRun::commits() const {
  size_t count = 0;
  for_each_event(*x_dir, [&](const RecordView& record) { count += record.more ? 0 : 1; });
  return count;
}

void TestRun::check_replay() {
  auto open = open_run(*x_dir, x_world->context, Read::kAll);
  with_machine(*x_dir, open, x_world->context, [&](Machine& machine) {
    Reserve reserve(open.history, open.reader);
    replay(machine, open, *x_dir, reserve);
  });
}

TestRun TestRun::cut(size_t commits) const {
  auto copy = MemoryFiles().root();
  copy_tree(*x_dir, *copy, "");
  cut_run(*copy, commits);
  return {*x_world, std::move(copy)};
}

void copy_tree(Dir& from, Dir& to, const std::string& path) {
  for (const auto& name : from.list(path)) {
    const auto below = path.empty() ? name : path + "/" + name;
    if (from.stat(below)->directory) {
      to.make_dir(below);
      copy_tree(from, to, below);
    } else {
      write_new_file(to, below, *read_file(from, below), false);
    }
  }
}

void cut_run(Dir& run, size_t commits) {
  run.remove_tree("state");
  run.make_dir("state");
  run.remove_tree("tasks");
  Place last;
  size_t seen = 0;
  for_each_event(run, [&](const RecordView& record) {
    if (seen < commits) last = record.place;
    seen += record.more ? 0 : 1;
  });
  // The tests' journals are far smaller than a segment.
  run.open("journal/00000001.jsonl", Access::kWrite)->truncate(last.offset + last.length + 1);
}

TestRun at_every_prefix(World& world, const std::string& source, const std::string& inputs,
                        const Steps& steps) {
  return at_every_prefix(TestRun(world, source, inputs), steps);
}

TestRun at_every_prefix(TestRun whole, const Steps& steps) {
  steps(whole);
  whole.check_replay();
  const auto commits = whole.commits();
  for (size_t kept = 1; kept <= commits; ++kept) {
    INFO("cut behind commit " << kept << " of " << commits);
    auto run = whole.cut(kept);
    run.check_replay();
    steps(run);
    run.check_replay();
    CHECK(run.end() == whole.end());
    CHECK(run.pending() == whole.pending());
    CHECK(run.decisions() == whole.decisions());
  }
  return whole;
}

}  // namespace reprise::test
