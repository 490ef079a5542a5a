// What the commands schedule:* have in common: the run that they tell and ask, what flags say of a
// schedule, documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/session.h"
#include "engine/ask.h"
#include "engine/cron/timing.h"
#include "engine/tell.h"

namespace reprise {

inline constexpr Positional kSchedulePositional = {"SCHEDULE", "its number, or its name"};

class ScheduleHome {
 public:
  /// The home is made when it is missing and `writes`.
  ScheduleHome(const Arguments& arguments, const Session& session, bool writes);

  Workspace& workspace() { return x_workspace; }
  int64_t now_ms() const { return x_session.context().clock.now_ms(); }
  bool simulated() const { return x_arguments.has("--now"); }

  /// Null in a home that has no schedules.
  Document ask(const Document& question, Past past = Past::kPresent);
  /// What is known of the positional SCHEDULE. Error SCHEDULE_NOT_FOUND, exit 3.
  Document named();
  /// Is the positional SCHEDULE the number of one that was removed?
  bool was_removed();
  /// Tells what is to become of the schedule, to which `value` adds; --dry-run only judges it. The
  /// reply shows the schedule as it is then; one that is gone, as it was. Errors: those of tell.
  Reply change(const std::string& signal, const Document& schedule, Document value);
  /// Of what would be recorded: Errors as tell.
  void judge(const std::string& signal, const Document& value);
  /// What follows for other runs is done, too. The run is made when there is none. Errors: those of
  /// open_home_run and tell.
  Told tell(const std::string& signal, const Document& value, const Document& question);

 private:
  const Arguments& x_arguments;
  const Session& x_session;
  Workspace x_workspace;
};

/// --cron, --every or --at, with --tz; nullopt without any of them. Error INVALID_ARGUMENT for
/// several, those of Timing.
std::optional<Timing> timing_flags(const Arguments& arguments, int64_t now_ms);
/// The next occurrence. Error INVALID_ARGUMENT, exit 2, when there is none any more.
int64_t next_of(const Timing& timing, int64_t after_ms);
/// The next few, as texts.
Document upcoming(const Timing& timing, int64_t after_ms);

/// A document that begins with what a telling command says: recorded, dryRun, at.
Reply told_reply(const Told& told);
Reply unrecorded(int64_t now_ms, bool dry_run);
/// With the schedule, which stays as it is.
Reply unchanged(const Document& schedule, int64_t now_ms, bool dry_run);
/// What the run answers of a schedule or of a firing, with times as texts.
Document shown_times(Document answer);

/// "nightly", or "3".
std::string schedule_title(const Document& schedule);
/// "3  nightly  ...": number, name, timing, next, what fires. `stopped` stands for the next time
/// while none comes.
std::string schedule_line(const Document& schedule, const Style& style,
                          const std::string& stopped = {});

}  // namespace reprise
