// Task builders: the author's function that makes a definition out of arguments. It runs when the
// task is called, at every replay, on a random stream of its own; an async one goes on in a lane of
// its own until everything is idle. Nothing of it can be seen by the process but the call's own
// promise, should the builder fail.
#pragma once

#include <js/RootingAPI.h>
#include <js/TracingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "processes/script/random.h"

namespace reprise::script {

class Script;

class Builders {
 public:
  Builders(Script& script, const uint64_t (&seed)[2]) : script_(script), seed_{seed[0], seed[1]} {}

  struct Call {
    JS::HandleObject task;
    JS::HandleValue build;
    JS::HandleValue args;
    JS::HandleObject options;  ///< null when none were given
    const std::optional<std::string>& label;
    size_t command;
  };
  /// Builds the definition of a request. False when the script was terminated; a builder that fails
  /// rejects the promise.
  bool build(JSContext* cx, const Call& call);

  bool any() const { return !waiting_.empty(); }
  /// Gives every unfinished builder one turn, in call order. False when the script was terminated.
  bool take_turns(JSContext* cx);
  /// Everything is idle: builders that are still not finished never will be.
  bool give_up(JSContext* cx);
  void clear() { waiting_.clear(); }

  /// The stream of the builder that runs at the moment; null outside of builders.
  RandomStream* stream();

  void trace(JSTracer* tracer);

 private:
  struct Stream {
    std::string name;
    std::optional<RandomStream> numbers;
  };
  // A builder that has not finished, or has finished and left jobs (then without a promise).
  struct Waiting {
    uint64_t lane;
    size_t command;
    JS::Heap<JSObject*> promise;
    JS::Heap<JSObject*> options;
    Stream stream;
  };

  bool call_builder(JSContext* cx, const Call& call, uint64_t effect, JS::MutableHandleValue built);
  bool finish(JSContext* cx, size_t command, JS::HandleValue built, JS::HandleObject options);
  bool describe_command(JSContext* cx, size_t command, JS::HandleObject built);
  bool fail(JSContext* cx, size_t command);
  bool settle(JSContext* cx, Waiting& builder);
  std::string stream_name(const std::string& task, const std::string& key);

  Script& script_;
  uint64_t seed_[2];
  std::unordered_map<std::string, uint64_t> calls_;  // of each (task, key)
  std::vector<Waiting> waiting_;
  Stream* running_ = nullptr;
};

}  // namespace reprise::script
