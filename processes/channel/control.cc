#include "processes/channel/control.h"

#include <array>

#include "processes/channel/reply.h"

namespace reprise::channel {

namespace {

std::optional<Refusal> check_nothing(const Channel&, const Json&, int64_t) { return std::nullopt; }

void hold(Scribe& scribe, const Json& value, uint64_t) {
  if (!scribe.state().identity.held) scribe.emit("channel.held", {{"by", text_of(value, "by")}});
}

void release(Scribe& scribe, const Json& value, uint64_t) {
  if (scribe.state().identity.held) {
    scribe.emit("channel.released", {{"by", text_of(value, "by")}});
  }
}

void stop(Scribe& scribe, const Json& value, uint64_t) {
  stop_reply(scribe, "stopped", text_of(value, "reason", "stopped"));
}

}  // namespace

std::span<const SignalSpec> control_signals() {
  static constexpr std::array kSignals = {
      SignalSpec{"channel.stop", check_nothing, stop},
      SignalSpec{"channel.hold", check_nothing, hold},
      SignalSpec{"channel.release", check_nothing, release},
  };
  return kSignals;
}

}  // namespace reprise::channel
