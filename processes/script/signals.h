// The signals of one script: who awaits which, and those that came before they were awaited.
#pragma once

#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TracingAPI.h>
#include <js/TypeDecls.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>

namespace reprise::script {

class Signals {
 public:
  /// Takes the value, JSON, of the oldest signal of that name that nobody awaited.
  bool take_early(const std::string& name, std::string& json);
  /// A promise for the next signal of that name. `timer` is the effect that ends the wait after
  /// timeout_ms, 0 for none.
  void await(const std::string& name, JSObject* promise, uint64_t timer, int64_t timeout_ms);
  /// The promise that a signal settles: that of the oldest wait, which is over, and its timer with
  /// it (0 for none). Null when nobody waits: then the signal is kept.
  JSObject* deliver(const std::string& name, std::string json, uint64_t& timer);

  /// A wait that a timer ended.
  struct TimedOut {
    JSObject* promise = nullptr;
    std::string name;
    int64_t timeout_ms = 0;
  };
  /// Takes the wait that this effect ends. False when it is no timer of a signal.
  bool time_out(uint64_t timer, TimedOut& out);

  /// As reprise_script_table's.
  std::string awaited_json() const;
  bool any_awaited() const { return !awaited_.empty(); }
  /// Ends all waits and appends their promises; signals that came early stay.
  bool take_all(JS::MutableHandleObjectVector promises);

  void trace(JSTracer* tracer);

 private:
  struct Wait {
    JS::Heap<JSObject*> promise;
    uint64_t timer;
  };
  struct Timer {
    std::string name;
    int64_t timeout_ms;
  };

  std::map<std::string, std::deque<Wait>> awaited_;
  std::map<std::string, std::deque<std::string>> early_;
  std::unordered_map<uint64_t, Timer> timers_;
};

}  // namespace reprise::script
