// What the visor is told of the home at a tick: plain facts, gathered by whoever ticks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace reprise::visor {

using Json = nlohmann::json;

/// The limits that hold at this tick.
struct Settings {
  int64_t worker_timeout_ms = 0;
  int64_t branch_timeout_ms = 0;
  int64_t degraded_count = 0;
  int64_t idle_ms = 0;
  int64_t maintenance_ms = 0;
  int64_t bulletin_words = 0;
  int64_t degraded_window_ms = 0;
  bool bootstraps = true;   ///< a first bulletin is made although nothing happens
  bool has_writer = false;  ///< an executor writes the text of bulletins
};

/// A worker or a branch that lives.
struct Work {
  std::string channel;
  std::string id;
  std::string status;    ///< of a worker: "running" or "waiting_input"
  int64_t since_ms = 0;  ///< when that began
};

/// The failed workers of a channel within the window, by the numbers of their records.
struct Failures {
  std::string channel;
  std::vector<uint64_t> seqs;
};

/// Two memories that say the same.
struct Merge {
  Json memory;  ///< what takes their place, as a memory.saved without its id
  std::vector<std::string> replaces;
};

struct Maintenance {
  std::vector<std::string> forget;  ///< ids
  std::vector<Merge> merges;
  int64_t examined_ms = 0;  ///< memories made until then were looked at for merges
};

/// A memory that a bulletin may name.
struct Named {
  std::string section;  ///< "Decisions"
  std::string id;
  std::string note;
};

/// A card of the board that is not over.
struct OpenCard {
  std::string project;  ///< its name
  std::string id;
  std::string title;
  std::string status;
};

struct Tick {
  int64_t window = 0;
  Settings settings;
  std::vector<Work> workers;
  std::vector<Work> branches;
  bool complete = true;  ///< all work that lives is listed
  std::vector<Failures> failures;
  std::optional<int64_t> last_message_ms;  ///< of all channels; nullopt: there was none
  int64_t channels = 0;
  int64_t open_workers = 0;
  int64_t all_workers = 0;
  int64_t questions = 0;  ///< that wait for people
  std::optional<Maintenance> maintenance;
  std::vector<OpenCard> cards;  ///< those that a bulletin lists, project by project
  std::vector<Named> memories;
};

/// Throws nlohmann::json::exception, which says what is wrong.
Tick read_tick(const Json& value);

}  // namespace reprise::visor
