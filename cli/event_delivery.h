// How the events of event:tail reach who wants them, one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host.h"

namespace reprise {

/// A command that is run for each event, which it reads from its standard input.
struct EventCommand {
  std::string command;                   ///< for /bin/sh
  int64_t timeout_ms = 60'000;           ///< of one attempt
  uint64_t attempts = 3;                 ///< before delivery is given up
  std::vector<std::string> environment;  ///< "NAME=VALUE", besides that of this process
};

/// Runs it until it succeeds; what it writes is passed on. The pauses between attempts grow. Error
/// EVENT_UNDELIVERED (exit 1) when every attempt failed.
void run_for_event(const EventCommand& command, const std::string& event, std::string_view id,
                   Host& host);

/// Where a subscriber's place is kept: a file that is replaced as a whole.
class CursorFile {
 public:
  /// Errors: FOLDER_NOT_FOUND (exit 3).
  CursorFile(const std::string& path, const std::string& working_dir);
  /// Empty when there is none yet. Error INVALID_CURSOR_FILE (exit 2) for one that is too long.
  std::string read() const;
  void write(const std::string& cursor) const;

 private:
  std::string x_folder;
  std::string x_name;
};

}  // namespace reprise
