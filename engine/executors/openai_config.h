// What config.json says of an executor of type "openai" (docs/endpoints.md), completed by its
// preset and the defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/executors/backoff.h"
#include "engine/executors/secret.h"
#include "engine/home/config.h"

namespace reprise {

/// How the endpoint is told of a task's outputSchema, besides by words in the prompt.
enum class StructuredOutput { kJsonSchema, kJsonObject, kPrompt };

struct HeaderConfig {
  std::string name;
  std::string value;                   ///< when there is no source
  std::optional<SecretSource> source;  ///< its value is a secret
};

struct OpenaiConfig {
  std::string executor;
  std::string url;    ///< that requests go to: <url>/chat/completions
  std::string model;  ///< of tasks that name none
  std::optional<SecretSource> key;
  std::vector<HeaderConfig> headers;
  std::string system;  ///< a first message of role "system", or empty
  std::string body;    ///< further members of each request: a JSON object
  bool stream = true;
  bool stream_usage = false;  ///< the endpoint knows stream_options.include_usage
  StructuredOutput structured = StructuredOutput::kPrompt;
  uint32_t slots = 0;  ///< 0: no limit
  Backoff retry;
  int64_t connect_timeout_ms = 0;
  int64_t idle_timeout_ms = 0;
  int64_t request_timeout_ms = 0;
  uint64_t max_response_bytes = 0;
  std::string ca_file;
  bool verify_tls = true;
};

/// Throws WorkFailed ConfigInvalid, which names the executor, the member and the file it stands in.
OpenaiConfig parse_openai_config(const ExecutorConfig& executor);

/// The presets by name, each the members that it stands for: a JSON object.
std::string_view openai_presets();

}  // namespace reprise
