#include "processes/channel/answer.h"

#include "processes/channel/context.h"

namespace reprise::channel {

Json answer(const Channel& channel, const Json& question, int64_t) {
  const auto asked = text_of(question, "ask");
  if (asked == "channel") {
    return {{"identity", channel.identity.to_json()}, {"utilization", utilization(channel)}};
  }
  return {};
}

}  // namespace reprise::channel
