#include "engine/heartbeat/deliveries_chore.h"

#include <algorithm>

#include "engine/hooks/deliver.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// Left to the command that recorded the event, which is about to deliver it.
constexpr int64_t kTellerGraceMs = 30'000;
constexpr uint64_t kMostNew = 100;
/// So many more known events are worth a new file.
constexpr size_t kWorthMarking = 100;

class DeliveriesChore final : public Chore {
 public:
  DeliveriesChore(std::function<void()> require_trust, int64_t most_ms)
      : x_require_trust(std::move(require_trust)), x_most_ms(most_ms) {}

  std::string_view name() const override { return "deliveries"; }
  bool is_slow() const override { return true; }

  std::vector<Due> due(BeatHome& home) override {
    std::vector<Due> due;
    const auto [hooks, faults] = sound_hooks(home.config);
    due.reserve(faults.size() + hooks.size());
    for (const auto& [name, fault] : faults) {
      due.push_back({.key = "wrong:" + name, .what = "refuse the hook " + name, .run = {}});
    }
    for (const auto& name : logged_hooks(home.workspace.home_path())) {
      const auto is_it = [&](const Hook& hook) { return hook.name == name; };
      if (faults.contains(name) || std::ranges::any_of(hooks, is_it)) continue;
      due.push_back({.key = "end:" + name, .what = "forget the hook " + name, .run = {}});
    }
    for (const auto& hook : hooks) look(home, hook, due);
    return due;
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto colon = due.key.find(':');
    const auto verb = due.key.substr(0, colon);
    const auto name = due.key.substr(colon + 1);
    DeliveryLog log(home.workspace.home_path(), name);
    if (verb == "end") return log.end();
    if (verb == "begin") return log.begin(home.now_ms);
    const auto [hooks, faults] = sound_hooks(home.config);
    if (verb == "wrong") throw Error(faults.at(name));
    const auto hook = std::ranges::find(hooks, name, &Hook::name);
    if (hook == hooks.end() || !log.read()) return;
    if (verb == "mark") {
      const auto found = find_undelivered(home.index, *hook, log, home.now_ms - kTellerGraceMs, 1);
      return log.advance(found.epoch, found.place, found.known);
    }
    x_require_trust();
    const Deadline deadline(x_most_ms);
    for (const auto& id : undelivered(home, *hook, log).ids) {
      const auto left_ms = deadline.left_ms();
      if (left_ms == 0) return;
      send(home, *hook, log, id, left_ms);
    }
  }

 private:
  struct ToSend {
    std::vector<EventId> ids;  ///< those that failed before come first
    bool worth_marking = false;
  };

  static ToSend undelivered(BeatHome& home, const Hook& hook, const DeliveryLog& log) {
    ToSend to_send;
    for (const auto& [id, outcome] : log.undelivered()) {
      if (!outcome.parked && outcome.next_ms <= home.now_ms) to_send.ids.push_back(id);
    }
    const auto found =
        find_undelivered(home.index, hook, log, home.now_ms - kTellerGraceMs, kMostNew);
    for (const auto& event : found.events) to_send.ids.push_back(id_of_event(event));
    to_send.worth_marking = found.known.size() >= kWorthMarking;
    return to_send;
  }

  static void look(BeatHome& home, const Hook& hook, std::vector<Due>& due) {
    const auto add = [&](const char* verb, const std::string& what) {
      due.push_back({.key = verb + (":" + hook.name), .what = what, .run = {}});
    };
    DeliveryLog log(home.workspace.home_path(), hook.name);
    if (!log.read()) return add("begin", "begin the hook " + hook.name);
    const auto to_send = undelivered(home, hook, log);
    if (!to_send.ids.empty()) {
      const auto more = to_send.ids.size() - 1;
      add("send", "tell " + hook.name + " of " + to_send.ids.front().text() +
                      (more == 0 ? "" : " and of " + std::to_string(more) + " more"));
    }
    if (to_send.worth_marking) add("mark", "tidy the log of " + hook.name);
  }

  static void send(BeatHome& home, const Hook& hook, DeliveryLog& log, const EventId& id,
                   int64_t most_ms) {
    const auto failed = log.undelivered().find(id);
    const bool again = failed != log.undelivered().end();
    const auto row = find_event(home.index, id);
    if (!row) {  // its run was deleted
      if (again) log.add_delivered(id);
      return;
    }
    deliver(hook, log, home.workspace.runs(), *row, again ? failed->second : Undelivered{}, most_ms,
            home.now_ms);
  }

  std::function<void()> x_require_trust;
  int64_t x_most_ms;
};

}  // namespace

std::unique_ptr<Chore> make_deliveries_chore(std::function<void()> require_trust, int64_t most_ms) {
  return std::make_unique<DeliveriesChore>(std::move(require_trust), most_ms);
}

}  // namespace reprise
