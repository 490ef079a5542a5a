#include "cli/configured.h"

#include <cstdlib>

#include "cli/session.h"
#include "engine/launch.h"

namespace reprise {
namespace {

// As the XDG base directory specification says: a path that is not absolute is ignored.
std::string user_folder(const char* variable, const std::string& below_home) {
  if (const std::string folder = environment(variable); folder.starts_with('/')) {
    return folder + "/reprise";
  }
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + below_home + "/reprise" : std::string();
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (const std::string& variable : own_environment())
    names.push_back(variable.substr(0, variable.find('=')));
  return names;
}

}  // namespace

ConfigSources config_sources(const Arguments& arguments, const HomePlace& home) {
  const std::string user = user_folder("XDG_CONFIG_HOME", "/.config");
  return {.user_file = user.empty() ? user : user + "/config.json",
          .home_file = home.path + "/config.json",
          .environment = [](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          },
          .variables = variable_names(),
          .set = arguments.values(kSetFlag.name)};
}

Config configuration(const Arguments& arguments, const HomePlace& home) {
  return load_config(config_sources(arguments, home));
}

std::string state_folder() { return user_folder("XDG_STATE_HOME", "/.local/state"); }

void require_trust(const HomePlace& home) { check_trust(home, TrustStore(state_folder())); }

}  // namespace reprise
