// Why one request brought no answer, and whether another one might: the table of docs/endpoints.md.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/executors/openai_config.h"
#include "engine/http/http_client.h"

namespace reprise {

struct ChatTrouble {
  std::string name;  ///< of the error
  std::string message;
  int status = 0;                  ///< of HTTP; 0: none came
  bool again = false;              ///< the same request may succeed later
  std::optional<int64_t> wait_ms;  ///< how long the endpoint wants to be left alone
};

/// The endpoint answered with a status other than 2xx; `body` is the beginning of what it said.
ChatTrouble trouble_of_status(const OpenaiConfig& config, const std::string& model,
                              const HttpResponse& response, std::string_view body, int64_t now_ms);

/// It answered 200 and reported an error instead of going on; `error` is what it sent as "error".
ChatTrouble trouble_of_event(const OpenaiConfig& config, const nlohmann::ordered_json& error);

/// No whole answer came. Not for kNone and kStopped.
ChatTrouble trouble_of_transport(const OpenaiConfig& config, const HttpResponse& response);

}  // namespace reprise
