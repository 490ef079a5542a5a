// run:verify, run:repair-journal, run:rebuild-state: is the run whole, and what to do when it is
// not.
#include "cli/commands.h"
#include "cli/run_documents.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/mend.h"
#include "journal/clock.h"

namespace reprise {
namespace {

Document mended_document(const RunHandle& run) {
  Document document = new_document();
  document["runId"] = run.name;
  document["runDir"] = run.path;
  return document;
}

Document damage_document(const Damage& damage) {
  return {{"kind", damage.kind},
          {"segment", damage.segment},
          {"line", damage.line},
          {"offset", damage.offset},
          {"reason", damage.reason},
          {"lastGoodSeq", damage.last_good_seq},
          {"recordsAfter", damage.records_after},
          {"missing", damage.missing}};
}

// Of what lies behind the witness; none when nothing does.
const char* acknowledgement(const Tail& tail) {
  if (tail.torn_bytes == 0 && !tail.beyond_witness) return "nothing";
  return tail.certain ? "certainly" : "possibly";
}

// "certainly never acknowledged"
std::string tail_text(const Document& journal) {
  const std::string how = journal["neverAcknowledged"].get<std::string>() + " never acknowledged";
  std::string out;
  if (journal["tornBytes"].get<uint64_t>() > 0) {
    out += "  " + std::to_string(journal["tornBytes"].get<uint64_t>()) +
           " bytes of an unfinished commit at the end: " + how +
           ", cut off by the next command that writes\n";
  }
  if (journal["beyondWitness"]) {
    out += "  whole commits behind the witness: " + how +
           ", kept and made durable by the next command that writes\n";
  }
  return out;
}

Document journal_document(const Verdict& verdict) {
  Document document = {{"records", verdict.records},
                       {"lastSeq", verdict.head.seq},
                       {"tornBytes", verdict.tail.torn_bytes},
                       {"beyondWitness", verdict.tail.beyond_witness},
                       {"hasWitness", verdict.tail.has_witness},
                       {"neverAcknowledged", acknowledgement(verdict.tail)}};
  if (verdict.damage) document["damage"] = damage_document(*verdict.damage);
  return document;
}

std::string line(const Document& number, const char* what) {
  return "  " + std::to_string(number.get<uint64_t>()) + " " + what + "\n";
}

}  // namespace

Reply run_verify(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const RunVerdict verdict = verify_run(*run.dir, run.name);
  Reply reply{.document = mended_document(run)};
  reply.document["ok"] = verdict.problems.empty();
  reply.document["journal"] = journal_document(verdict.journal);
  reply.document["blobs"] = verdict.blobs;
  reply.document["modules"] = verdict.modules;
  reply.document["problems"] = Document::array();
  for (const Problem& problem : verdict.problems) {
    reply.document["problems"].push_back({{"kind", problem.kind},
                                          {"where", problem.where},
                                          {"reason", problem.reason},
                                          {"remedy", problem.remedy}});
  }
  reply.exit = verdict.problems.empty() ? Exit::kOk : Exit::kNo;
  return reply;
}

std::string run_verify_text(const Document& document, const Style& style) {
  const bool ok = document["ok"];
  std::string out =
      paint(style, Colour::kBold, shown(document["runId"].get<std::string>())) + "  " +
      (ok ? paint(style, Colour::kGreen, "whole") : paint(style, Colour::kRed, "damaged")) + "\n";
  for (const Document& problem : document["problems"]) {
    out += "  " + paint(style, Colour::kRed, problem["kind"].get<std::string>()) + "  " +
           shown(problem["where"].get<std::string>()) + ": " +
           shown(problem["reason"].get<std::string>()) + "\n";
    const std::string remedy = problem["remedy"];
    if (!remedy.empty()) out += "    " + shown(remedy) + "\n";
  }
  const Document& journal = document["journal"];
  out += line(journal["records"], "records");
  out += line(document["blobs"], "blobs");
  out += line(document["modules"], "modules of the process");
  out += tail_text(journal);
  return out;
}

Reply run_repair_journal(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  const bool dry_run = arguments.has("--dry-run");
  const Repair repair =
      repair_run(*run.dir, session.context(), arguments.has("--accept-loss"), dry_run);
  Reply reply{.document = mended_document(run)};
  reply.document["dryRun"] = dry_run;
  reply.document["needed"] = repair.needed;
  reply.document["repaired"] = repair.needed && !dry_run;
  reply.document["droppedBytes"] = repair.dropped_bytes;
  reply.document["droppedRecords"] = repair.dropped_records;
  if (!repair.kept_in.empty()) reply.document["keptIn"] = repair.kept_in;
  reply.document["before"] = journal_document(repair.before);
  return reply;
}

std::string run_repair_journal_text(const Document& document, const Style& style) {
  const std::string id = paint(style, Colour::kBold, shown(document["runId"].get<std::string>()));
  if (!document["needed"]) return id + "  nothing to repair\n";
  std::string out = id + (document["repaired"] ? "  repaired\n" : "  would be repaired\n");
  out += line(document["droppedBytes"], "bytes set aside");
  out += line(document["droppedRecords"], "whole records among them");
  if (document.contains("keptIn")) {
    out += "  kept in " + shown(document["keptIn"].get<std::string>()) + "\n";
  }
  return out;
}

Reply run_rebuild_state(const Arguments& arguments) {
  const Session session(arguments);
  const RunHandle run = session.find_run();
  Reply reply{.document = mended_document(run)};
  if (arguments.has("--dry-run")) {
    reply.document["dryRun"] = true;
    reply.document["plan"] = "rebuild_state_cache";
    reply.document["reason"] = "cli_manual";
    return reply;
  }
  const RunState state = rebuild_run(*run.dir, session.context());
  reply.document["state"] = status_name(state.status());
  reply.document["metadata"] = {{"stateVersion", state.head.seq},
                                {"applied", state.applied},
                                {"pendingEffectsByKind", pending_by_kind(state)},
                                {"stateRebuilt", true},
                                {"stateRebuildReason", "cli_manual"}};
  return reply;
}

std::string run_rebuild_state_text(const Document& document, const Style& style) {
  const std::string id = paint(style, Colour::kBold, shown(document["runId"].get<std::string>()));
  if (document.contains("dryRun")) return id + "  would be rebuilt from its journal\n";
  return id + "  rebuilt from " +
         std::to_string(document["metadata"]["stateVersion"].get<uint64_t>()) +
         " records: " + document["state"].get<std::string>() + "\n";
}

}  // namespace reprise
