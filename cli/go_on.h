// How a person goes on with a run that somebody gave something: by run:drive, which performs what
// is pending, or by run:iterate, when nobody of this home does.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "cli/reply.h"
#include "cli/session.h"
#include "engine/executors/executor.h"

namespace reprise {

class GoOn {
 public:
  explicit GoOn(const Session& session) : x_session(session) {}

  /// "run:drive": an executor of the run's home matches something that is pending, or the run was
  /// made by run:start and nothing is pending yet. Else "run:iterate". What cannot be read (a
  /// configuration with a mistake, too) decides nothing: a hint is no reason to fail.
  std::string command(const RunHandle& run, const RunState& state);

  /// Puts it into the document of a command that prints text, as "goOn": hints are for people, and
  /// programs are not to wait for them.
  void add(Document& document, const RunHandle& run, const RunState& state);

  /// As "unperformed", likewise: the kinds of pending work in the document that nobody has taken
  /// and no executor of the run's home performs. Without `state` a home that has executors at all
  /// is believed to perform everything, which costs less to find out.
  void add_unperformed(Document& document, const RunHandle& run, const RunState* state);
  /// Those kinds. Errors: what cannot be read.
  std::set<std::string> unperformed(const Document& pending, const RunHandle& run,
                                    const RunState* state);
  /// Does an executor of the run's home perform it? Errors likewise.
  bool is_performed(const RunHandle& run, const RunState& state, const OpenEffect& effect);
  /// The command that finds an executor for what none performs: of the agent that names one which
  /// is not there, else of the kind of work. Errors likewise.
  std::string executor_step(const RunHandle& run, const RunState& state, const OpenEffect& effect);

 private:
  bool prints_text() const;
  /// The effect as executors get it; x_config is that of its home then.
  Work work_in(const RunHandle& run, const RunState& state, const OpenEffect& effect);

  const Session& x_session;
  std::optional<Config> x_config;  ///< executors of the home that was asked about last
  std::string x_home;
};

/// "  next  reprise run:drive RUN\n", of such a document.
std::string go_on_hint(const Document& document);

/// "reprise executor:add model --preset claude-code --match kind=model": what makes an executor for
/// that kind of work.
std::string executor_command(const std::string& kind);

/// "  waits  for an executor of kind model: reprise executor:add ...\n" of such a document, a line
/// for each kind; empty when somebody performs all of it.
std::string unperformed_text(const Document& document);

/// What gives a run the signal that it waits for, a line: message:post for a channel. `run` is safe
/// to show; `name` is as recorded, empty when the run does not say.
std::string signal_step(const std::string& run, const std::string& process_id,
                        const std::string& name);

}  // namespace reprise
