// The effects of one script: their numbers, the promises that wait for them, and the commands of an
// activation.
#pragma once

#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TracingAPI.h>
#include <js/TypeDecls.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/process/script_module.h"
#include "processes/script/hash.h"

namespace reprise::script {

/// A command that owns its texts; fields as in reprise_command.
struct CommandText {
  int32_t kind = REPRISE_REQUEST;
  uint64_t effect = 0;
  int64_t due_ms = 0;
  std::string task;
  std::string effect_kind;
  std::string label;
  std::string key;
  std::string args;
  std::string definition;
  std::string name;
  std::string json;
  std::string options;
  bool cancelled = false;
  bool dropped = false;  ///< its builder failed

  size_t bytes() const { return args.size() + definition.size() + json.size() + sizeof *this; }
};

class Effects {
 public:
  /// A new activation: commands start anew. `next_effect` is the lowest number that a call may
  /// take, 0 for no demand.
  void begin(uint64_t next_effect);

  uint64_t highest() const { return highest_; }
  /// Whether anything outside could still settle a promise.
  bool any_open() const { return !open_.empty(); }
  std::vector<CommandText>& commands() { return commands_; }

  /// The promise of the same call made before with this key: null when there is none. False with a
  /// pending TypeError when it was another task or had other arguments.
  bool find_same(JSContext* cx, const CommandText& call, JS::MutableHandleObject promise);
  /// Numbers the call, remembers its promise and appends the command. Gives its place among the
  /// commands.
  size_t request(CommandText&& call, JS::HandleObject promise);
  /// Gives up a request whose builder failed, and the promise that waits for it. The number stays
  /// used.
  JSObject* drop(size_t command);

  /// Takes the promise of an effect that has its result; null when it is not open.
  JSObject* take(uint64_t effect, bool* sleep);
  /// Nobody waits for the effect any longer.
  void withdraw(uint64_t effect);
  bool is_withdrawn(uint64_t effect) const { return withdrawn_.contains(effect); }
  /// Takes the promises of all open effects, in the order of their numbers, and appends them.
  bool take_all(JS::MutableHandleObjectVector promises);

  /// The activation failed: only its logs stay, and its numbers are free again.
  void forget_activation();

  void trace(JSTracer* tracer);

 private:
  struct Open {
    JS::Heap<JSObject*> promise;
    bool sleep = false;
  };
  struct Keyed {
    std::string task;
    Digest args;
    JS::Heap<JSObject*> promise;
  };

  uint64_t highest_ = 0;
  uint64_t highest_before_ = 0;
  uint64_t next_effect_ = 0;
  std::vector<CommandText> commands_;
  std::unordered_map<uint64_t, Open> open_;
  std::unordered_set<uint64_t> withdrawn_;
  std::unordered_map<std::string, Keyed> keyed_;
};

}  // namespace reprise::script
