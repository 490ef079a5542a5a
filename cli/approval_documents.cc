#include "cli/approval_documents.h"

#include "cli/run_documents.h"
#include "cli/text.h"
#include "journal/clock.h"

namespace reprise {

namespace {

Document answers_document(const Approval& approval) {
  Document list = Document::array();
  for (const PersonAnswer& answer : approval.answers) list.push_back(raw_json(answer.json));
  return list;
}

}  // namespace

Document approval_document(std::string_view run, const RunState& state, const Approval& approval) {
  const OpenEffect& effect = approval.effect.request;
  Document document = {{"runId", run}};
  document.update(effect_identity(state, effect));
  document["status"] = approval.effect.status;
  if (!effect.held.empty()) document["held"] = effect.held;
  document["question"] = approval.question;
  if (effect.due_ms != 0) document["expiresAt"] = format_time(effect.due_ms);
  if (!approval.rule.approvers.empty()) document["approvers"] = approval.rule.approvers;
  document["quorum"] = approval.rule.quorum;
  document["answers"] = answers_document(approval);
  document["digest"] = approval.digest;
  return document;
}

std::string approval_title(const Document& approval) {
  if (approval.contains("held")) {
    return "let " + approval["label"].get<std::string>() + " go on (" +
           approval["held"].get<std::string>() + ")?";
  }
  const std::string question = approval["question"];
  return question.empty() ? approval["label"].get<std::string>() : question;
}

std::string title_of(Workspace& workspace, const EffectRow& row) {
  if (row.effect.kind != "breakpoint") return row.effect.label;
  try {
    const auto dir = workspace.runs().open_dir(row.run);
    if (!dir) return row.effect.label;
    JsonReader reader;
    const RunState state = read_state(*dir).state;
    const auto effect = state.open.find(row.effect.id);
    if (effect != state.open.end()) return title_of(*dir, effect->second, reader);
  } catch (const Error&) {
    // Its label still tells what it is about; run:status tells what is wrong.
  }
  return row.effect.label;
}

std::string approval_name(const Document& approval, const char* between) {
  return shown(approval["runId"].get<std::string>()) + between +
         approval["effectId"].get<std::string>();
}

std::string answer_hint(const std::string& name) { return "  next  reprise approval:" + name; }

}  // namespace reprise
