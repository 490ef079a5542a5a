// One run of the family that a drive looks after: what is in hand for it, and when it is due.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/drive/drive.h"
#include "engine/host.h"

namespace reprise {

/// A result that is not recorded yet.
struct Pending {
  DriveWork work;
  Post post;
};

struct Member {
  std::string name;
  std::unique_ptr<Dir> dir;
  RunState kept;                             ///< as it was left; while it is loaded see `live`
  const RunState* live = nullptr;            ///< while it is loaded
  bool due = true;                           ///< something is new
  bool starved = false;                      ///< what could start waits until other work ends
  bool unsettled = false;                    ///< its relatives are to be looked after
  bool settled = false;                      ///< they were, once
  int64_t wake_at_ms = 0;                    ///< something happens by itself then; 0: nothing will
  int64_t renew_at_ms = 0;                   ///< own claims are renewed then; 0: there are none
  std::vector<Pending> results;              ///< to be posted
  std::map<uint64_t, std::string> releases;  ///< claims to be given back: effect, token
  std::map<uint64_t, std::string> working;   ///< claims of what runs: effect, token
  std::map<uint64_t, std::string> progress;  ///< the last report of what runs, not recorded yet
  int64_t progress_at_ms = 0;                ///< not recorded before; see Drive
  std::set<uint64_t> unmatched;              ///< effects that no executor performs
  std::set<std::string> awaited;             ///< claims of others whose waiting for was told
  std::set<uint64_t> children;               ///< effects whose child runs are looked after
  int failures = 0;                          ///< in a row
  int64_t retry_at_ms = 0;                   ///< not before, after a failure; see Drive

  const RunState& state() const { return live != nullptr ? *live : kept; }
  /// Is there something to do, at this count of pauses and this time?
  bool is_due(int64_t paused_ms, int64_t now_ms) const;
  /// Is there something to do at all?
  bool has_work() const { return due || !results.empty() || !releases.empty(); }
  /// After its last failure; they double.
  int64_t pause_ms() const;
  /// Nothing is done for it any more. Claims need no release: those of a process that is gone are
  /// free.
  void rest();
};

/// Nothing more comes of the run by itself.
bool is_at_rest(const RunState& state);
/// Is there something that its relatives are to be told, or made?
bool owes_relatives(const Member& member);
/// Sets wake_at_ms and renew_at_ms from the state after a step at `at_ms`.
void set_times(Member& member, int64_t at_ms);
/// Did somebody write to the run since?
bool has_news(const Member& member);
/// Has a claimer died that holds one of its effects? Or does one live?
bool claimer_died(const Member& member, int64_t now_ms, Host& host);
bool others_work(const Member& member, const DriveRequest& request, int64_t now_ms, Host& host);
/// Says once of each such work that it is waited for, and who has it.
void tell_of_others(Member& member, const DriveRequest& request, int64_t now_ms, Host& host,
                    DriveListener& listener);
/// What the run waits for; its children say themselves what they wait for.
std::vector<DriveWait> waits_of(const Member& member, int64_t now_ms);
std::vector<DriveWait> waits_of(const std::vector<std::unique_ptr<Member>>& members,
                                int64_t now_ms);

}  // namespace reprise
