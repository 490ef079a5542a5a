#include "cli/task_list_of_all.h"

#include "cli/approval_documents.h"
#include "cli/list_flags.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "engine/index/queries.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

EffectFilter::Standing read_standing(const Arguments& arguments) {
  using Standing = EffectFilter::Standing;
  const auto standing = arguments.value("--standing").value_or("");
  if (standing == "held") return Standing::kHeld;
  if (standing == "claimed") return Standing::kClaimed;
  return standing == "available" ? Standing::kAvailable : Standing::kAny;
}

EffectFilter read_effect_filter(const Arguments& arguments, int64_t now_ms) {
  return {.standing = read_standing(arguments),
          .kinds = arguments.values("--kind"),
          .run = {},
          .now_ms = now_ms,
          .after = effect_cursor_flag(arguments),
          .limit = limit_flag(arguments, kTaskListLimit)};
}

Document effect_row_document(const EffectRow& row, int64_t now_ms, Host& host) {
  RunState state;  // the two members that an effect's identity is made of
  state.run_id = row.run_id;
  state.process_id = row.process;
  Document document = {{"runId", row.run}};
  document.update(effect_identity(state, row.effect));
  document["status"] = "requested";
  if (row.effect.due_ms > 0) document["dueAt"] = format_time(row.effect.due_ms);
  add_standing(document, row.effect, now_ms, host);
  return document;
}

}  // namespace

Reply task_list_of_all(const Arguments& arguments) {
  const Session session(arguments);
  Workspace workspace = session.workspace_to_read();
  const int64_t now_ms = session.context().clock.now_ms();
  const EffectFilter filter = read_effect_filter(arguments, now_ms);
  Reply reply{.document = new_document()};
  reply.document["runsDir"] = workspace.runs_path();
  Document& tasks = reply.document["tasks"] = Document::array();
  if (!workspace.exists()) return reply;
  auto index = session.index(workspace);
  const auto page = index.ask([&](Database& db) { return list_effects(db, filter); });
  for (const EffectRow& row : page.rows) {
    tasks.push_back(effect_row_document(row, now_ms, session.context().host));
    const std::string title = title_of(workspace, row);
    if (title != row.effect.label) tasks.back()["question"] = title;
  }
  if (!page.more) return reply;
  const EffectRow& last = page.rows.back();
  add_cursor(reply.document, true, last.run + "/" + format_effect_id(last.effect.id));
  return reply;
}

}  // namespace reprise
