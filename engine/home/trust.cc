// What may make a home run a program is its config.json and what its runs ask for. The first is
// compared byte by byte with what the user saw: a digest of ours would not withstand somebody who
// means it (docs/decisions/0003-sums.md).
#include "engine/home/trust.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/home/home_file.h"
#include "engine/home/settings.h"
#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/hash.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigFile = "/config.json";

std::string canonical(const std::string& path) {
  std::error_code failed;
  const auto real = fs::canonical(path, failed);
  return failed ? path : real.string();
}

bool is_group_of_ours(gid_t group) {
  if (group == getegid()) return true;
  std::vector<gid_t> groups(static_cast<size_t>(std::max(getgroups(0, nullptr), 0)));
  if (getgroups(static_cast<int>(groups.size()), groups.data()) < 0) return false;
  return std::ranges::find(groups, group) != groups.end();
}

/// As `init --shared=group` makes it, for a group that the user is of.
bool is_shared_with_us(const struct stat& home) {
  constexpr mode_t kShared = S_ISGID | S_IWGRP;
  return (home.st_mode & kShared) == kShared && is_group_of_ours(home.st_gid);
}

std::string name_of(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry == nullptr ? "uid " + std::to_string(user) : entry->pw_name;
}

std::vector<Setting> settings_of(const std::optional<std::string>& config) {
  if (!config) return {};
  return list_settings(merge_layers({parse_config_text("", *config)}));
}

std::vector<std::string> changed_keys(const std::optional<std::string>& before,
                                      const std::optional<std::string>& now) {
  std::vector<std::string> keys;
  try {
    const auto old_settings = settings_of(before);
    const auto new_settings = settings_of(now);
    const auto add_missing = [&](const std::vector<Setting>& from, const std::vector<Setting>& in) {
      for (const auto& setting : from) {
        const bool same = std::ranges::any_of(in, [&](const Setting& other) {
          return other.key == setting.key && other.json == setting.json;
        });
        if (!same && std::ranges::find(keys, setting.key) == keys.end()) {
          keys.push_back(setting.key);
        }
      }
    };
    add_missing(new_settings, old_settings);
    add_missing(old_settings, new_settings);
  } catch (const Error&) {
    // What cannot be read has no keys; that it changed is said all the same.
  }
  return keys;
}

TrustVerdict judge_record(TrustVerdict verdict, const TrustStore& store) {
  const auto record = store.find(verdict.home);
  if (!record) return verdict;
  verdict.at = record->at;
  verdict.trust = record->config == verdict.config ? Trust::kRecorded : Trust::kChanged;
  if (verdict.trust == Trust::kChanged) {
    verdict.changed = changed_keys(record->config, verdict.config);
  }
  return verdict;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? ": " : ", ") + word;
  return text;
}

std::string why_not(const TrustVerdict& verdict) {
  switch (verdict.trust) {
    case Trust::kForeign:
      return "it belongs to " + verdict.owner;
    case Trust::kChanged:
      return "its config.json has changed since " + verdict.at + listed(verdict.changed);
    default:
      return "it was found, not named, and it and its runs say which programs to run";
  }
}

}  // namespace

bool is_trusted(Trust trust) { return trust <= Trust::kNone; }

TrustVerdict judge_home(const HomePlace& place, const TrustStore& store) {
  TrustVerdict verdict{.trust = Trust::kUnknown, .home = canonical(place.path)};
  struct stat home {};
  if (stat(verdict.home.c_str(), &home) != 0) {
    verdict.trust = Trust::kNone;
    return verdict;
  }
  const auto file = verdict.home + kConfigFile;
  verdict.config = read_home_file(file);
  if (verdict.config) verdict.digest = hash128_hex(*verdict.config);
  struct stat config {};
  const bool has_config = stat(file.c_str(), &config) == 0;

  const auto us = geteuid();
  const bool ours = home.st_uid == us && (!has_config || config.st_uid == us);
  const bool shared = is_shared_with_us(home);
  if (!ours && !shared) {
    verdict.trust = Trust::kForeign;
    verdict.owner = name_of(home.st_uid == us ? config.st_uid : home.st_uid);
    return verdict;
  }
  const bool named = place.found_by == FoundBy::kNamed || place.found_by == FoundBy::kUser;
  if (named && ours) {
    verdict.trust = Trust::kNamed;
    return verdict;
  }
  return judge_record(std::move(verdict), store);
}

void check_trust(const HomePlace& home, const TrustStore& store) {
  const auto verdict = judge_home(home, store);
  if (is_trusted(verdict.trust)) return;
  const auto hint = verdict.trust == Trust::kForeign
                        ? "a home is used by its owner, or by a group: reprise init --shared=group"
                        : "look at what is in it, then: reprise trust --home " + verdict.home;
  throw Error(Exit::kForbidden, "UNTRUSTED_HOME",
              "the home " + verdict.home + " is not trusted: " + why_not(verdict), hint,
              JsonWriter().text("home", verdict.home).text_if("digest", verdict.digest).done());
}

void write_config(const HomePlace& home, std::string_view text, TrustStore& store, Clock& clock) {
  const auto before = judge_home(home, store);
  const auto dir = open_real_dir(before.home, false);
  if (!dir) throw Error(Exit::kNotFound, "HOME_NOT_FOUND", "there is no home at " + before.home);
  replace_file(*dir, std::string(kConfigFile).substr(1), text, true);
  if (before.trust == Trust::kRecorded) store.trust(before.home, std::string(text), clock);
}

}  // namespace reprise
