// The life of a branch: a worker, a recall, a thought, and one end.
#include <algorithm>

#include "processes/channel/briefing.h"
#include "processes/channel/conclusion.h"
#include "processes/channel/intake.h"
#include "processes/channel/scribe.h"
#include "processes/channel/todos.h"
#include "processes/channel/usage.h"
#include "processes/channel/worker_work.h"

namespace reprise::channel {

namespace {

constexpr int64_t kBranchTokenBudget = 2000;
constexpr double kImportance = 0.8;
constexpr double kConfidence = 0.8;

Worker worker_of(const Scribe& scribe, const Branch& branch) {
  return *scribe.state().workers.find(branch.worker_id);
}

std::string prompt_of_branch(const Branch& branch, const Briefing& briefing) {
  std::string text = "[channel_branch_v1]\nThink the question below through and answer with one ";
  text += "conclusion.\n\n" + briefing.text() + "## Question\n" + branch.prompt + "\n";
  if (!branch.todos.empty()) text += "\n## To do, as the question says\n";
  for (const auto& todo : branch.todos) text += "- " + todo + "\n";
  return text;
}

/// The recall is answered, or none was asked for.
void think(Scribe& scribe, const std::string& branch_id, const Briefing& briefing) {
  const auto before = *scribe.state().branches.find(branch_id);
  const auto todos = scribe.state().settings.extract_todos ? extract_todos(before.prompt)
                                                           : std::vector<std::string>();
  scribe.emit("branch.spawned", {{"branchId", branch_id},
                                 {"prompt", before.prompt},
                                 {"memoryRefs", briefing.refs()},
                                 {"todos", todos},
                                 {"workerId", before.worker_id}});
  if (!todos.empty()) {
    scribe.emit("todo.proposed", {{"branchId", branch_id}, {"todos", todos}});
  }
  const auto& state = scribe.state();
  const auto& branch = *state.branches.find(branch_id);
  const auto& worker = *state.workers.find(branch.worker_id);
  Json inputs = {{"channelId", state.identity.id}, {"branchId", branch_id},
                 {"workerId", branch.worker_id},   {"prompt", branch.prompt},
                 {"memories", briefing.memories},  {"todos", todos},
                 {"tools", worker.tools},          {"tokenBudget", worker.token_budget}};
  const auto cwd = worker.working_directory.empty() ? state.identity.dir : worker.working_directory;
  if (!cwd.empty()) inputs["cwd"] = cwd;
  if (!briefing.bulletin.empty()) inputs["bulletin"] = briefing.bulletin;
  scribe.request({.noun = "branch",
                  .id = branch_id,
                  .kind = "branch",
                  .task = "channel.branch",
                  .label = worker.title,
                  .inputs = std::move(inputs),
                  .definition = {{"title", worker.title},
                                 {"prompt", prompt_of_branch(branch, briefing)},
                                 {"outputSchema", "reprise:branch-result"}},
                  .options = work_options(state.settings.run_timeout_ms)});
}

void save(Scribe& scribe, const Branch& branch, const Conclusion& conclusion,
          const std::string& memory_id) {
  scribe.emit("memory.saved", {{"memoryId", memory_id},
                               {"note", conclusion.summary},
                               {"summary", "Branch conclusion summary"},
                               {"kind", "decision"},
                               {"class", "procedural"},
                               {"scope", memory_scope(scribe.state())},
                               {"source", {{"type", "branch.conclusion"}, {"id", branch.id}}},
                               {"importance", kImportance},
                               {"confidence", kConfidence},
                               {"branchId", branch.id}});
  for (const auto& recalled : branch.memory_refs) {
    scribe.emit("memory.linked", {{"from", memory_id},
                                  {"to", recalled},
                                  {"relation", "derived_from"},
                                  {"weight", 1.0},
                                  {"provenance", "branch.conclusion"}});
  }
}

void conclude(Scribe& scribe, const Branch& branch, const Json& value) {
  const auto worker = worker_of(scribe, branch);
  if (!usage_fault(value)) {
    count_usage(scribe, "branch", {{"branchId", branch.id}, {"workerId", worker.id}}, value);
  }
  if (const auto fault = conclusion_fault(value)) {
    return fail_worker(scribe, worker, {fault->message, "invalid_branch_conclusion", fault->code});
  }
  auto conclusion = parse_conclusion(value);
  const auto memory_id = branch.id + ".conclusion";
  save(scribe, branch, conclusion, memory_id);
  // All that it stands on, and itself.
  auto refs = branch.memory_refs;
  for (auto& ref : conclusion.memory_refs) {
    if (std::ranges::count(refs, ref) == 0) refs.push_back(std::move(ref));
  }
  refs.push_back(memory_id);
  conclusion.memory_refs = std::move(refs);
  const auto artifact_id = complete_worker(scribe, worker, conclusion.summary,
                                           {{"kind", "conclusion"},
                                            {"title", worker.title},
                                            {"mediaType", "application/json"},
                                            {"content", to_json(conclusion).dump()}},
                                           conclusion.token_usage);
  auto concluded = to_json(conclusion);
  concluded.update({{"branchId", branch.id},
                    {"workerId", worker.id},
                    {"artifactId", artifact_id},
                    {"memoryId", memory_id}});
  scribe.emit("branch.conclusion", concluded);
  write_row(scribe, "system", "Branch conclusion: " + conclusion.summary,
            {{"branchId", branch.id}, {"artifactId", artifact_id}});
}

}  // namespace

std::string spawn_branch(Scribe& scribe, const Json& spec) {
  auto id = "b" + std::to_string(scribe.state().branches.spawned + 1);
  const auto prompt = text_of(spec, "prompt");
  const auto& tools = member_of(spec, "tools");
  Json work = {{"taskId", "branch-" + id},
               {"title", "Branch analysis"},
               {"objective", prompt},
               {"tools", tools.is_null() ? Json{"shell", "file", "exec"} : tools},
               {"tokenBudget", number_of(spec, "tokenBudget", kBranchTokenBudget)},
               {"workingDirectory", text_of(spec, "workingDirectory")}};
  spawn_worker_of_branch(scribe, id, work);
  if (scribe.state().settings.recall) {
    request_briefing(scribe, "recall", id, prompt);
  } else {
    think(scribe, id, {});
  }
  return id;
}

void resolve_branch(Scribe& scribe, const Result& result) {
  const auto* known = scribe.state().branches.find(result.owner.id);
  if (known == nullptr || known->has_ended()) return;
  const auto branch = *known;  // what is written moves the state
  if (result.owner.noun == "recall") {
    think(scribe, branch.id, parse_briefing(result, scribe.state().settings.recall_limit));
  } else if (result.ok) {
    conclude(scribe, branch, result.value);
  } else {
    const auto worker = worker_of(scribe, branch);
    fail_worker(scribe, worker, failure_of(worker, result));
  }
}

void time_out_branch(Scribe& scribe, const std::string& branch_id) {
  const auto branch = *scribe.state().branches.find(branch_id);
  const auto worker = worker_of(scribe, branch);
  scribe.emit_withdrawing(
      "visor.branch.timeout",
      {{"branchId", branch.id}, {"workerId", worker.id}, {"reason", "branch_timeout"}},
      effect_of(scribe.state(), worker));
  fail_worker(scribe, worker, {"nothing was concluded", "branch_timeout", {}});
}

}  // namespace reprise::channel
