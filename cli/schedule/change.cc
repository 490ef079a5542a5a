// schedule:enable, disable, remove, run-now.
#include <algorithm>

#include "cli/configured.h"
#include "cli/schedule/commands.h"
#include "cli/schedule/schedule_home.h"
#include "cli/text.h"
#include "engine/heartbeat/schedule_home.h"

namespace reprise {
namespace {

std::string changed_text(const Document& document, const Style& style, const std::string& what) {
  const bool dry_run = document["dryRun"];
  const bool recorded = document["recorded"];
  const auto line = schedule_line(document["schedule"], style);
  if (dry_run) return "would be " + what + "  " + line;
  return recorded ? what + "  " + line : "is " + what + " already  " + line;
}

}  // namespace

Reply schedule_enable(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  const auto schedule = home.named();
  if (schedule["enabled"]) return unchanged(schedule, home.now_ms(), arguments.has("--dry-run"));
  const auto timing = Timing::restore(schedule["timing"].dump());
  const auto& last = schedule["lastOccurrence"];
  const auto after_ms = std::max(home.now_ms(), last.is_null() ? 0 : last.get<int64_t>());
  return home.change("schedule.enable", schedule, {{"next", next_of(timing, after_ms)}});
}

Reply schedule_disable(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  const auto schedule = home.named();
  if (!schedule["enabled"]) return unchanged(schedule, home.now_ms(), arguments.has("--dry-run"));
  return home.change("schedule.disable", schedule, Document::object());
}

Reply schedule_remove(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  if (home.was_removed()) return unrecorded(home.now_ms(), arguments.has("--dry-run"));
  return home.change("schedule.remove", home.named(), Document::object());
}

Reply schedule_run_now(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  const auto schedule = home.named();
  Document value = {{"scheduleId", schedule["scheduleId"]}, {"by", session.context().author.user}};
  const bool running = schedule.contains("running");
  if (running || arguments.has("--dry-run")) {
    // Nothing is made for what is refused; a dry run makes nothing at all.
    value["thread"] = "schedules";
    home.judge("schedule.fire", value);
    return unchanged(schedule, home.now_ms(), true);
  }
  const auto config = configuration(arguments, home.workspace().home());
  value.update(
      Document::parse(prepare_firing(home.workspace(), session.context(), config,
                                     nlohmann::json::parse(schedule.dump()), home.simulated())
                          .dump()));
  if (value.contains("problem")) {
    throw Error(Exit::kNotFound, value["problem"]["code"], value["problem"]["message"],
                "reprise schedule:edit chooses another channel");
  }
  const auto told = home.tell("schedule.fire", value,
                              {{"ask", "schedule"}, {"scheduleId", schedule["scheduleId"]}});
  Reply reply = told_reply(told);
  const auto after = Document::parse(told.answer);
  reply.document["schedule"] = shown_times(after);
  const char* newest = after.contains("running") ? "running" : "last";
  if (after.contains(newest)) reply.document["firing"] = shown_times(after[newest]);
  return reply;
}

std::string schedule_enable_text(const Document& document, const Style& style) {
  return changed_text(document, style, "enabled");
}
std::string schedule_disable_text(const Document& document, const Style& style) {
  return changed_text(document, style, "disabled");
}
std::string schedule_remove_text(const Document& document, const Style& style) {
  if (!document.contains("schedule")) return "was removed before; nothing changed\n";
  return changed_text(document, style, "removed");
}

std::string schedule_run_now_text(const Document& document, const Style& style) {
  if (document["dryRun"]) return "would fire  " + schedule_line(document["schedule"], style);
  if (!document["recorded"]) return "fired before; nothing changed\n";
  std::string out = "fired  " + schedule_line(document["schedule"], style);
  if (!document.contains("firing")) return out;
  const auto& firing = document["firing"];
  if (firing.contains("thread")) {
    return out + "  next  reprise run:drive " + shown(firing["thread"].get<std::string>()) + "\n";
  }
  return out + "  next  reprise run:drive schedules\n";
}

}  // namespace reprise
