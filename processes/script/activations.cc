// What the process is given: each activation settles promises; draining comes after.
#include <js/CallAndConstruct.h>
#include <js/GCVector.h>
#include <js/Promise.h>
#include <jsapi.h>

#include "processes/script/effect_errors.h"
#include "processes/script/errors.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

bool Script::give(JSContext* cx, const reprise_activation& activation) {
  switch (activation.kind) {
    case REPRISE_START:
      return start(cx, view(activation.value));
    case REPRISE_RESOLVED:
      return activation.ok ? deliver_result(cx, activation) : deliver_error(cx, activation);
    case REPRISE_CANCELLED:
      return deliver_error(cx, activation);
    case REPRISE_SIGNAL:
      return deliver_signal(cx, activation);
    case REPRISE_CANCEL_RUN:
      return cancel_run(cx, view(activation.value));
    default:
      return throw_type_error(cx, "unknown kind of activation");
  }
}

bool Script::start(JSContext* cx, std::string_view inputs) {
  if (process_promise_) return throw_type_error(cx, "the process was started before");
  JS::RootedValueArray<2> arguments(cx);
  if (!parse_json(cx, inputs.empty() ? "null" : inputs, arguments[0])) return false;
  arguments[1].setObject(*ctx_);
  JS::RootedValue function(cx, JS::ObjectValue(*process_function_));
  JS::RootedValue result(cx);
  JS::RootedObject promise(cx);
  if (JS::Call(cx, JS::UndefinedHandleValue, function, arguments, &result)) {
    promise = JS::CallOriginalPromiseResolve(cx, result);
  } else if (JS_IsExceptionPending(cx)) {
    result = take_exception(cx);
    promise = JS::CallOriginalPromiseReject(cx, result);
  }
  process_promise_ = promise;
  return promise;
}

// A timer whose signal was recorded first may end before that is known: then there is no promise.
bool Script::take_effect(JSContext* cx, uint64_t effect, Ended& ended) {
  ended.promise = effects_.take(effect, &ended.sleep);
  if (!ended.promise && effects_.is_withdrawn(effect)) return true;
  if (!ended.promise) return throw_type_error(cx, "t" + std::to_string(effect) + " is not open");
  ended.timer = signals_.time_out(effect, ended.wait);
  if (ended.timer) ended.promise = ended.wait.promise;
  return true;
}

bool Script::deliver_result(JSContext* cx, const reprise_activation& activation) {
  Ended ended(cx);
  if (!take_effect(cx, activation.effect, ended)) return false;
  if (!ended.promise) return true;
  JS::RootedValue value(cx);
  if (ended.timer) {
    return signal_timeout_error(cx, ended.wait.name, ended.wait.timeout_ms, &value) &&
           JS::RejectPromise(cx, ended.promise, value);
  }
  if (!ended.sleep && activation.value.size && !parse_json(cx, view(activation.value), &value))
    return false;
  return JS::ResolvePromise(cx, ended.promise, value);
}

bool Script::deliver_error(JSContext* cx, const reprise_activation& activation) {
  Ended ended(cx);
  if (!take_effect(cx, activation.effect, ended)) return false;
  if (!ended.promise) return true;
  JS::RootedValue value(cx);
  auto* error = activation.kind == REPRISE_CANCELLED ? cancel_error : posted_error;
  return error(cx, activation.effect, view(activation.error), &value) &&
         JS::RejectPromise(cx, ended.promise, value);
}

bool Script::deliver_signal(JSContext* cx, const reprise_activation& activation) {
  std::string json(activation.value.size ? view(activation.value) : "null");
  uint64_t timer = 0;
  JS::RootedObject promise(cx, signals_.deliver(std::string(view(activation.name)), json, timer));
  if (!promise) return true;
  if (timer != 0) effects_.withdraw(timer);
  JS::RootedValue value(cx);
  return parse_json(cx, json, &value) && JS::ResolvePromise(cx, promise, value);
}

// One error for all: whoever lets it pass is known by it. Effects first, in the order of their
// numbers, then signals.
bool Script::cancel_run(JSContext* cx, std::string_view details) {
  std::string reason;
  JS::RootedValue error(cx);
  JS::RootedObjectVector promises(cx);
  if (!run_cancelled_error(cx, details, reason, &error) || !effects_.take_all(&promises) ||
      !signals_.take_all(&promises)) {
    return false;
  }
  cancellations_.push_back({JS::Heap<JSObject*>(&error.toObject()), std::move(reason)});
  for (size_t i = 0; i < promises.length(); ++i) {
    JS::RootedObject promise(cx, promises[i]);
    if (JS::GetPromiseState(promise) == JS::PromiseState::Pending &&
        !JS::RejectPromise(cx, promise, error))
      return false;
  }
  return true;
}

}  // namespace reprise::script
