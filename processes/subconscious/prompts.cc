#include "processes/subconscious/prompts.h"

#include "processes/subconscious/texts.h"

namespace reprise::subconscious {

namespace {

/// Of the report that goes along with the work on one task.
constexpr size_t kContextBytes = size_t{16} * 1024;

constexpr const char* kRole =
    "You look after a home of long-running work in the background, while nobody watches.";

Json instructions_of(const Work& work) {
  if (work.noun == kAct.noun) {
    return {"Carry the task out with what the context says. Change nothing anywhere.",
            "Answer with the result in a few sentences of plain text."};
  }
  if (work.noun == kAnalyse.noun) {
    return {"Look into the task. You may read; you must not change, send or start anything.",
            "Answer with what you found, in plain text.",
            "If something should be done that goes beyond looking, end with one line that begins "
            "with \"" +
                std::string(kRecommendation) +
                "\" and says exactly what; it is shown to a person, who decides. Otherwise leave "
                "that line out."};
  }
  return {"Carry the task out. It was asked for: no further approval is needed.",
          "Do what the task says and nothing beyond it.",
          "Answer with what you did, in a few sentences of plain text."};
}

}  // namespace

Json evaluation_prompt(const Loop& loop) {
  const auto& tick = loop.ticks.current;
  std::string tasks = "Decide for each of these tasks whether something is to be done now:\n";
  for (const auto& id : tick.due) {
    const auto* task = loop.tasks.find(id);
    if (task == nullptr) continue;
    tasks += "\n- [" + id + "] (" + task->intent() + ") " + task->title;
  }
  return {{"role", kRole},
          {"task", tasks},
          {"context", tick.report},
          {"instructions",
           {"noop: nothing in the context is relevant to the task right now.",
            "act: something relevant was found, and the task can be carried out with what the "
            "context says.",
            "escalate: it needs deeper reasoning or tools; an agent will look into it.",
            "Name every task once, by the id in its brackets. When in doubt, noop."}},
          {"outputFormat",
           "JSON and nothing else: {\"evaluations\": [{\"taskId\": \"task-1\", \"decision\": "
           "\"noop\", \"reason\": \"why, in one sentence\"}]}"}};
}

Json evaluation_schema() {
  const Json text = {{"type", "string"}};
  const Json item = {{"type", "object"},
                     {"properties",
                      {{"taskId", text},
                       {"decision", {{"type", "string"}, {"enum", {"noop", "act", "escalate"}}}},
                       {"reason", text}}},
                     {"required", {"taskId", "decision", "reason"}}};
  return {{"type", "object"},
          {"properties", {{"evaluations", {{"type", "array"}, {"items", item}}}}},
          {"required", {"evaluations"}}};
}

Json work_prompt(const Work& work, const Task& task, const Tick& tick) {
  const auto decided = tick.decided.find(task.id);
  const auto reason = decided == tick.decided.end() ? "" : decided->second.reason;
  return {{"role", kRole},
          {"task", task.title},
          {"context", (reason.empty() ? "" : "Why now: " + reason + "\n\n") +
                          shortened(tick.report, kContextBytes)},
          {"instructions", instructions_of(work)}};
}

Json approved_prompt(const Card& card) {
  return {{"role", kRole},
          {"task", card.action},
          {"instructions",
           {"A person was asked and approved exactly this. Do it, and nothing beyond it.",
            "Answer with what you did, in a few sentences of plain text."}}};
}

}  // namespace reprise::subconscious
