// Promise jobs and unhandled rejections.
//
// Jobs wait in lanes, each first in, first out: lane 0 is the process, and each task builder has a
// lane of its own (its effect's number), so that what a builder awaits cannot be told from the
// outside. A job goes to the lane in which it was caused.
#pragma once

#include <js/GCVector.h>
#include <js/Promise.h>
#include <js/RootingAPI.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace reprise::script {

inline constexpr uint64_t kProcessLane = 0;

class Jobs final : public JS::JobQueue {
 public:
  explicit Jobs(JSContext* cx);

  /// Sets the lane for as long as it lives.
  class Enter {
   public:
    Enter(Jobs& jobs, uint64_t lane) : jobs_(jobs), before_(jobs.lane_) { jobs.lane_ = lane; }
    ~Enter() { jobs_.lane_ = before_; }
    Enter(const Enter&) = delete;
    Enter& operator=(const Enter&) = delete;

   private:
    Jobs& jobs_;
    uint64_t before_;
  };

  uint64_t lane() const { return lane_; }
  bool has_jobs(uint64_t lane) const;

  /// Runs a lane until it has no jobs. False when a job was terminated (budget, halt): nothing may
  /// run after that.
  bool run(uint64_t lane);
  /// Drops all jobs and rejections.
  void clear();

  /// The first promise that was rejected and that nobody handles, or null. To be asked when no jobs
  /// are left.
  JSObject* first_unhandled() const;
  /// Takes a promise off that list: its rejection is dealt with by the caller.
  void forget(JSObject* promise);
  /// Takes all promises off that list that were rejected with this object.
  void forget_reason(JSObject* reason);

  // JS::JobQueue, called by the engine.
  JSObject* getIncumbentGlobal(JSContext* cx) override;
  bool enqueuePromiseJob(JSContext* cx, JS::HandleObject promise, JS::HandleObject job,
                         JS::HandleObject allocation_site,
                         JS::HandleObject incumbent_global) override;
  void runJobs(JSContext* cx) override;
  bool empty() const override;

 private:
  using Objects = JS::PersistentRooted<JS::GCVector<JSObject*, 0, js::SystemAllocPolicy>>;

  struct Lane {
    Lane(JSContext* cx, uint64_t number) : id(number), jobs(cx) {}
    uint64_t id;
    Objects jobs;
    size_t next = 0;
    bool idle() const { return next == jobs.length(); }
  };

  js::UniquePtr<SavedJobQueue> saveJobQueue(JSContext* cx) override;
  static void on_rejection(JSContext* cx, bool muted_errors, JS::HandleObject promise,
                           JS::PromiseRejectionHandlingState state, void* jobs);
  Lane* find(uint64_t lane) const;

  JSContext* cx_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // the process's first
  uint64_t lane_ = kProcessLane;
  Objects unhandled_;
};

}  // namespace reprise::script
