#include "cli/session.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/catalogue.h"
#include "cli/output.h"
#include "cli/streams.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/run.h"
#include "journal/error.h"

namespace reprise {
namespace {

constexpr int64_t kDefaultLockTimeoutMs = 30'000;

std::string user_name() {
  for (const char* name : {"USER", "LOGNAME"}) {
    if (const std::string user = environment(name); !user.empty()) return shown(user);
  }
  if (const passwd* entry = ::getpwuid(::getuid()); entry != nullptr) return shown(entry->pw_name);
  return "uid " + std::to_string(::getuid());
}

std::unique_ptr<Clock> make_clock(const Arguments& arguments) {
  const auto now = arguments.value("--now");
  if (!now) return std::make_unique<WallClock>();
  return std::make_unique<FixedClock>(parse_time_flag(*now, "--now"));
}

// For what can be made again: the script engine's start-up code, an index of a home that cannot be
// written. Processes never see it.
std::string cache_folder() {
  const std::string cache = environment("XDG_CACHE_HOME");
  if (cache.starts_with('/')) return cache + "/reprise";
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.cache/reprise" : std::string();
}

// When the engine must end the whole program, it prints what is prepared here.
ScriptHost::Options script_options(const Arguments& arguments) {
  const Error error(Exit::kBudget, "SCRIPT_BUDGET",
                    "the script exceeded its budget, or the script engine crashed",
                    "nothing of this iteration was recorded; run:iterate tries again");
  const auto flag = [&arguments](std::string_view name) { return arguments.value(name); };
  Printed printed = print_error(error, output_options(flag, false));
  return {.module = {},
          .cache_dir = cache_folder(),
          .crash_text = std::move(printed.err),
          .crash_document = std::move(printed.out)};
}

Context make_context(const Arguments& arguments, Clock& clock, Random& random, ScriptHost& scripts,
                     Host& host, Changes& changes, MemorySource& memory) {
  Context context{
      .clock = clock,
      .random = random,
      .scripts = scripts,
      .host = host,
      .built_ins = built_in_processes(),
      .author = {user_name(), shown(host.name()), std::string(arguments.command().name)}};
  const auto timeout = arguments.value("--lock-timeout");
  context.lock_timeout_ms =
      timeout ? parse_duration_ms(*timeout, "--lock-timeout") : kDefaultLockTimeoutMs;
  context.force = arguments.has("--force");
  context.changes = &changes;
  context.memory = &memory;
  return context;
}

EffectSelector effect_by_id(const std::string& text, std::string_view key_flag) {
  if (const auto id = parse_effect_id(text)) return {.id = *id, .key = {}};
  throw Error(Exit::kUsage, "INVALID_EFFECT_ID", "\"" + text + "\" is no effect",
              "effects are called t1, t2, ...: reprise task:list RUN shows them; the key that an "
              "author gave goes with " +
                  std::string(key_flag) + " KEY");
}

}  // namespace

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

Session::Session(const Arguments& arguments)
    : x_arguments(arguments),
      x_working_dir(working_folder()),
      x_clock(make_clock(arguments)),
      x_scripts(script_options(arguments)),
      x_memory(cache_folder(), x_random),
      x_context(
          make_context(arguments, *x_clock, x_random, x_scripts, x_host, x_touched, x_memory)),
      x_started_ms(x_clock->now_ms()) {}

Session::~Session() {
  try {
    tell_hooks(*this, x_touched, x_started_ms);
  } catch (const std::exception& error) {
    // The command did its job; what is left to deliver is found by heartbeat.
    if (!x_arguments.has("--quiet")) {
      write_err("warning: hooks: " + shown(error.what()) + "\n");
    }
  }
}

Workspace Session::workspace(bool create) const {
  const HomeQuery query{.runs_dir = x_arguments.value("--runs-dir").value_or(""),
                        .home = x_arguments.value("--home").value_or(""),
                        .environment_home = environment("REPRISE_HOME"),
                        .working_dir = x_working_dir,
                        .user_home = environment("HOME")};
  return {query, create};
}

Workspace Session::workspace_to_read() const {
  Workspace found = workspace();
  found.require_named();
  return found;
}

RunIndex Session::index(Workspace& workspace) const {
  return {{workspace.runs_path(), cache_folder(), {}}, workspace.runs(), x_context.random};
}

RunHandle Session::find_run() const { return find_run(x_arguments.positional("RUN")); }

RunHandle Session::find_run(const std::string& selector) const {
  RunHandle run = workspace().find(selector);
  const bool sets_time = x_arguments.command().writes && x_arguments.has("--now");
  if (sets_time && !read_state(*run.dir).state.simulated) {
    throw Error(Exit::kUsage, "NOT_SIMULATED",
                "--now is for runs that were created with --simulated",
                "leave --now out: " + run.name + " runs by the wall clock");
  }
  return run;
}

Session::RunAndEffect Session::find_effect(std::string_view key_flag) const {
  const auto [run, effect] = words_of_effect(x_arguments);
  if (!x_arguments.positional("EFFECT").empty() && x_arguments.value("--effect-id")) {
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "name the effect as the second argument or by --effect-id, not both");
  }
  if (const auto key = x_arguments.value(key_flag)) {
    if (effect.empty() && !key->empty()) return {find_run(run), {.id = 0, .key = *key}};
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                "name the effect by its id or by " + std::string(key_flag) + ", not both");
  }
  if (effect.empty()) {
    throw Error(Exit::kUsage, "MISSING_ARGUMENT",
                std::string(x_arguments.command().name) + " needs EFFECT",
                "usage: " + usage_line(x_arguments.command()));
  }
  const EffectSelector selector = effect_by_id(effect, key_flag);
  return {find_run(run), selector};
}

std::string Session::claim_token(const RunAndEffect& named) const {
  if (const auto token = x_arguments.value("--token")) return *token;
  const auto about = [](const char* name, const std::string& value) {
    const auto told = environment(name);
    return told.empty() || told == value;
  };
  const auto& effect = named.effect;
  const bool same_effect = effect.key.empty() ? about("REPRISE_EFFECT", format_effect_id(effect.id))
                                              : environment("REPRISE_EFFECT").empty();
  return about("REPRISE_RUN", named.run.name) && same_effect ? environment("REPRISE_CLAIM")
                                                             : std::string();
}

std::vector<std::string> Session::clock_warnings(const RunState& state) const {
  const int64_t lag_ms = clock_lag_ms(state, *x_clock);
  if (lag_ms == 0 || state.simulated) return {};
  return {"the last record of " + state.run_id + " is " + std::to_string(lag_ms / 60'000) +
          " minutes ahead of the clock of this machine"};
}

}  // namespace reprise
