// config:show, config:path: what is configured, and where that was said.
#include <filesystem>

#include "cli/commands.h"
#include "cli/configured.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/hooks/hooks.h"
#include "engine/suggest.h"

namespace reprise {
namespace {

// Of a value among others; --json and --get show all of it.
constexpr size_t kWidestValue = 60;

// Variables that an executor is given, headers of a hook, and what follows the path of its url may
// hold secrets.
Document without_secrets(const Setting& setting) {
  Document value = Document::parse(setting.json);
  if (!value.is_object()) return value;
  for (const char* member : {"environment", "headers"}) {
    if (!value.contains(member)) continue;
    for (auto& [name, text] : value[member].items()) {
      if (text.is_string()) text = "***";
    }
  }
  if (!setting.key.starts_with("hooks.") || !value.contains("url")) return value;
  const std::string url = value["url"];
  const auto query = url.find_first_of("?#");
  if (query != std::string::npos) value["url"] = url.substr(0, query + 1) + "***";
  return value;
}

bool is_below(const std::string& key, const std::string& asked) {
  return asked.empty() || key == asked || key.starts_with(asked + ".");
}

Error unknown_key(const std::string& asked, const std::vector<Setting>& settings) {
  std::vector<std::string_view> keys;
  keys.reserve(settings.size());
  for (const Setting& setting : settings) keys.emplace_back(setting.key);
  const std::string meant = did_you_mean(asked, keys);
  return {Exit::kNotFound, "KEY_NOT_FOUND", "there is no key " + asked + " in the configuration",
          meant.empty() ? "reprise config:show lists them" : meant};
}

Document config_file_document(const std::string& path) {
  std::error_code ignored;
  return {{"path", path}, {"exists", std::filesystem::exists(path, ignored)}};
}

}  // namespace

Reply config_show(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace_to_read().home();
  const std::string asked = arguments.positional("KEY");
  const Config config = configuration(arguments, home);
  configured_hooks(config);
  Reply reply{.document = new_document()};
  reply.document["home"] = home.path;
  reply.document["settings"] = Document::array();
  for (const Setting& setting : config.settings) {
    if (!is_below(setting.key, asked)) continue;
    Document row = {{"key", setting.key}, {"value", without_secrets(setting)}};
    if (arguments.has("--origin")) row["origin"] = setting.origin;
    reply.document["settings"].push_back(std::move(row));
  }
  if (reply.document["settings"].empty()) throw unknown_key(asked, config.settings);
  reply.warnings = config.warnings;
  return reply;
}

std::string config_show_text(const Document& document, const Style& style) {
  Table table;
  // What is asked for alone is shown whole.
  const bool alone = document["settings"].size() == 1;
  for (const Document& setting : document["settings"]) {
    const Document& value = setting["value"];
    const std::string text = value.is_string() ? value.get<std::string>() : print_json(value);
    std::vector<Table::Cell> row = {{shown(setting["key"].get<std::string>()), Colour::kBold},
                                    {alone ? shown(text) : shown(text, kWidestValue)}};
    if (setting.contains("origin")) {
      row.push_back({shown(setting["origin"].get<std::string>()), Colour::kDim});
    }
    table.add(std::move(row));
  }
  return table.print(style);
}

Reply config_path(const Arguments& arguments) {
  const Session session(arguments);
  const HomePlace home = session.workspace().home();
  const ConfigSources sources = config_sources(arguments, home);
  Reply reply{.document = new_document()};
  reply.document["home"] = config_file_document(sources.home_file);
  if (!sources.user_file.empty()) reply.document["user"] = config_file_document(sources.user_file);
  return reply;
}

std::string config_path_text(const Document& document, const Style& style) {
  Table table;
  for (const char* whose : {"home", "user"}) {
    if (!document.contains(whose)) continue;
    const Document& file = document[whose];
    table.add({{whose},
               {shown(file["path"].get<std::string>()), Colour::kBold},
               {file["exists"] ? "" : "is not there", Colour::kDim}});
  }
  return table.print(style);
}

}  // namespace reprise
