// What a home is told by config.json: executors, which of them performs what, and within which
// limits. Merged from the defaults, the user's file, the home's file, the environment and flags;
// the later wins (docs/configuration.md). schemas/config.schema.json names all keys and their
// defaults: a new key is a new entry there, and a member here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// One entry of "executors". What else stands in it is its type's own business.
struct ExecutorConfig {
  std::string name;
  std::string type;    ///< "shell", "command", "openai" or "mock"
  std::string json;    ///< the whole object, minified
  std::string origin;  ///< where it was said: "/home/me/.reprise/config.json:7", or "default"
};

/// The first rule that fits an effect names its executor. Empty members fit everything, the others
/// whole words; * stands for any characters.
struct MatchRule {
  std::string kind;
  std::string task;
  std::string label;
  std::string agent;  ///< the name of the agent that the task asks for
  std::string executor;
};

/// What the work of a home may do (docs/policy.md).
struct Policy {
  std::vector<std::string> roots;  ///< folders that work may run in; empty: any
  std::vector<std::string> denied_programs;
  std::vector<std::string> environment;  ///< names of variables that reach the work; X_* is allowed
  std::string permission;                ///< of effects that say none: "none", "read" or "full"
  bool network = true;                   ///< of sandboxed effects
  /// Of one attempt, by kind, where the task says none; "*" is every other kind, 0 no limit.
  std::map<std::string, int64_t> timeout_ms;

  int64_t timeout_of(const std::string& kind) const;
};

/// One value, and where it was said.
struct Setting {
  std::string key;  ///< "drive.jobs", "executors.shell", "match.0"
  std::string json;
  std::string origin;  ///< a file and a line, "$REPRISE_DRIVE_JOBS", "--set", or "default"
};

struct Config {
  std::vector<ExecutorConfig> executors;
  std::vector<MatchRule> match;  ///< the home's, the user's, the defaults
  Policy policy;
  uint32_t jobs = 4;            ///< what one run:drive performs side by side
  uint64_t min_free_bytes = 0;  ///< no work starts with less free space
  int64_t lease_ms = 0;         ///< of run:drive's claims
  /// "channels", as far as it is not the defaults: JSON, for channels (docs/channels.md). The top
  /// level "channelSessions" is in it as "sessions".
  std::string channels = "{}";

  /// What is read by the part of the home that it is for: "heartbeat", "visor", "memory", "hooks",
  /// each as far as the schema names it, with its defaults, JSON.
  std::map<std::string, std::string> sections;

  std::vector<Setting> settings;      ///< all of it as it was said, for config:show
  std::vector<std::string> warnings;  ///< what was said and means nothing
};

/// Where a configuration is read from.
struct ConfigSources {
  std::string user_file;  ///< absolute; empty: none. A file that does not exist says nothing
  std::string home_file;
  /// nullopt when the variable is not set. A scalar key has one: drive.minFreeBytes is
  /// REPRISE_DRIVE_MIN_FREE_BYTES.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::vector<std::string> variables;  ///< names of all that are set
  std::vector<std::string> set;        ///< "KEY=VALUE", the values as text or as JSON
};

/// Error CONFIG_INVALID, exit 2: which file and line (variable, flag), which key, what is wrong
/// with it, and what was probably meant. A file of more than 1 MiB is refused.
Config load_config(const ConfigSources& sources);

/// Config::channels alone. Where no source says anything about channels, which every message has to
/// know, nothing else is read or checked; else as load_config.
std::string load_channels(const ConfigSources& sources);

/// Config::executors and Config::match alone. Where no source says anything of them, as for most
/// iterates, nothing else is read or checked; else as load_config.
Config load_executors(const ConfigSources& sources);

/// False: no source says anything of executors, so there are the default ones alone. Reads the
/// files, and checks nothing.
bool names_executors(const ConfigSources& sources);

}  // namespace reprise
