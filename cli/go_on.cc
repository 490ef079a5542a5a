// The configuration is read only when an effect is pending that an executor could perform: a
// command in a loop does not pay for it.
#include "cli/go_on.h"

#include "cli/channel/channels.h"
#include "cli/configured.h"
#include "cli/next_steps.h"
#include "cli/output.h"
#include "cli/text.h"
#include "engine/agents/agent_work.h"
#include "engine/drive/work.h"
#include "engine/executors/match.h"
#include "engine/run.h"
#include "engine/task_files.h"
#include "journal/ids.h"
#include "journal/json_reader.h"

namespace reprise {
namespace {

constexpr const char* kDrive = "run:drive";
constexpr const char* kIterate = "run:iterate";

bool is_work(const OpenEffect& effect) {
  return effect.kind != "breakpoint" && !is_engines_kind(effect.kind);
}

bool was_started(const RunHandle& run, const RunState& state) {
  JsonReader reader;
  std::string buffer;
  const std::string by(read_data(*run.dir, state.created_place, buffer, reader).raw("by"));
  return !by.empty() && reader.members_of_copy(by).text("command") == "run:start";
}

}  // namespace

Work GoOn::work_in(const RunHandle& run, const RunState& state, const OpenEffect& effect) {
  const HomePlace home = x_session.workspace().home_of(run);
  if (!x_config || home.path != x_home) {
    x_config = load_executors(config_sources(x_session.arguments(), home));
  }
  x_home = home.path;
  JsonReader reader;
  return work_of(home.path, state, effect, load_request(*run.dir, effect.place, reader));
}

bool GoOn::is_performed(const RunHandle& run, const RunState& state, const OpenEffect& effect) {
  const Work work = work_in(run, state, effect);
  return choose_executor(*x_config, work) != nullptr;
}

std::string GoOn::executor_step(const RunHandle& run, const RunState& state,
                                const OpenEffect& effect) {
  const Work work = work_in(run, state, effect);
  auto agent = agent_of(work);
  if (!agent || agent->executor.empty()) return executor_command(effect.kind);
  // Who is named by the agent is asked, whatever the rules of "match" say.
  agent->executor.clear();
  const auto* other = executor_of(*x_config, *agent);
  return "reprise agent:config " + work.agent +
         " executor=" + (other == nullptr ? "NAME" : shell_word(other->name));
}

std::string GoOn::command(const RunHandle& run, const RunState& state) {
  try {
    bool others = false;  // whose work is awaited
    for (const auto& [id, effect] : state.open) {
      if (!is_work(effect)) continue;
      if (is_performed(run, state, effect)) return kDrive;
      others = true;
    }
    return !others && was_started(run, state) ? kDrive : kIterate;
  } catch (const Error&) {
    return kIterate;
  }
}

bool GoOn::prints_text() const {
  const auto flag = [this](std::string_view name) { return x_session.arguments().value(name); };
  const OutputOptions options = output_options(flag, false);
  return options.mode == OutputMode::kText && !options.pointer;
}

void GoOn::add(Document& document, const RunHandle& run, const RunState& state) {
  if (!prints_text()) return;
  document["goOn"] = command(run, state);
  add_failed_by(document, *run.dir, state);
}

void GoOn::add_unperformed(Document& document, const RunHandle& run, const RunState* state) {
  if (!prints_text()) return;
  try {
    const auto kinds = unperformed(document["pending"], run, state);
    if (!kinds.empty()) document["unperformed"] = kinds;
  } catch (const Error&) {
    // What cannot be read is said by the commands that need it.
  }
}

std::set<std::string> GoOn::unperformed(const Document& pending, const RunHandle& run,
                                        const RunState* state) {
  std::set<std::string> kinds;
  std::optional<bool> has_executors;
  for (const Document& effect : pending) {
    const std::string kind = effect["kind"];
    if (effect.contains("claim") || kind == "breakpoint" || is_engines_kind(kind)) continue;
    if (!has_executors) {
      const HomePlace home = x_session.workspace().home_of(run);
      has_executors = names_executors(config_sources(x_session.arguments(), home));
    }
    if (*has_executors) {
      if (state == nullptr) continue;
      const auto id = parse_effect_id(effect["effectId"].get<std::string>());
      const auto found = state->open.find(id.value_or(0));
      if (found == state->open.end() || is_performed(run, *state, found->second)) continue;
    }
    kinds.insert(kind);
  }
  return kinds;
}

std::string executor_command(const std::string& kind) {
  const std::string word = shell_word(kind);
  return "reprise executor:add " + word + " --preset claude-code --match kind=" + word;
}

std::string unperformed_text(const Document& document) {
  std::string text;
  for (const Document& unperformed : document.value("unperformed", Document::array())) {
    const std::string kind = unperformed;
    text += "  waits  for an executor of kind " + shown(kind) + ": " +
            shown(executor_command(kind)) + "\n";
  }
  return text;
}

std::string go_on_hint(const Document& document) {
  return "  next  reprise " + document.value("goOn", std::string(kIterate)) + " " +
         shown(document["runId"].get<std::string>()) + "\n";
}

std::string signal_step(const std::string& run, const std::string& process_id,
                        const std::string& name) {
  if (process_id == kChannelProcess) return "  next  reprise message:post " + run + " TEXT\n";
  return "  next  reprise run:signal " + run + " " +
         (name.empty() ? "NAME" : shown(shell_word(name))) + "\n";
}

}  // namespace reprise
