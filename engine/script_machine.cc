#include "engine/script_machine.h"

#include <algorithm>

#include "engine/commands.h"
#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

Command command_of(const reprise_command& raw) {
  const auto text = [](reprise_bytes bytes) { return std::string(as_view(bytes)); };
  Command command;
  command.kind = static_cast<Command::Kind>(raw.kind);
  command.effect = raw.effect;
  command.due_ms = raw.due_ms;
  command.task = text(raw.task);
  command.effect_kind = text(raw.effect_kind);
  command.label = text(raw.label);
  command.key = text(raw.key);
  command.args = text(raw.args);
  command.definition = text(raw.definition);
  command.name = text(raw.name);
  command.json = text(raw.json);
  command.options = text(raw.options);
  command.cancelled = raw.cancelled != 0;
  return command;
}

/// What is larger than all the memory that a script has need not be tried.
void check_fits(const Activation& activation) {
  const auto bytes =
      std::max({activation.inputs.size(), activation.value.size(), activation.error.size()});
  if (bytes <= kHeapBudgetBytes) return;
  const auto message = "the process was given a value of " + std::to_string(bytes >> 20U) +
                       " MiB, and it has " + std::to_string(kHeapBudgetBytes >> 20U) +
                       " MiB of memory: keep large data in files that tasks read and write";
  const auto anew = activation.effect == 0
                        ? std::string()
                        : "; reprise run:rewind RUN --before " +
                              format_effect_id(activation.effect) + " asks for the effect anew";
  throw Error(Exit::kBudget, "SCRIPT_BUDGET", message, "nothing was recorded" + anew,
              JsonWriter().text("budget", "memory").text("message", message).done());
}

}  // namespace

ScriptMachine::ScriptMachine(const ScriptHost& host, const ScriptIdentity& identity,
                             const std::vector<PinnedSource>& sources, int64_t started_at_ms,
                             size_t replays, int64_t budget_ms)
    : x_table(host.table()), x_recorded_engine(identity.engine), x_budget_ms(budget_ms) {
  std::vector<reprise_source> files;
  files.reserve(sources.size());
  for (const auto& source : sources) {
    files.push_back({as_bytes(source.path), as_bytes(source.text), module_format(source.path)});
  }
  const auto seed = [&](size_t from) {
    return parse_hex64(std::string_view(identity.seed).substr(from, 16)).value_or(0);
  };
  const reprise_script_options options{.random_seed = {seed(0), seed(16)},
                                       .run_id = as_bytes(identity.run_id),
                                       .run_dir = as_bytes(identity.run_dir),
                                       .process_id = as_bytes(identity.process_id),
                                       .export_name = as_bytes(identity.export_name),
                                       .sources = files.data(),
                                       .source_count = files.size(),
                                       .entry = as_bytes(identity.entry),
                                       .heap_bytes = kHeapBudgetBytes,
                                       .rules = identity.rules};
  reprise_bytes error{};
  begin_replay(replays);
  const auto status = x_table.load(&options, started_at_ms, &x_script, &error);
  if (status != REPRISE_SCRIPT_OK) ScriptHost::fail(status, error);
}

ScriptMachine::~ScriptMachine() { x_table.destroy(x_script); }

void ScriptMachine::replay(const Activation& activation, std::span<const CommandRecord> recorded,
                           uint64_t next_effect) {
  auto requested = apply(activation, next_effect);
  const auto count = std::max(recorded.size(), requested.size());
  for (size_t i = 0; i < count; ++i) {
    if (i < recorded.size() && i < requested.size() && recorded[i].adopts &&
        recorded[i].kind == CommandRecord::Kind::kRequested) {
      adopt(requested[i].effect, recorded[i].effect);
      requested[i].effect = recorded[i].effect;
    }
    const bool same = i < recorded.size() && i < requested.size() &&
                      same_command(requested[i], recorded[i], x_reader);
    if (same) continue;
    check();  // what a script decides beyond its limits is no decision
    diverge(activation, i, recorded, requested);
  }
  x_log.clear();
}

std::vector<Command> ScriptMachine::repeat(const Activation& activation, uint64_t next_effect) {
  auto commands = apply(activation, next_effect);
  x_log.clear();
  return commands;
}

void ScriptMachine::adopt(uint64_t call, uint64_t effect) { x_calls[effect] = call; }

void ScriptMachine::begin_live() {
  check();
  x_table.arm(0);
}

