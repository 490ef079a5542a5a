#include "processes/channel/context.h"

#include <algorithm>

namespace reprise::channel {

double utilization(const Channel& channel) {
  size_t characters = 0;
  for (const auto& message : channel.transcript.messages) characters += message->characters;
  const auto tokens = std::max<size_t>(1, characters / 4);
  return std::min(
      1.0, static_cast<double>(tokens) / static_cast<double>(channel.settings.context_window));
}

}  // namespace reprise::channel
