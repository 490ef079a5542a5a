#include "cli/drive_document.h"

#include <algorithm>

#include "cli/commands.h"
#include "cli/go_on.h"
#include "cli/next_steps.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "engine/end_signals.h"
#include "engine/inspect.h"
#include "journal/clock.h"
#include "journal/ids.h"
#include "journal/real_files.h"

namespace reprise {
namespace {

constexpr size_t kDriveTitleWidth = 120;

Document wait_document(const DriveWait& wait, const RunFolder& folder) {
  Document document = {{"for", wait_name(wait.what)}, {"runId", wait.run}};
  if (!wait.signals.empty()) document["awaits"] = wait.signals;
  if (!wait.effect) return document;
  const OpenEffect& effect = *wait.effect;
  document["effectId"] = format_effect_id(effect.id);
  document["taskId"] = effect.task;
  document["kind"] = effect.kind;
  document["label"] = effect.label;
  JsonReader reader;
  if (const auto run = folder.runs.open_dir(wait.run)) add_question(document, *run, effect, reader);
  if (wait.what == DriveWait::What::kTime) {
    document["until"] = format_time(std::max(effect.due_ms, effect.available_at_ms));
  }
  if (wait.what == DriveWait::What::kOther) document["claim"] = claim_document(*effect.claim);
  return document;
}

bool has_wait(const DriveEnd& end, DriveWait::What what) {
  return std::ranges::any_of(end.waits, [&](const DriveWait& wait) { return wait.what == what; });
}

// There was work that would have been begun.
bool lacks_space(const DriveEnd& end) {
  return end.no_space && has_wait(end, DriveWait::What::kStart);
}

// "12.3 MiB"; what is free and what is wanted are not to look the same.
std::string in_mib(uint64_t bytes) {
  constexpr uint64_t kMiB = uint64_t{1} << 20U;
  return std::to_string(bytes / kMiB) + "." + std::to_string(bytes % kMiB * 10 / kMiB) + " MiB (" +
         std::to_string(bytes) + " bytes)";
}

// Writes the value where that is possible; empty: nowhere.
std::string write_spool(const std::vector<std::string>& folders, const std::string& name,
                        const std::string& text) {
  for (const std::string& folder : folders) {
    try {
      const auto dir = open_real_dir(folder, true);
      replace_file(*dir, name, text, true);
      return folder + "/" + name;
    } catch (const Error&) {
      // The next folder may have space.
    }
  }
  return {};
}

std::string post_command(const DriveEnd::Unstored& result, const std::string& file) {
  const bool ok = result.post.ok;
  return "reprise task:post " + result.work.run + " " + format_effect_id(result.work.effect.id) +
         " --status " + (ok ? "ok --value " : "error --error ") + file + " --token " +
         result.work.token;
}

std::string wait_text(const Document& wait, const Style& style) {
  const std::string what = wait["for"];
  std::string line = "  " + shown(wait["runId"].get<std::string>());
  if (wait.contains("effectId")) {
    line += " " + paint(style, Colour::kBold, wait["effectId"].get<std::string>()) + "  " +
            shown(title_of(wait), kDriveTitleWidth);
  }
  if (what == "people") return line + "  asks people\n";
  if (what == "executor") {
    return line + "  no executor performs " + shown(wait["kind"].get<std::string>()) + "\n";
  }
  if (what == "other") {
    return line + "  is done by " + shown(wait["claim"]["worker"].get<std::string>()) + "\n";
  }
  if (what == "time") return line + "  until " + wait["until"].get<std::string>() + "\n";
  if (what == "signal") {
    const bool named = wait.contains("awaits");
    return line + "  waits for " +
           (named ? "signal " + shown(wait["awaits"].front().get<std::string>()) : "a signal") +
           "\n";
  }
  if (what == "resume") return line + "  is paused\n";
  return line + "  is pending\n";
}

std::string who_performs(const Document& effect, const std::string& run) {
  const std::string waits = effect.value("waitsFor", std::string());
  if (waits == "people") {
    return "waits for a person: reprise approval:approve " + run + " " +
           effect["effectId"].get<std::string>();
  }
  if (waits == "time") return "waits for its time";
  if (waits == "run") return "waits for its child run";
  const Document& executor = effect["executor"];
  std::string by =
      executor.is_null() ? "no executor performs it" : "by " + shown(executor.get<std::string>());
  if (!effect.contains("claim")) return by;
  const std::string claim = shown(claim_text(effect["claim"]));
  return effect["claim"].contains("over") ? by + "; " + claim : claim + "; that is waited for";
}

// What --dry-run says: of run:drive what is pending, of run:start which run would be made.
std::string drive_plan_text(const Document& document, const Style& style) {
  const std::string id = shown(document["runId"].get<std::string>());
  if (!document.contains("plan")) {
    return "would create " + paint(style, Colour::kBold, id) + " and drive it\n";
  }
  Table table;
  for (const Document& effect : document["plan"]) {
    table.add({{effect["effectId"], Colour::kBold},
               {shown(effect["kind"].get<std::string>())},
               {shown(title_of(effect), kDriveTitleWidth)},
               {who_performs(effect, id)}});
  }
  const std::string none = table.empty() ? "  nothing is pending\n" : "";
  return headline(style, id, document["status"].get<std::string>(), "") + none +
         table.print(style, "  ");
}

// What a person would type next.
std::string step_after_drive(const Document& document) {
  const std::string id = shown(document["runId"].get<std::string>());
  const std::string status = document["status"];
  if (status == "completed") return "  next  reprise run:output " + id + "\n";
  if (status == "failed" || status == "halted" || status == "cancelled") {
    return "  next  reprise run:status " + id + "\n";
  }
  for (const Document& wait : document["waits"]) {
    const std::string run = shown(wait["runId"].get<std::string>());
    const std::string effect = wait.contains("effectId") ? wait["effectId"].get<std::string>() : "";
    if (wait["for"] == "people") {
      return approval_step(run + " " + effect);
    }
    if (wait["for"] == "executor") return "  next  reprise task:show " + run + " " + effect + "\n";
    if (wait["for"] == "signal") {
      const std::string name = wait.contains("awaits") ? wait["awaits"].front() : "";
      return signal_step(
          run, run == id ? document.value("processId", std::string()) : std::string(), name);
    }
    if (wait["for"] == "resume") return "  next  reprise run:resume " + run + "\n";
  }
  return "  next  reprise run:drive " + id + "\n";
}

}  // namespace

Document drive_document(const RunHandle& run, const RunFolder& folder, const DriveEnd& end) {
  JsonReader reader;
  const auto details = load_end(*run.dir, end.state, reader);
  Document document = new_document();
  document["event"] = "ended";
  document["runId"] = end.state.run_id;
  document["runDir"] = run.path;
  document["processId"] = end.state.process_id;
  document["status"] = status_name(end.state.status());
  document["reason"] = status_reason(end.state, details);
  if (details && !details->output.empty()) document["output"] = raw_json(details->output);
  if (details && !details->error.empty()) document["error"] = raw_json(details->error);
  document["performed"] = end.performed;
  document["waits"] = Document::array();
  for (const DriveWait& wait : end.waits) document["waits"].push_back(wait_document(wait, folder));
  if (end.signal != 0) {
    document["stoppedBy"] = end_signal_name(end.signal);
  }
  if (end.no_space) document["noSpace"] = true;
  if (end.no_space) document["freeBytes"] = end.free_bytes;
  return document;
}

Exit drive_exit(const DriveEnd& end) {
  if (end.state.end) return status_exit(end.state, false, end.at_ms);
  if (lacks_space(end)) return Exit::kSystem;
  const bool only_time = !end.waits.empty() && std::ranges::all_of(end.waits, [](const auto& wait) {
    return wait.what == DriveWait::What::kTime;
  });
  return only_time ? Exit::kWaitsForTime : Exit::kWaitsForInput;
}

void warn_of_space(Reply& reply, const DriveEnd& end, uint64_t min_free_bytes) {
  if (!lacks_space(end)) return;
  reply.warnings.push_back("no work was begun: " + in_mib(end.free_bytes) +
                           " are free where the run lies, and drive.minFreeBytes wants " +
                           in_mib(min_free_bytes));
}

void spool_results(Document& document, const Session& session, const std::string& home,
                   const DriveEnd& end) {
  const std::string temporary = environment("TMPDIR");
  std::vector<std::string> folders = {session.working_dir(),
                                      temporary.empty() ? "/tmp" : temporary};
  if (!home.empty()) folders.insert(folders.begin(), home + "/spool");
  document["unstored"] = Document::array();
  for (const auto& result : end.unstored) {
    const std::string effect = format_effect_id(result.work.effect.id);
    const std::string name = result.work.run + "." + effect + "." + result.work.token + ".json";
    const std::string file = write_spool(folders, name, result.post.value.text + "\n");
    Document unstored = {{"runId", result.work.run}, {"effectId", effect}, {"why", result.why}};
    if (file.empty()) {
      unstored["value"] = raw_json(result.post.value.text);
    } else {
      unstored["file"] = file;
      unstored["command"] = post_command(result, file);
    }
    document["unstored"].push_back(std::move(unstored));
  }
}

std::string run_drive_text(const Document& document, const Style& style) {
  if (document["event"] == "plan") return drive_plan_text(document, style);
  std::string out;
  if (document["event"] == "ended") {
    out += headline(style, document["runId"].get<std::string>(),
                    document["status"].get<std::string>(), document["reason"].get<std::string>());
    for (const Document& wait : document["waits"]) out += wait_text(wait, style);
    out += step_after_drive(document);
  }
  if (!document.contains("unstored")) return out;
  for (const Document& result : document["unstored"]) {
    out += "  not recorded: " + result["effectId"].get<std::string>() + ", " +
           shown(result["why"].get<std::string>()) + "\n";
    if (result.contains("command")) {
      out += "  later  " + shown(result["command"].get<std::string>()) + "\n";
    } else {
      out +=
          "         its result is lost: no folder had room for it; the next run:drive does the "
          "work again\n";
    }
  }
  return out;
}

}  // namespace reprise
