#include "tests/processes/channel/harness.h"

#include <algorithm>

#include "processes/channel/channel.h"

namespace reprise::channel {

TestChannel::TestChannel(const Json& inputs) : TestProcess(channel_process(), inputs) {}

std::optional<Refusal> TestChannel::say(const std::string& msg_id, const std::string& content,
                                        const Json& more) {
  Json message = {{"msgId", msg_id},
                  {"author", {{"id", "ann"}, {"name", "Ann"}}},
                  {"content", content},
                  {"flags", {{"dm", true}}}};
  message.merge_patch(more);
  return signal("channel.message", message);
}

void TestChannel::go_on() {
  if (recalled.is_null()) return;
  const auto asked = std::ranges::find_if(
      open(), [](const auto& entry) { return entry.second.key.starts_with("context:"); });
  if (asked != open().end()) resolve(asked->first, recalled);
}

}  // namespace reprise::channel
