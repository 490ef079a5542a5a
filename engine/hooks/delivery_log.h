// What became of the events that a hook is for: hooks/NAME.log of the home, a line each.
//
//   reprise-hook 1 1767225600000         events since then are delivered
//   d deploy.web 12                      delivered
//   f deploy.web 14 2 1767225660000 ...  failed twice; when it is tried again, and why it failed
//   p deploy.web 15 10 ...               parked: not tried again by itself
//   s deploy.web 12                      everything of the run up to 12 was seen
//   c 5f0c9a7be2d14c38 4711              ... in an index of this epoch, up to this place
//
// A run that has an identity is named with it: deploy.web/5f0c9a7be2d14c388d1e60f7a2b4c9d3.
// Of an event the last line counts. Nothing is synced: what a crash of the machine takes back is
// delivered once more. An event is told by its run and number, so a new index changes nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "journal/files.h"

namespace reprise {

struct EventId {
  std::string run;
  uint64_t seq = 0;
  std::string identity = {};  ///< of the run; empty: it has none
  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler writes compares with 0.
  auto operator<=>(const EventId&) const = default;
  /// As the event's messageId.
  std::string text() const;
  /// "RUN" or "RUN/IDENTITY": its run among all that had this id.
  std::string stream() const;
};

struct Undelivered {
  uint32_t attempts = 0;
  int64_t next_ms = 0;  ///< of one that is not parked
  bool parked = false;
  std::string error;  ///< one line
};

class DeliveryLog {
 public:
  /// In the home; nothing is opened yet.
  DeliveryLog(std::string home_path, std::string hook);

  bool exists() const;
  /// Begins one; the events that were recorded before are none of the hook's. One that exists
  /// stays.
  void begin(int64_t since_ms);
  /// Sets it aside: the hook is not configured any more.
  void end();

  /// Reads it; false when there is none. Lines that are none are passed over.
  bool read();
  int64_t since_ms() const { return x_since_ms; }
  /// Was it delivered, has it failed, or was it seen?
  bool knows(const EventId& event) const;
  const std::map<EventId, Undelivered>& undelivered() const { return x_undelivered; }
  uint64_t delivered() const { return x_delivered.size(); }
  /// Where in the index to look on; 0 for an index of another epoch.
  int64_t place(const std::string& epoch) const { return epoch == x_epoch ? x_place : 0; }

  void add_delivered(const EventId& event);
  void add_undelivered(const EventId& event, const Undelivered& outcome);
  /// All events up to this place are known: they need not be looked at again.
  void advance(const std::string& epoch, int64_t place, const std::vector<EventId>& seen);

 private:
  std::unique_ptr<Dir> folder(bool create) const;
  void append(const std::string& lines);
  void take(std::string_view line);
  void note_seen(const EventId& event);
  std::string compact() const;

  std::string x_home;
  std::string x_name;  ///< of the file
  int64_t x_since_ms = 0;
  std::map<EventId, Undelivered> x_undelivered;
  std::map<EventId, bool> x_delivered;
  std::map<std::string, uint64_t> x_seen;  ///< by stream
  std::string x_epoch;
  int64_t x_place = 0;
};

/// The hooks that have a log in the home, by name.
std::vector<std::string> logged_hooks(const std::string& home_path);

}  // namespace reprise
