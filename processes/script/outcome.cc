// How an activation ends: with requests only, or with the process's end. The first end in a drain
// counts.
#include <js/CallAndConstruct.h>
#include <js/Exception.h>
#include <js/Promise.h>
#include <jsapi.h>

#include "processes/script/errors.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

constexpr std::string_view kStalled =
    "the process neither ended nor waits for anything: it awaits a promise that no task, "
    "breakpoint, hook, child run, sleep or signal will settle";

// `return { halt: true, reason | phase }` is how processes halted before there was ctx.halt.
bool is_legacy_halt(JSContext* cx, JS::HandleValue output, std::string& reason) {
  if (!output.isObject()) return false;
  JS::RootedObject object(cx, &output.toObject());
  if (JS::RootedValue halt(cx, own_data(cx, object, "halt")); !halt.isTrue()) return false;
  for (const char* name : {"reason", "phase"}) {
    JS::RootedValue value(cx, own_data(cx, object, name));
    if (!value.isString()) continue;
    reason = to_utf8(cx, value.toString());
    break;
  }
  return true;
}

}  // namespace

void Script::conclude(JSContext* cx) {
  std::erase_if(effects_.commands(), [](const CommandText& command) { return command.dropped; });
  if (halt_) {
    end_with(CommandText(*halt_));
  } else {
    JS::RootedObject process(cx, process_promise_);
    JS::PromiseState state = process ? JS::GetPromiseState(process) : JS::PromiseState::Pending;
    // What a run:cancel rejected and nobody awaited is nobody's failure.
    for (const Cancellation& cancelled : cancellations_)
      engine_.jobs().forget_reason(cancelled.error);
    JS::RootedObject unhandled(cx, engine_.jobs().first_unhandled());
    if (state == JS::PromiseState::Rejected) unhandled = process;
    JS::RootedValue value(cx);
    if (unhandled) {
      value = JS::GetPromiseResult(unhandled);
      if (const Cancellation* cancelled = cancellation_of(value)) {
        end_cancelled(cancelled->reason);
      } else {
        fail(cx, value);
      }
    } else if (state == JS::PromiseState::Fulfilled) {
      value = JS::GetPromiseResult(process);
      complete(cx, value);
    } else if (process && !effects_.any_open() && !signals_.any_awaited()) {
      if (cancellations_.empty()) {
        fail_with(ScriptError{"ProcessStalled", std::string(kStalled), "", "", 0, 0}.json());
      } else {
        end_cancelled(cancellations_.back().reason);
      }
    }
  }
  if (over_) run_cleanups(cx);
  engine_.jobs().clear();
  builders_.clear();
}

void Script::complete(JSContext* cx, JS::HandleValue output) {
  CommandText end;
  end.kind = REPRISE_COMPLETE;
  if (!append_json(cx, output, "the output", KeyOrder::kAsWritten, end.json)) {
    JS::RootedValue reason(cx, take_exception(cx));
    return fail(cx, reason);
  }
  if (is_legacy_halt(cx, output, end.name)) end.kind = REPRISE_HALT;
  end_with(std::move(end));
}

void Script::fail(JSContext* cx, JS::HandleValue reason) { fail_with(error_json(cx, reason)); }

void Script::fail_with(std::string error_json) {
  effects_.forget_activation();
  CommandText end;
  end.kind = REPRISE_FAIL;
  end.json = std::move(error_json);
  end_with(std::move(end));
}

const Script::Cancellation* Script::cancellation_of(JS::HandleValue reason) const {
  for (const Cancellation& cancelled : cancellations_) {
    if (reason.isObject() && &reason.toObject() == cancelled.error) return &cancelled;
  }
  return nullptr;
}

// Like any halt it keeps what the process asked for in this activation.
void Script::end_cancelled(const std::string& reason) {
  CommandText end;
  end.kind = REPRISE_HALT;
  end.name = reason;
  end.cancelled = true;
  end_with(std::move(end));
}

void Script::end_with(CommandText&& command) {
  over_ = true;
  effects_.commands().push_back(std::move(command));
}

// Last added, first run. What they throw is logged; what they ask for is ignored, like everything
// after the end.
void Script::run_cleanups(JSContext* cx) {
  JS::RootedValue ignored(cx);
  JS::RootedValue function(cx);
  engine_.jobs().clear();
  builders_.clear();
  while (!cleanups_.empty()) {
    function.setObject(*cleanups_.back());
    cleanups_.pop_back();
    bool called =
        JS::Call(cx, JS::UndefinedHandleValue, function, JS::HandleValueArray::empty(), &ignored);
    std::string problem;
    if (!called && JS_IsExceptionPending(cx)) problem = pending_error_json(cx);
    if (!drain(cx) && engine_.limits().exceeded()) return;
    if (JSObject* promise = engine_.jobs().first_unhandled()) {
      JS::RootedObject rejected(cx, promise);
      JS::RootedValue reason(cx, JS::GetPromiseResult(rejected));
      problem = error_json(cx, reason);
    }
    engine_.jobs().clear();
    if (problem.empty()) continue;
    CommandText log;
    log.kind = REPRISE_LOG;
    log.name = "cleanup";
    append_json_string(log.json, problem);
    effects_.commands().insert(effects_.commands().end() - 1, std::move(log));
  }
}

}  // namespace reprise::script
