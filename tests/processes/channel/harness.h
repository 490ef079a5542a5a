// A channel without an engine (tests/processes/kit/test_process.h).
#pragma once

#include <optional>
#include <string>

#include "processes/channel/json.h"
#include "tests/processes/kit/test_process.h"

namespace reprise::channel {

using kit::Asked;
using kit::ToldEvent;

class TestChannel : public kit::TestProcess {
 public:
  explicit TestChannel(const Json& inputs = Json::object());

  /// What a run's recall (key "context:...") is answered with at once, as the engine does; null:
  /// the test answers.
  Json recalled = Json{{"memories", Json::array()}, {"bulletin", nullptr}};

  /// A message that triggers: flags dm. `more` is merged into it.
  std::optional<Refusal> say(const std::string& msg_id, const std::string& content,
                             const Json& more = Json::object());

 private:
  void go_on() override;
};

}  // namespace reprise::channel
