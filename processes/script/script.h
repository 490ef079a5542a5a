// One running process: a realm, the module graph in it, and what it is waiting for.
#pragma once

#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>
#include <js/ValueArray.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/process/script_module.h"
#include "processes/script/builders.h"
#include "processes/script/effects.h"
#include "processes/script/engine.h"
#include "processes/script/modules.h"
#include "processes/script/random.h"
#include "processes/script/signals.h"

namespace reprise::script {

inline std::string_view view(reprise_bytes bytes) {
  return bytes.size ? std::string_view(bytes.data, bytes.size) : "";
}

/// Functions that the prelude left for C++.
enum class Prelude : uint8_t { kTaskContext, kWithOptions, kDefinitionOf, kCount };

class Script {
 public:
  /// The script of the realm that runs at the moment.
  static Script& of(JSContext* cx);

  Script(Engine& engine, const reprise_script_options& options);
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  /// Both give a REPRISE_SCRIPT_* status, and the error document if it is not REPRISE_SCRIPT_OK.
  int32_t load(int64_t at_ms, std::string& error);
  int32_t apply(const reprise_activation& activation, std::string& error);

  // What natives need.
  Engine& engine() { return engine_; }
  Effects& effects() { return effects_; }
  Builders& builders() { return builders_; }
  Signals& signals() { return signals_; }
  Modules& modules() { return modules_; }
  const std::string& run_id() const { return run_id_; }
  /// Of the run: see engine/process/rules.h.
  uint32_t rules() const { return rules_; }
  /// Of the builder that runs at the moment, else the run's.
  RandomStream& random();
  /// The process has decided how it ends: whatever it asks for now is ignored.
  bool ended() const;
  std::string invocation_key(const CommandText& call) const;
  bool call_prelude(JSContext* cx, Prelude function, const JS::HandleValueArray& arguments,
                    JS::MutableHandleValue result);
  void add_command(CommandText&& command);
  void add_cleanup(JSObject* function);
  /// Records the end; the caller then terminates the script.
  void halt(std::string reason, std::string payload);

 private:
  // A run:cancel that the process was given, and the one error that it rejected everything with.
  struct Cancellation {
    JS::Heap<JSObject*> error;
    std::string reason;
  };
  // An effect that is open no longer.
  struct Ended {
    explicit Ended(JSContext* cx) : promise(cx) {}
    JS::RootedObject promise;  // null when nobody waits for it any more
    bool sleep = false;
    bool timer = false;  // of a wait for a signal
    Signals::TimedOut wait;
  };

  bool furnish(JSContext* cx);
  bool load_entry(JSContext* cx, std::string& error);
  bool find_process(JSContext* cx, JS::HandleObject exports, std::string& error);

  bool drain(JSContext* cx);

  // activations.cc
  bool give(JSContext* cx, const reprise_activation& activation);
  bool start(JSContext* cx, std::string_view inputs);
  bool deliver_result(JSContext* cx, const reprise_activation& activation);
  bool deliver_error(JSContext* cx, const reprise_activation& activation);
  bool deliver_signal(JSContext* cx, const reprise_activation& activation);
  bool cancel_run(JSContext* cx, std::string_view details);
  bool take_effect(JSContext* cx, uint64_t effect, Ended& ended);

  // outcome.cc
  void conclude(JSContext* cx);
  void complete(JSContext* cx, JS::HandleValue output);
  void fail(JSContext* cx, JS::HandleValue reason);
  void fail_with(std::string error_json);
  void end_cancelled(const std::string& reason);
  const Cancellation* cancellation_of(JS::HandleValue reason) const;
  void end_with(CommandText&& command);
  void run_cleanups(JSContext* cx);

  static void trace(JSTracer* tracer, void* script);

  Engine& engine_;
  std::string run_id_, run_dir_, process_id_, export_name_, entry_;
  uint64_t heap_bytes_;
  uint32_t rules_;
  Modules modules_;
  Effects effects_;
  Builders builders_;
  RandomStream random_;
  std::optional<CommandText> halt_;
  bool over_ = false;  // an end was given out
  Signals signals_;
  std::vector<Cancellation> cancellations_;
  std::vector<JS::Heap<JSObject*>> cleanups_;
  JS::Heap<JSObject*> global_;
  JS::Heap<JSObject*> ctx_;
  JS::Heap<JSObject*> process_function_;
  JS::Heap<JSObject*> process_promise_;
  JS::Heap<JSObject*> prelude_[static_cast<size_t>(Prelude::kCount)];
};

}  // namespace reprise::script
