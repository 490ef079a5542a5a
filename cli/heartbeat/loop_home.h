// The run of a subconscious loop, as the commands heartbeat:* find it, ask it and tell it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/session.h"
#include "engine/ask.h"
#include "engine/heartbeat/loop_settings.h"
#include "engine/tell.h"

namespace reprise {

/// For the tables.
inline constexpr Flag kLoopNameFlag = {
    "--name", "NAME", "another loop of the home than its first: the run subconscious-NAME"};

class LoopHome {
 public:
  /// The home is made when it is missing and `writes`. Error INVALID_ARGUMENT for a --name that no
  /// run can have.
  LoopHome(const Arguments& arguments, const Session& session, bool writes);

  Workspace& workspace() { return x_workspace; }
  const HomeRun& wanted() const { return x_wanted; }
  const std::string& run_name() const { return x_wanted.name; }
  int64_t now_ms() const { return x_session.context().clock.now_ms(); }

  std::optional<RunHandle> find() { return find_home_run(x_workspace, x_wanted); }
  /// Made when it is missing.
  RunHandle open();

  /// What the loop answers, times as texts; null when there is none. "at" is added.
  Document ask(Document question, Past past = Past::kPresent);
  /// One signal of which the loop makes what it likes; the document has "runId", "recorded", and
  /// "answer" when something was asked. Errors: those of open_home_run and tell.
  /// --key, where the command has it, makes a repeat change nothing.
  Document tell(const std::string& signal, const Document& value, const Document& question);

 private:
  const Arguments& x_arguments;
  const Session& x_session;
  Workspace x_workspace;
  HomeRun x_wanted;
};

/// Times in an answer, milliseconds under "next" or "began", become "nextAt" and "beganAt"; those
/// that are 0 are left out.
void date_answer(Document& answer);

/// --by, or the user. Error INVALID_JSON for what is no UTF-8.
std::string person_of(const Arguments& arguments, const Session& session);

/// State and text of a log's entry, as people read them: "Nothing new" in grey.
std::string entry_line(const Document& entry, const Style& style);

}  // namespace reprise