void ScriptMachine::begin_replay(size_t activations) {
  x_table.arm(x_budget_ms + static_cast<int64_t>(activations) * kReplayBudgetPerActivationMs);
}

void ScriptMachine::diverge(const Activation& activation, size_t index,
                            std::span<const CommandRecord> recorded,
                            std::span<const Command> requested) {
  const auto was = index < recorded.size() ? describe(recorded[index], x_reader) : "nothing more";
  const auto is = index < requested.size() ? describe(requested[index]) : "nothing more";
  const auto seq = index < recorded.size() ? recorded[index].seq : activation.seq;
  const std::string engine(as_view(x_table.engine));
  std::string message;
  if (engine != x_recorded_engine) {
    message = "recorded with " + x_recorded_engine + ", this is " + engine + ". ";
  }
  message += "the replay diverged at record " + std::to_string(seq) + ", after activation " +
             std::to_string(activation.seq) + ": recorded " + was + "; requested now " + is;
  JsonWriter details;
  details.number("record", seq)
      .number("activation", activation.seq)
      .text("recorded", was)
      .text("requested", is);
  throw Error(
      Exit::kDiverged, "DIVERGED", message,
      "with the same history the process decided something else than before; nothing was recorded",
      details.done());
}

std::vector<Command> ScriptMachine::advance(const Activation& activation, uint64_t next_effect) {
  x_table.arm(x_budget_ms);
  auto commands = apply(activation, next_effect);
  check();
  x_table.arm(0);  // the hard limit must not end the process while it commits
  return commands;
}

std::vector<Command> ScriptMachine::apply(const Activation& activation, uint64_t next_effect) {
  check_fits(activation);
  const bool start = activation.kind == Activation::Kind::kStart;
  const auto call = x_calls.find(activation.effect);
  const reprise_activation raw{.kind = static_cast<int32_t>(activation.kind),
                               .ok = activation.ok ? 1 : 0,
                               .seq = activation.seq,
                               .at_ms = activation.at_ms,
                               .effect = call == x_calls.end() ? activation.effect : call->second,
                               .next_effect = next_effect,
                               .value = as_bytes(start ? activation.inputs : activation.value),
                               .error = as_bytes(activation.error),
                               .name = as_bytes(activation.name)};
  reprise_commands out{};
  reprise_bytes error{};
  const auto status = x_table.apply(x_script, &raw, &out, &error);
  if (status != REPRISE_SCRIPT_OK) ScriptHost::fail(status, error);
  std::vector<Command> commands;
  commands.reserve(out.count);
  for (size_t i = 0; i < out.count; ++i) {
    auto command = command_of(out.commands[i]);
    if (command.kind == Command::Kind::kLog) {
      x_log.push_back({activation.at_ms, std::move(command.name), std::move(command.json)});
    } else if (command.kind == Command::Kind::kWithdraw) {
      x_withdrawn.insert(command.effect);
    } else {
      commands.push_back(std::move(command));
    }
  }
  return commands;
}

std::set<uint64_t> ScriptMachine::take_withdrawn() {
  auto withdrawn = std::exchange(x_withdrawn, {});
  for (const auto& [effect, call] : x_calls) {
    if (withdrawn.erase(call) > 0) withdrawn.insert(effect);
  }
  return withdrawn;
}

std::string ScriptMachine::awaited() const {
  return std::string(as_view(x_table.awaited(x_script)));
}

void ScriptMachine::check() {
  reprise_bytes error{};
  const auto status = x_table.check(x_script, &error);
  if (status != REPRISE_SCRIPT_OK) ScriptHost::fail(status, error);
}

ScriptIdentity identity_without_run(const std::string& process_id, const std::string& entry) {
  return {.run_id = "check",
          .run_dir = "/reprise/runs/check",
          .process_id = process_id,
          .seed = "243f6a8885a308d313198a2e03707344",
          .entry = entry,
          .export_name = "process",
          .engine = {}};
}

std::optional<std::string> script_output(const ScriptHost& host,
                                         const std::vector<PinnedSource>& sources,
                                         const std::string& entry, int64_t budget_ms) {
  ScriptMachine machine(host, identity_without_run("script", entry), sources, 0, 0, budget_ms);
  machine.begin_live();
  const auto commands =
      machine.advance({.kind = Activation::Kind::kStart, .rules = kNewestRules, .inputs = "{}"}, 1);
  const bool completed = commands.size() == 1 && commands.front().kind == Command::Kind::kComplete;
  return completed ? std::optional(commands.front().json) : std::nullopt;
}

}  // namespace reprise
