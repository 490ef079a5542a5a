// Endpoints word their errors differently; what matters is looked for in all the places where the
// common ones put it.
#include "engine/executors/chat_trouble.h"

#include <algorithm>
#include <array>

#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"

namespace reprise {

namespace {

constexpr size_t kShownBytes = 500;

/// What an error document says, whichever form it has.
struct Said {
  std::string message;
  std::string code;  ///< or its type
  int status = 0;    ///< a code that is a number
};

std::string short_excerpt(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  text = text.substr(first, kShownBytes);
  return valid_text(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
}

/// {"message","code"?,"type"?}, or a text.
Said said_by_error(const OrderedJson& error) {
  if (error.is_string()) return {.message = short_excerpt(error.get_ref<const std::string&>())};
  if (!error.is_object()) return {};
  Said said{.message = short_excerpt(text_field(error, "message")),
            .code = text_field(error, "code")};
  if (said.code.empty()) said.code = text_field(error, "type");
  said.status = static_cast<int>(number_field(error, "code"));
  return said;
}

/// {"error":...}, [{"error":...}], {"message"}, {"detail"}, or no JSON at all.
Said said_by(std::string_view body) {
  auto json = parse_json(body);
  if (json.is_array() && !json.empty()) json = OrderedJson(json.front());
  Said said;
  if (json.is_object()) {
    said = json.contains("error") ? said_by_error(json["error"]) : said_by_error(json);
    if (said.message.empty()) said.message = short_excerpt(text_field(json, "detail"));
  }
  if (said.message.empty()) said.message = short_excerpt(body);
  return said;
}

bool is_too_long(const Said& said) {
  constexpr std::array<std::string_view, 2> kCodes = {"context_length_exceeded",
                                                      "exceed_context_size_error"};
  return std::ranges::find(kCodes, said.code) != kCodes.end() || tells_too_long(said.message);
}

std::string key_words(const OpenaiConfig& config) {
  if (config.key) return "; the key came from " + config.key->shown();
  return "; no key was sent: the executor has no apiKey";
}

/// The row of the table for a refusal that another try would not change.
ChatTrouble refused_request(const OpenaiConfig& config, const std::string& model, int status,
                            const Said& said, std::string message) {
  if (said.code == "insufficient_quota") return {"QuotaExceeded", std::move(message), status};
  if ((status == 400 || status == 413 || status == 422) && is_too_long(said)) {
    return {"too_long", std::move(message), status};
  }
  if (status == 401 || status == 403) {
    return {"KeyRefused", message + key_words(config), status};
  }
  if (status == 404) {
    return {"NotFound", message + "; it knows no model \"" + model + "\", or the url is wrong",
            status};
  }
  if (status >= 300 && status < 400) {
    return {"RequestRefused", message + "; redirects are not followed: correct the url", status};
  }
  return {"RequestRefused", std::move(message), status};
}

bool is_temporary(int status) {
  return status == 408 || status == 425 || status == 429 || status >= 500;
}

ChatTrouble judge(const OpenaiConfig& config, const std::string& model, int status,
                  const Said& said, std::string message) {
  if (!is_temporary(status) || said.code == "insufficient_quota") {
    return refused_request(config, model, status, said, std::move(message));
  }
  return {.name = status == 429 ? "RateLimited" : "EndpointFailed",
          .message = std::move(message),
          .status = status,
          .again = true};
}

}  // namespace

ChatTrouble trouble_of_status(const OpenaiConfig& config, const std::string& model,
                              const HttpResponse& response, std::string_view body, int64_t now_ms) {
  const auto said = said_by(body);
  auto message = config.url + " answered " + std::to_string(response.status);
  if (!said.message.empty()) message += ": " + said.message;
  auto trouble = judge(config, model, response.status, said, std::move(message));
  if (trouble.again) trouble.wait_ms = parse_retry_after(response.header("retry-after"), now_ms);
  return trouble;
}

ChatTrouble trouble_of_event(const OpenaiConfig& config, const OrderedJson& error) {
  const auto said = said_by_error(error);
  const auto message =
      config.url + " broke off: " + (said.message.empty() ? "it did not say why" : said.message);
  if (is_too_long(said)) return {"too_long", message};
  const int status = said.status >= 300 && said.status < 600 ? said.status : 500;
  return judge(config, {}, status, said, message);
}

ChatTrouble trouble_of_transport(const OpenaiConfig& config, const HttpResponse& response) {
  const auto why = config.url + ": " + valid_text(response.message);
  switch (response.error) {
    case HttpError::kBadRequest:
      return {"ConfigInvalid", why};
    case HttpError::kTls:
      return {"EndpointUntrusted",
              why + "; caFile names the certificate of an authority of your own"};
    case HttpError::kNotHttp:
      return {"ReplyInvalid", why};
    case HttpError::kTooLarge:
      return {"ReplyTooLarge", why + "; maxResponseBytes sets the limit"};
    case HttpError::kTimeout:
      return {"TimeoutError", why};
    case HttpError::kIdle:
      return {
          .name = "EndpointSilent", .message = why + "; idleTimeout sets the limit", .again = true};
    case HttpError::kCutOff:
      return {.name = "ReplyCutOff", .message = why, .again = true};
    case HttpError::kResolve:
    case HttpError::kConnect:
    case HttpError::kConnectTimeout:
    default:
      return {.name = "EndpointUnreachable", .message = why, .again = true};
  }
}

}  // namespace reprise
