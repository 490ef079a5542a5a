// executor:perform: the worker that run:drive starts for each piece of work. docs/executors.md
// describes what goes in and out.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/user_files.h"
#include "engine/executors/worker_main.h"

namespace reprise {

Reply executor_perform(const Arguments& arguments) {
  const auto order = read_user_file("-", {}, "standard input");
  const auto number = arguments.count("--lifeline");
  const int lifeline = number ? static_cast<int>(*number) : -1;
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  const bool lines = output_options(flag, false).mode == OutputMode::kText;
  const auto outcome = perform_as_worker(order, lifeline, lines ? STDOUT_FILENO : STDERR_FILENO);
  Reply reply{.document = new_document()};
  Document& document = reply.document;
  document["status"] = outcome.ok ? "ok" : "error";
  document[outcome.ok ? "value" : "error"] = raw_json(outcome.value);
  document["stdoutRef"] = outcome.stdout_ref;
  document["stderrRef"] = outcome.stderr_ref;
  document["metadata"] = raw_json(outcome.metadata);
  return reply;
}

// The events are all that it prints.
std::string executor_perform_text(const Document&, const Style&) { return {}; }

}  // namespace reprise
