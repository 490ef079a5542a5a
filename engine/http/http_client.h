// HTTP for those who call services: one request at a time, by libcurl in its module
// (libreprise_http.so), which is loaded when the first client is made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/http/http_module.h"
#include "engine/module.h"

namespace reprise {

/// How a request ended; http_module.h says when. kNone: the server answered, with any status.
enum class HttpError {
  kNone = REPRISE_HTTP_OK,
  kBadRequest = REPRISE_HTTP_BAD_REQUEST,
  kResolve = REPRISE_HTTP_RESOLVE,
  kConnect = REPRISE_HTTP_CONNECT,
  kConnectTimeout = REPRISE_HTTP_CONNECT_TIMEOUT,
  kTls = REPRISE_HTTP_TLS,
  kCutOff = REPRISE_HTTP_CUT_OFF,
  kNotHttp = REPRISE_HTTP_NOT_HTTP,
  kTimeout = REPRISE_HTTP_TIMEOUT,
  kIdle = REPRISE_HTTP_IDLE,
  kTooLarge = REPRISE_HTTP_TOO_LARGE,
  kStopped = REPRISE_HTTP_STOPPED,
  kFailed = REPRISE_HTTP_FAILED,
};

struct HttpResponse {
  HttpError error = HttpError::kNone;
  std::string message;                                       ///< why it failed, in libcurl's words
  int status = 0;                                            ///< 0: no answer began
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

  /// The first of that name (in lower case); empty when there is none.
  std::string_view header(std::string_view name) const;
};

/// Redirects are answers like others: they are never followed, so no header reaches another host.
/// Certificates are checked. Proxies: as curl does by the environment, none for loopback hosts.
struct HttpRequest {
  std::string method = "POST";
  std::string url;                   ///< http:// or https://
  std::vector<std::string> headers;  ///< "Name: value"; control characters are refused
  std::string body;
  std::string ca_file;             ///< certificates to trust instead of the system's
  bool insecure = false;           ///< checks no certificate; refused but for loopback hosts
  int64_t connect_timeout_ms = 0;  ///< 0, here and below: no limit of its own
  int64_t timeout_ms = 0;
  int64_t idle_timeout_ms = 0;  ///< without a byte in either direction
  uint64_t max_response_bytes = 0;
  /// A piece of the body, with the answer's head; false: enough, end with kStopped.
  std::function<bool(const HttpResponse& head, std::string_view bytes)> on_body;
  /// Asked several times a second; true: end with kStopped.
  std::function<bool()> stopped;
};

/// Where it is, for who wants to know whether it can be loaded.
ModuleQuery http_module();

class HttpClient {
 public:
  /// Error HTTP_MODULE_MISSING (exit 70) when the module is absent or of another build. `module` is
  /// its file; empty: where open_module looks.
  explicit HttpClient(const std::string& module = {});

  /// What the callbacks throw is thrown here.
  HttpResponse send(const HttpRequest& request) const;

 private:
  const reprise_http_table* x_table;
};

}  // namespace reprise
