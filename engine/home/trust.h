// Which homes may run programs. A home that the user named is his own word; one that was found from
// the working directory, or by the path of a run, may have come with somebody's repository: it runs
// nothing until the user says so. That is remembered outside the home, with the config.json that he
// saw (docs/decisions/0017-trust.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/workspace.h"
#include "journal/clock.h"

namespace reprise {

/// What a user trusts: trust.json in a folder of his, $XDG_STATE_HOME/reprise. Each call reads the
/// file anew; a damaged one trusts nothing.
class TrustStore {
 public:
  /// An absolute path, or empty where the user has no such folder: nothing is trusted then.
  explicit TrustStore(std::string folder) : x_folder(std::move(folder)) {}

  struct Record {
    std::optional<std::string> config;  ///< config.json as it was; nullopt: there was none
    std::string at;
  };
  /// `home` is a canonical path.
  std::optional<Record> find(const std::string& home) const;
  /// Durable when it returns. Error NO_STATE_FOLDER, exit 8, where there is no folder; LOCKED.
  void trust(const std::string& home, const std::optional<std::string>& config, Clock& clock);
  /// False when it was not trusted.
  bool revoke(const std::string& home);

 private:
  std::string x_folder;
};

enum class Trust {
  kNamed,     ///< the user named it, and it is his
  kRecorded,  ///< he trusted it as it is now
  kNone,      ///< there is nothing at that path
  // Not trusted:
  kUnknown,  ///< never
  kChanged,  ///< its config.json is another one now
  kForeign,  ///< it belongs to somebody else
};
bool is_trusted(Trust trust);

struct TrustVerdict {
  Trust trust = Trust::kUnknown;
  std::string home;                   ///< canonical
  std::string digest;                 ///< of its config.json; empty: it has none
  std::string at;                     ///< when it was trusted, if it ever was
  std::vector<std::string> changed;   ///< the keys of config.json that are not what they were
  std::string owner;                  ///< of a foreign home, for people
  std::optional<std::string> config;  ///< the bytes
};
TrustVerdict judge_home(const HomePlace& home, const TrustStore& store);

/// Returns when programs that this home names, or that its runs ask for, may be run. Error
/// UNTRUSTED_HOME, exit 13, otherwise.
void check_trust(const HomePlace& home, const TrustStore& store);

/// Replaces config.json, durably, and keeps the home trusted if it was. For the commands that edit
/// it at the user's word.
void write_config(const HomePlace& home, std::string_view text, TrustStore& store, Clock& clock);

}  // namespace reprise
