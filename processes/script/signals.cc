#include "processes/script/signals.h"

#include <algorithm>

#include "engine/process/script_module.h"
#include "processes/script/values.h"

namespace reprise::script {

bool Signals::take_early(const std::string& name, std::string& json) {
  auto early = early_.find(name);
  if (early == early_.end()) return false;
  json = std::move(early->second.front());
  early->second.pop_front();
  if (early->second.empty()) early_.erase(early);
  return true;
}

void Signals::await(const std::string& name, JSObject* promise, uint64_t timer,
                    int64_t timeout_ms) {
  awaited_[name].push_back({JS::Heap<JSObject*>(promise), timer});
  if (timer != 0) timers_[timer] = {name, timeout_ms};
}

JSObject* Signals::deliver(const std::string& name, std::string json, uint64_t& timer) {
  timer = 0;
  auto awaited = awaited_.find(name);
  if (awaited == awaited_.end()) {
    early_[name].push_back(std::move(json));
    return nullptr;
  }
  JSObject* promise = awaited->second.front().promise;
  timer = awaited->second.front().timer;
  timers_.erase(timer);
  awaited->second.pop_front();
  if (awaited->second.empty()) awaited_.erase(awaited);
  return promise;
}

bool Signals::time_out(uint64_t timer, TimedOut& out) {
  auto known = timers_.find(timer);
  if (known == timers_.end()) return false;
  out = {nullptr, std::move(known->second.name), known->second.timeout_ms};
  timers_.erase(known);
  auto awaited = awaited_.find(out.name);
  if (awaited == awaited_.end()) return true;
  auto& waits = awaited->second;
  auto wait = std::find_if(waits.begin(), waits.end(),
                           [timer](const Wait& candidate) { return candidate.timer == timer; });
  if (wait == waits.end()) return true;
  out.promise = wait->promise;
  waits.erase(wait);
  if (waits.empty()) awaited_.erase(awaited);
  return true;
}

std::string Signals::awaited_json() const {
  std::string json = "[";
  size_t count = 0;
  for (const auto& [name, waits] : awaited_) {
    if (++count > REPRISE_AWAITED_MOST) break;
    if (count > 1) json += ',';
    append_json_string(json, name);
  }
  return json + "]";
}

bool Signals::take_all(JS::MutableHandleObjectVector promises) {
  for (const auto& [name, waits] : awaited_) {
    for (const Wait& wait : waits) {
      if (!promises.append(wait.promise.get())) return false;
    }
  }
  awaited_.clear();
  timers_.clear();
  return true;
}

void Signals::trace(JSTracer* tracer) {
  for (auto& [name, waits] : awaited_) {
    for (Wait& wait : waits) JS::TraceEdge(tracer, &wait.promise, "signal");
  }
}

}  // namespace reprise::script
