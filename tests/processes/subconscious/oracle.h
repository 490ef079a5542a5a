// What must hold of every course of a loop, judged by its events and requests alone: no line of the
// process is used.
#pragma once

#include <map>
#include <set>
#include <string>

#include "tests/processes/subconscious/loop_fixture.h"

namespace reprise::subconscious {

class Oracle {
 public:
  explicit Oracle(const TestLoop& loop) : x_loop(loop) {}

  /// Looks at what is new.
  void look();

 private:
  struct Task {
    std::string title;
    bool writes = false;
    bool enabled = true;
    bool completed = false;
    bool system = false;
    int64_t next_ms = 0;
    bool once = false;
  };
  struct Card {
    std::string task;
    std::string action;
    std::string status = "pending";
    int runs_allowed = 0;  ///< approvals and retries
    int runs = 0;
  };

  void see(const kit::ToldEvent& event);
  void see_task(const std::string& type, const Json& payload);
  void see_opened(const kit::ToldEvent& event);
  void see_entry(const std::string& id, const std::string& state);
  void see_end(const std::string& type, const Json& payload);
  void see_card(const std::string& type, const Json& payload);
  void see_request(const kit::Asked& asked);
  void see_full(const kit::Asked& asked);
  void see_seeded(const std::string& id, const Task& task) const;
  bool has_open_card(const std::string& task) const;
  bool has_full_work(const std::string& task) const;
  void advance(const Json& payload);

  const TestLoop& x_loop;
  size_t x_seen = 0;
  std::set<uint64_t> x_requests;
  std::map<std::string, Task> x_tasks;
  std::map<std::string, Card> x_cards;
  std::map<std::string, std::string> x_entries;
  std::map<std::string, std::string> x_decisions;  ///< of the open tick, by task
  std::map<std::string, std::string> x_full;       ///< task: key of full work that is not resolved
  std::set<std::string> x_over;                    ///< ticks that ended
  std::set<int64_t> x_windows;
  std::string x_open;
  bool x_approves_writes = false;  ///< the open tick asks before anything is done
  uint64_t x_generation = 0;
  int64_t x_opened_ms = 0;
  int64_t x_last_seen = 0;
  uint64_t x_failures = 0;
};

}  // namespace reprise::subconscious
