#include <nlohmann/json.hpp>

#include "engine/home/home_file.h"
#include "engine/home/trust.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kTrustFile = "trust.json";
constexpr const char* kFormat = "reprise.trust.1";

/// The homes by path; empty when the file is missing or was damaged.
Json read_homes(Dir* folder) {
  const auto text = folder == nullptr ? std::nullopt : read_file(*folder, kTrustFile);
  const Json file = text ? Json::parse(*text, nullptr, false) : Json();
  const bool whole = file.is_object() && file.value("schemaVersion", Json()) == kFormat &&
                     file.contains("homes") && file["homes"].is_object();
  return whole ? file["homes"] : Json::object();
}

void write_homes(Dir& folder, const Json& homes) {
  const Json file = {{"schemaVersion", kFormat}, {"homes", homes}};
  try {
    replace_file(folder, kTrustFile, file.dump(2) + "\n", true);
  } catch (const Json::exception&) {
    throw Error(Exit::kUsage, "INVALID_PATH", "the path of the home is no UTF-8");
  }
}

}  // namespace

std::optional<TrustStore::Record> TrustStore::find(const std::string& home) const {
  if (x_folder.empty()) return std::nullopt;
  const auto folder = open_real_dir(x_folder, false);
  const Json homes = read_homes(folder.get());
  const auto found = homes.find(home);
  if (found == homes.end() || !found->is_object() || !found->contains("config")) {
    return std::nullopt;
  }
  Record record{.config = std::nullopt, .at = found->value("at", std::string())};
  const Json& config = (*found)["config"];
  if (config.is_string()) record.config = config.get<std::string>();
  return record;
}

void TrustStore::trust(const std::string& home, const std::optional<std::string>& config,
                       Clock& clock) {
  if (x_folder.empty()) {
    throw Error(Exit::kSystem, "NO_STATE_FOLDER",
                "there is no folder to remember trust in: neither $XDG_STATE_HOME nor $HOME is set",
                "set one of them, or name the home: --home DIR");
  }
  const auto folder = open_real_dir(x_folder, true);
  const auto lock = lock_home_file(*folder, kTrustFile);
  Json homes = read_homes(folder.get());
  homes[home] = {{"config", config ? Json(*config) : Json()}, {"at", format_time(clock.now_ms())}};
  write_homes(*folder, homes);
}

bool TrustStore::revoke(const std::string& home) {
  const auto folder = x_folder.empty() ? nullptr : open_real_dir(x_folder, false);
  if (!folder) return false;
  const auto lock = lock_home_file(*folder, kTrustFile);
  Json homes = read_homes(folder.get());
  if (homes.erase(home) == 0) return false;
  write_homes(*folder, homes);
  return true;
}

}  // namespace reprise
