// Defaults, then the preset, then what the user wrote: the later member replaces the earlier one as
// a whole.
#include "engine/executors/openai_config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/executors/json_fields.h"
#include "engine/executors/work_failed.h"
#include "engine/units.h"

namespace reprise {

namespace {

constexpr std::string_view kDefaults = R"({
  "stream": true, "streamUsage": false, "structured": "prompt", "slots": 0, "verifyTls": true,
  "attempts": 4, "backoff": "1s", "maxBackoff": "30s",
  "connectTimeout": "10s", "idleTimeout": "5m", "requestTimeout": "1h",
  "maxResponseBytes": 16777216
})";

constexpr std::string_view kEndpointPresets = R"({
  "generic": {},
  "openai": {"url": "https://api.openai.com/v1", "apiKey": {"env": "OPENAI_API_KEY"},
             "structured": "json_schema", "streamUsage": true},
  "ollama": {"url": "http://127.0.0.1:11434/v1", "structured": "json_schema", "streamUsage": true,
             "slots": 1},
  "llama.cpp": {"url": "http://127.0.0.1:8080/v1", "model": "default",
                "structured": "json_schema", "streamUsage": true, "slots": 1}
})";

/// The members of one executor, read with errors that say where.
class Reader {
 public:
  explicit Reader(const ExecutorConfig& executor) : x_executor(executor) {
    auto given = OrderedJson::parse(executor.json);
    const auto presets = OrderedJson::parse(kEndpointPresets);
    const auto preset = given.value("preset", "generic");
    if (!presets.contains(preset)) fail("has the unknown preset \"" + preset + "\"");
    x_members = OrderedJson::parse(kDefaults);
    x_members.update(presets[preset]);
    x_members.update(given);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw WorkFailed("ConfigInvalid",
                     "the executor " + x_executor.name + " (" + x_executor.origin + ") " + what);
  }

  template <typename Value>
  Value get(const char* name) const {
    return x_members.at(name).get<Value>();
  }
  int64_t duration_ms(const char* name) const {
    const auto ms = parse_duration(get<std::string>(name));
    if (!ms) fail(std::string("has a ") + name + " that is no duration, as 500ms, 30s or 2m");
    return *ms;
  }
  /// Of a wait, each of which has an end.
  int64_t limit_ms(const char* name) const {
    const auto ms = duration_ms(name);
    if (ms == 0) fail(std::string("has a ") + name + " of nothing; it must be longer");
    return ms;
  }
  std::string text(const char* name) const { return x_members.value(name, ""); }
  const OrderedJson* find(const char* name) const {
    const auto found = x_members.find(name);
    return found == x_members.end() ? nullptr : &*found;
  }

  SecretSource source(const OrderedJson& given) const {
    if (given.is_object() && given.size() == 1) {
      const auto& what = given.begin().value();
      if (given.contains("env")) return {SecretSource::Kind::kEnvironment, what, {}};
      if (given.contains("file")) return {SecretSource::Kind::kFile, what, {}};
      if (given.contains("command") && !what.empty())
        return {SecretSource::Kind::kCommand, {}, what};
    }
    fail(R"(needs a key like {"env":NAME}, {"file":PATH} or {"command":[WORDS]})");
  }

 private:
  const ExecutorConfig& x_executor;
  OrderedJson x_members;
};

/// "https://host/v1?version=2" as "https://host/v1/chat/completions?version=2".
std::string request_url(const Reader& reader) {
  constexpr std::string_view kPath = "/chat/completions";
  const auto url = reader.text("url");
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    reader.fail("needs a url that begins with http:// or https://");
  }
  const auto host = url.find("//") + 2;
  if (url.substr(host, url.find_first_of("/?#", host) - host).find('@') != std::string::npos) {
    reader.fail(
        "has a password in its url; say it with apiKey or headers, which can keep a secret");
  }
  const auto query = std::min(url.find_first_of("?#"), url.size());
  auto path = url.substr(0, query);
  while (path.ends_with('/')) path.pop_back();
  if (!path.ends_with(kPath)) path += kPath;
  return path + url.substr(query);
}

