// Asking on the terminal what a run asks people: run:drive --interactive.
#pragma once

#include <set>
#include <span>
#include <string>

#include "cli/session.h"
#include "engine/approval.h"
#include "engine/drive/drive.h"

namespace reprise {

/// One question at a time. Nothing here waits: the drive calls again and again.
class AskPeople {
 public:
  AskPeople(const Session& session, Style style) : x_session(session), x_style(style) {}

  /// Looks for a question, shows it, takes an answer if one was typed. True while it is asking.
  bool look(std::span<const DrivenRun> runs);

 private:
  bool show_next(std::span<const DrivenRun> runs);
  void take(const std::string& line, Dir& dir);
  bool answer(const std::string& line, Dir& dir);

  const Session& x_session;
  Style x_style;
  std::string x_run;  ///< of the question that is asked; empty: none is
  uint64_t x_effect = 0;
  std::string x_digest;
  std::string x_typed;              ///< the beginning of a line
  std::set<std::string> x_skipped;  ///< questions that are left alone: their digests
  bool x_closed = false;            ///< nobody types any more
};

}  // namespace reprise
