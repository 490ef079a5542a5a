#include "processes/script/effects.h"

#include <algorithm>

#include "processes/script/errors.h"

namespace reprise::script {

void Effects::begin(uint64_t next_effect) {
  highest_before_ = highest_;
  next_effect_ = next_effect;
  commands_.clear();
}

bool Effects::find_same(JSContext* cx, const CommandText& call, JS::MutableHandleObject promise) {
  promise.set(nullptr);
  if (call.key.empty()) return true;
  auto known = keyed_.find(call.key);
  if (known == keyed_.end()) return true;
  if (known->second.task != call.task) {
    return throw_type_error(cx, "key \"" + call.key + "\" was used for task " + known->second.task +
                                    " before, and now for " + call.task +
                                    ": one key names one effect");
  }
  if (known->second.args != hash128(call.args)) {
    return throw_type_error(cx, "key \"" + call.key + "\" of task " + call.task +
                                    " was used with other arguments: one key names one effect");
  }
  promise.set(known->second.promise);
  return true;
}

size_t Effects::request(CommandText&& call, JS::HandleObject promise) {
  highest_ = std::max(highest_ + 1, next_effect_);
  call.effect = highest_;
  Open& open = open_[highest_];
  open.promise = promise;
  open.sleep = call.effect_kind == "sleep";
  if (!call.key.empty()) {
    Keyed& keyed = keyed_[call.key];
    keyed.task = call.task;
    keyed.args = hash128(call.args);
    keyed.promise = promise;
  }
  commands_.push_back(std::move(call));
  return commands_.size() - 1;
}

JSObject* Effects::drop(size_t command) {
  bool sleep = false;
  commands_[command].dropped = true;
  return take(commands_[command].effect, &sleep);
}

JSObject* Effects::take(uint64_t effect, bool* sleep) {
  auto found = open_.find(effect);
  if (found == open_.end()) return nullptr;
  JSObject* promise = found->second.promise;
  *sleep = found->second.sleep;
  open_.erase(found);
  return promise;
}

void Effects::withdraw(uint64_t effect) {
  open_.erase(effect);
  withdrawn_.insert(effect);
  CommandText withdrawal;
  withdrawal.kind = REPRISE_WITHDRAW;
  withdrawal.effect = effect;
  commands_.push_back(std::move(withdrawal));
}

bool Effects::take_all(JS::MutableHandleObjectVector promises) {
  std::vector<uint64_t> numbers;
  for (const auto& [number, open] : open_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  for (uint64_t number : numbers) {
    if (!promises.append(open_.at(number).promise.get())) return false;
  }
  open_.clear();
  return true;
}

void Effects::forget_activation() {
  std::erase_if(commands_, [](const CommandText& command) { return command.kind != REPRISE_LOG; });
  highest_ = highest_before_;
}

void Effects::trace(JSTracer* tracer) {
  for (auto& [number, open] : open_) JS::TraceEdge(tracer, &open.promise, "open effect");
  for (auto& [key, keyed] : keyed_) JS::TraceEdge(tracer, &keyed.promise, "keyed effect");
}

}  // namespace reprise::script