/// The module judges the same by the parsed address before it goes without a check.
bool is_loopback_url(std::string_view url) {
  url.remove_prefix(url.find("//") + 2);
  const auto host = url.substr(0, url.find_first_of(url.starts_with('[') ? "]/?#" : ":/?#"));
  in_addr address{};
  return host == "localhost" || host == "[::1" ||
         (inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
          ntohl(address.s_addr) >> 24U == 127);
}

StructuredOutput structured_of(const Reader& reader) {
  const auto word = reader.text("structured");
  if (word == "json_schema") return StructuredOutput::kJsonSchema;
  if (word == "json_object") return StructuredOutput::kJsonObject;
  if (word != "prompt") {
    reader.fail("has the unknown structured \"" + word +
                "\"; there are json_schema, json_object, prompt");
  }
  return StructuredOutput::kPrompt;
}

std::vector<HeaderConfig> headers_of(const Reader& reader) {
  std::vector<HeaderConfig> headers;
  const auto* given = reader.find("headers");
  if (given == nullptr) return headers;
  for (const auto& [name, value] : given->items()) {
    if (value.is_string()) {
      headers.push_back({name, value, std::nullopt});
    } else {
      headers.push_back({name, {}, reader.source(value)});
    }
  }
  return headers;
}

std::string body_of(const Reader& reader) {
  const auto* given = reader.find("body");
  if (given == nullptr) return "{}";
  for (const char* ours : {"messages", "stream", "stream_options", "n"}) {
    if (given->contains(ours)) reader.fail(std::string("cannot have ") + ours + " in its body");
  }
  return given->dump();
}

OpenaiConfig read(const Reader& reader, const ExecutorConfig& executor) {
  OpenaiConfig config{.executor = executor.name,
                      .url = request_url(reader),
                      .model = reader.text("model"),
                      .headers = headers_of(reader),
                      .system = reader.text("system"),
                      .body = body_of(reader),
                      .stream = reader.get<bool>("stream"),
                      .stream_usage = reader.get<bool>("streamUsage"),
                      .structured = structured_of(reader),
                      .slots = reader.get<uint32_t>("slots"),
                      .retry = {.attempts = reader.get<uint32_t>("attempts"),
                                .first_ms = reader.duration_ms("backoff"),
                                .longest_ms = reader.duration_ms("maxBackoff")},
                      .connect_timeout_ms = reader.limit_ms("connectTimeout"),
                      .idle_timeout_ms = reader.limit_ms("idleTimeout"),
                      .request_timeout_ms = reader.limit_ms("requestTimeout"),
                      .max_response_bytes = reader.get<uint64_t>("maxResponseBytes"),
                      .ca_file = reader.text("caFile"),
                      .verify_tls = reader.get<bool>("verifyTls")};
  const auto* key = reader.find("apiKey");
  if (key != nullptr) config.key = reader.source(*key);

  const bool loopback = is_loopback_url(config.url);
  if (!config.verify_tls && !loopback) {
    reader.fail(
        "has verifyTls false, which is for endpoints on this machine; name the certificate "
        "with caFile instead");
  }
  const auto* plain = reader.find("plainHttp");
  const bool plain_wanted = plain != nullptr && plain->get<bool>();
  if (config.key && config.url.starts_with("http://") && !loopback && !plain_wanted) {
    reader.fail(
        "would send its key over plain http, where anybody on the way reads it; use "
        "https, or allow it with plainHttp true");
  }
  return config;
}

}  // namespace

OpenaiConfig parse_openai_config(const ExecutorConfig& executor) {
  try {
    const Reader reader(executor);
    return read(reader, executor);
  } catch (const OrderedJson::exception& error) {
    throw WorkFailed("ConfigInvalid", "the executor " + executor.name + " (" + executor.origin +
                                          ") cannot be read: " + error.what());
  }
}

std::string_view openai_presets() { return kEndpointPresets; }

}  // namespace reprise
