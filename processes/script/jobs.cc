#include "processes/script/jobs.h"

#include <js/CallAndConstruct.h>
#include <js/Exception.h>
#include <js/GlobalObject.h>
#include <js/Realm.h>
#include <js/ValueArray.h>
#include <jsapi.h>

#include <algorithm>

namespace reprise::script {

Jobs::Jobs(JSContext* cx) : cx_(cx), unhandled_(cx) {
  lanes_.push_back(std::make_unique<Lane>(cx, kProcessLane));
  JS::SetJobQueue(cx, this);
  JS::SetPromiseRejectionTrackerCallback(cx, on_rejection, this);
}

Jobs::Lane* Jobs::find(uint64_t lane) const {
  for (const auto& candidate : lanes_) {
    if (candidate->id == lane) return candidate.get();
  }
  return nullptr;
}

bool Jobs::has_jobs(uint64_t lane) const {
  Lane* found = find(lane);
  return found && !found->idle();
}

bool Jobs::run(uint64_t id) {
  Lane* lane = find(id);
  if (!lane) return true;
  Enter enter(*this, id);
  JS::RootedObject job(cx_);
  JS::RootedValue ignored(cx_);
  while (!lane->idle()) {
    job = lane->jobs[lane->next++];
    if (lane->idle()) {
      lane->jobs.clear();
      lane->next = 0;
    }
    JSAutoRealm realm(cx_, job);
    if (JS::Call(cx_, JS::UndefinedHandleValue, job, JS::HandleValueArray::empty(), &ignored))
      continue;
    // Promise jobs turn exceptions into rejections; without one the script was terminated.
    if (!JS_IsExceptionPending(cx_)) return false;
    JS_ClearPendingException(cx_);
  }
  if (id != kProcessLane)
    std::erase_if(lanes_, [lane](const auto& other) { return other.get() == lane; });
  return true;
}

void Jobs::clear() {
  lanes_.resize(1);
  lanes_[0]->jobs.clear();
  lanes_[0]->next = 0;
  unhandled_.clear();
}

JSObject* Jobs::first_unhandled() const { return unhandled_.empty() ? nullptr : unhandled_[0]; }

void Jobs::forget(JSObject* promise) {
  for (size_t i = 0; i < unhandled_.length(); ++i) {
    if (unhandled_[i] == promise) {
      unhandled_.erase(unhandled_.begin() + i);
      return;
    }
  }
}

void Jobs::forget_reason(JSObject* reason) {
  JS::RootedObject promise(cx_);
  unhandled_.eraseIf([&promise, reason](JSObject* rejected) {
    promise = rejected;
    JS::Value result = JS::GetPromiseResult(promise);
    return result.isObject() && &result.toObject() == reason;
  });
}

void Jobs::on_rejection(JSContext*, bool, JS::HandleObject promise,
                        JS::PromiseRejectionHandlingState state, void* jobs) {
  auto& self = *static_cast<Jobs*>(jobs);
  if (state == JS::PromiseRejectionHandlingState::Handled) {
    self.forget(promise);
  } else if (!self.unhandled_.append(promise)) {
    std::abort();
  }
}

JSObject* Jobs::getIncumbentGlobal(JSContext* cx) { return JS::CurrentGlobalOrNull(cx); }

bool Jobs::enqueuePromiseJob(JSContext* cx, JS::HandleObject, JS::HandleObject job,
                             JS::HandleObject, JS::HandleObject) {
  Lane* lane = find(lane_);
  if (!lane) lane = lanes_.emplace_back(std::make_unique<Lane>(cx, lane_)).get();
  if (lane->jobs.append(job.get())) return true;
  JS_ReportOutOfMemory(cx);
  return false;
}

void Jobs::runJobs(JSContext*) {}  // only the debugger asks for it; Script drains

bool Jobs::empty() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->idle(); });
}

js::UniquePtr<JS::JobQueue::SavedJobQueue> Jobs::saveJobQueue(JSContext*) {
  return js::MakeUnique<SavedJobQueue>();
}

}  // namespace reprise::script
