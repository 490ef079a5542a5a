// schedule:list, schedule:show, schedule:log.
#include "cli/list_flags.h"
#include "cli/schedule/commands.h"
#include "cli/schedule/schedule_home.h"
#include "cli/stopped.h"
#include "cli/text.h"
#include "engine/heartbeat/schedule_home.h"
#include "journal/clock.h"

namespace reprise {
namespace {

constexpr uint64_t kEntries = 50;
constexpr size_t kRemarkWidth = 60;

Colour outcome_colour(const std::string& outcome) {
  if (outcome == "done") return Colour::kGreen;
  if (outcome == "failed") return Colour::kRed;
  return outcome == "running" ? Colour::kBlue : Colour::kYellow;
}

std::string missed_text(const Document& entry) {
  const auto missed = entry.value("missed", uint64_t{0});
  if (missed == 0) return {};
  return "stands for " + std::to_string(missed) + (entry.value("missedMore", false) ? "+" : "") +
         " missed ";
}

/// What came of it, in a few words.
std::string remark(const Document& entry) {
  std::string remark = missed_text(entry);
  if (entry["outcome"] == "skipped") {
    return remark + "firing " + entry["firing"].dump() + " still ran";
  }
  for (const char* name : {"error", "text", "thread"}) {
    if (const auto text = member_text(entry, name); !text.empty()) {
      return remark + shown(text, kRemarkWidth);
    }
  }
  return remark;
}

std::string line_of(const Document& schedule, const Document& document, const Style& style) {
  if (!document.contains("stopped")) return schedule_line(schedule, style);
  return schedule_line(schedule, style, document["stopped"]["status"]);
}

Table::Cell plain_cell(const std::string& text) { return {.text = text}; }

std::string entries_text(const Document& entries, const Style& style) {
  Table table;
  for (const auto& entry : entries) {
    const std::string outcome = entry["outcome"];
    table.add({plain_cell(member_text(entry, "at")),
               {"schedule " + entry["scheduleId"].dump(), Colour::kBold},
               plain_cell(member_text(entry, "trigger") == "due"
                              ? "due " + member_text(entry, "occurrence")
                              : "run-now"),
               {outcome, outcome_colour(outcome)},
               plain_cell(remark(entry))});
  }
  return table.print(style);
}

}  // namespace

Reply schedule_list(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  Reply reply{.document = new_document()};
  const auto all = home.ask({{"ask", "schedules"}});
  reply.document["schedules"] = all.is_array() ? shown_times(all) : Document::array();
  add_stopped(reply.document, home.workspace(), schedules_run(home.simulated()));
  return reply;
}

std::string schedule_list_text(const Document& document, const Style& style) {
  std::string out;
  for (const auto& schedule : document["schedules"]) out += line_of(schedule, document, style);
  if (out.empty()) out = "no schedules\n  next  reprise help schedule:add\n";
  return out + stopped_text(document, style);
}

Reply schedule_show(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  const auto schedule = home.named();
  Reply reply{.document = new_document()};
  reply.document["schedule"] = shown_times(schedule);
  reply.document["upcoming"] = Document::array();
  add_stopped(reply.document, home.workspace(), schedules_run(home.simulated()));
  if (!schedule["enabled"] || reply.document.contains("stopped")) return reply;
  const auto timing = Timing::restore(schedule["timing"].dump());
  reply.document["upcoming"] = upcoming(timing, schedule["next"].get<int64_t>() - 1);
  return reply;
}

std::string schedule_show_text(const Document& document, const Style& style) {
  const auto& schedule = document["schedule"];
  std::string out = line_of(schedule, document, style);
  for (const auto& time : document["upcoming"]) out += "  at  " + time.get<std::string>() + "\n";
  out += "  fired " + schedule["fired"].dump() + ", missed " + schedule["missed"].dump() +
         ", skipped " + schedule["skipped"].dump() + "\n";
  Document entries = Document::array();
  for (const char* name : {"last", "running"}) {
    if (schedule.contains(name)) entries.push_back(schedule[name]);
  }
  return out + entries_text(entries, style) + stopped_text(document, style);
}

Reply schedule_log(const Arguments& arguments) {
  const Session session(arguments);
  ScheduleHome home(arguments, session, false);
  Document question = {{"ask", "log"}};
  const auto word = arguments.positional("SCHEDULE");
  // Of one that was removed the number is still good.
  const bool number = word.find_first_not_of("0123456789") == std::string::npos;
  if (!word.empty()) {
    question["scheduleId"] =
        number && word.size() < 10 ? Document(std::stoull(word)) : home.named()["scheduleId"];
  }
  const auto limit = limit_flag(arguments, kEntries);
  const auto entries = home.ask(question, Past::kWhole);
  Reply reply{.document = new_document()};
  auto& list = reply.document["entries"] = Document::array();
  if (!entries.is_array()) return reply;
  const auto first = entries.size() > limit ? entries.size() - limit : 0;
  for (size_t i = first; i < entries.size(); ++i) list.push_back(shown_times(entries[i]));
  return reply;
}

std::string schedule_log_text(const Document& document, const Style& style) {
  const auto text = entries_text(document["entries"], style);
  return text.empty() ? "nothing fired yet\n" : text;
}

}  // namespace reprise
