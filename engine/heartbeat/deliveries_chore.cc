#include "engine/heartbeat/deliveries_chore.h"

#include <algorithm>

#include "engine/hooks/deliver.h"
#include "journal/error.h"

namespace reprise {

namespace {

/// Left to the command that recorded the event, which is about to deliver it.
constexpr int64_t kGraceMs = 30'000;
constexpr uint64_t kMostNew = 100;
/// So many more known events are worth a new file.
constexpr size_t kWorthMarking = 100;

class DeliveriesChore final : public Chore {
 public:
  explicit DeliveriesChore(std::function<void()> require_trust)
      : x_require_trust(std::move(require_trust)) {}

  std::string_view name() const override { return "deliveries"; }

  std::vector<Due> due(BeatHome& home) override {
    std::vector<Due> due;
    const auto hooks = configured_hooks(home.config);
    for (const auto& name : logged_hooks(home.workspace.home_path())) {
      const auto is_it = [&](const Hook& hook) { return hook.name == name; };
      if (std::ranges::any_of(hooks, is_it)) continue;
      due.push_back({.key = "end:" + name, .what = "forget the hook " + name, .run = {}});
    }
    for (const auto& hook : hooks) look(home, hook, due);
    return due;
  }

  void perform(BeatHome& home, const Due& due) override {
    const auto colon = due.key.find(':');
    const auto verb = due.key.substr(0, colon);
    const auto rest = due.key.substr(colon + 1);
    const auto name = rest.substr(0, rest.find(':'));
    DeliveryLog log(home.workspace.home_path(), name);
    if (verb == "end") return log.end();
    if (verb == "begin") return log.begin(home.now_ms);
    const auto hooks = configured_hooks(home.config);
    const auto hook = std::ranges::find(hooks, name, &Hook::name);
    if (hook == hooks.end() || !log.read()) return;
    if (verb == "mark") {
      const auto found = find_undelivered(home.index, *hook, log, home.now_ms - kGraceMs, 1);
      return log.advance(found.epoch, found.place, found.known);
    }
    x_require_trust();
    send(home, *hook, log, rest.substr(name.size() + 1));
  }

 private:
  static void look(BeatHome& home, const Hook& hook, std::vector<Due>& due) {
    DeliveryLog log(home.workspace.home_path(), hook.name);
    if (!log.read()) {
      due.push_back(
          {.key = "begin:" + hook.name, .what = "begin the hook " + hook.name, .run = {}});
      return;
    }
    const auto add = [&](const EventId& id) {
      due.push_back({.key = "send:" + hook.name + ":" + id.text(),
                     .what = "tell " + hook.name + " of " + id.text(),
                     .run = {}});
    };
    for (const auto& [id, outcome] : log.undelivered()) {
      if (!outcome.parked && outcome.next_ms <= home.now_ms) add(id);
    }
    const auto found = find_undelivered(home.index, hook, log, home.now_ms - kGraceMs, kMostNew);
    for (const auto& event : found.events) add({event.run, event.seq});
    if (found.known.size() >= kWorthMarking) {
      due.push_back(
          {.key = "mark:" + hook.name, .what = "tidy the log of " + hook.name, .run = {}});
    }
  }

  static void send(BeatHome& home, const Hook& hook, DeliveryLog& log, const std::string& event) {
    const auto slash = event.rfind('/');
    const EventId id{event.substr(0, slash), std::stoull(event.substr(slash + 1))};
    const auto failed = log.undelivered().find(id);
    const bool again = failed != log.undelivered().end();
    const bool is_due =
        again ? !failed->second.parked && failed->second.next_ms <= home.now_ms : !log.knows(id);
    if (!is_due) return;
    const auto row = find_event(home.index, id);
    if (!row) {  // its run was deleted
      if (again) log.add_delivered(id);
      return;
    }
    deliver(hook, log, home.workspace.runs(), *row, again ? failed->second : Undelivered{},
            hook.timeout_ms, home.now_ms);
  }

  std::function<void()> x_require_trust;
};

}  // namespace

std::unique_ptr<Chore> make_deliveries_chore(std::function<void()> require_trust) {
  return std::make_unique<DeliveriesChore>(std::move(require_trust));
}

}  // namespace reprise
