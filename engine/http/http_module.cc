// One easy handle in a multi handle, and our own loop around it: curl's own loop asks its callbacks
// only once a second while nothing moves, and counts idle time in whole seconds.
#include "engine/http/http_module.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace {

/// The longest pause between two looks at `stopped` and the limits.
constexpr int kWatchMs = 100;

using Clock = std::chrono::steady_clock;

template <auto Free>
struct Freed {
  void operator()(auto* object) const { Free(object); }
};
using Easy = std::unique_ptr<CURL, Freed<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, Freed<curl_multi_cleanup>>;
using List = std::unique_ptr<curl_slist, Freed<curl_slist_free_all>>;
using Url = std::unique_ptr<CURLU, Freed<curl_url_cleanup>>;
using Text = std::unique_ptr<char, Freed<curl_free>>;

std::string host_of(const char* url) {
  const Url parsed(curl_url());
  char* part = nullptr;
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url, 0) != CURLUE_OK ||
      curl_url_get(parsed.get(), CURLUPART_HOST, &part, 0) != CURLUE_OK) {
    return {};
  }
  return Text(part).get();
}

/// curl itself takes "localhost" for the loopback, and asks nobody.
bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  in_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24U == 127;
}

class Transfer {
 public:
  explicit Transfer(const reprise_http_request& request) : x_request(request) {}

  int32_t run();
  const std::string& message() const { return x_message; }

 private:
  bool prepare();
  int32_t drive();
  int32_t judge(CURLcode code);
  int32_t fail(int32_t how, std::string message) {
    x_message = std::move(message);
    return how;
  }
  /// Counts what came; false ends the transfer.
  bool take(size_t size);
  int32_t over_limit();

  static size_t on_head(char* data, size_t one, size_t size, void* self);
  static size_t on_body(char* data, size_t one, size_t size, void* self);

  const reprise_http_request& x_request;
  Easy x_easy;
  List x_headers;
  std::array<char, CURL_ERROR_SIZE> x_error{};
  std::string x_message;
  uint64_t x_received = 0;
  curl_off_t x_sent = 0;
  Clock::time_point x_started = Clock::now();
  Clock::time_point x_moved = x_started;
  int32_t x_ended_by = REPRISE_HTTP_OK;  ///< a callback of ours
};

bool Transfer::take(size_t size) {
  x_moved = Clock::now();
  x_received += size;
  if (x_request.max_response_bytes == 0 || x_received <= x_request.max_response_bytes) return true;
  x_ended_by = REPRISE_HTTP_TOO_LARGE;
  return false;
}

size_t Transfer::on_head(char* data, size_t one, size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  size *= one;
  if (!transfer.take(size)) return 0;
  std::string_view line(data, size);
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  if (!line.empty())
    transfer.x_request.on_head(transfer.x_request.user, {line.data(), line.size()});
  return size;
}

size_t Transfer::on_body(char* data, size_t one, size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  size *= one;
  if (!transfer.take(size)) return 0;
  if (transfer.x_request.on_body(transfer.x_request.user, {data, size}) == 0) return size;
  transfer.x_ended_by = REPRISE_HTTP_STOPPED;
  return 0;
}

bool Transfer::prepare() {
  CURL* curl = x_easy.get();
  curl_slist* headers = nullptr;
  for (const char* const* line = x_request.headers; *line != nullptr; ++line) {
    headers = curl_slist_append(headers, *line);
  }
  // Without this curl waits a second for permission to send a large body.
  x_headers.reset(curl_slist_append(headers, "Expect:"));

  bool set = true;
  const auto option = [&](CURLoption name, auto value) {
    set = set && curl_easy_setopt(curl, name, value) == CURLE_OK;
  };
  option(CURLOPT_ERRORBUFFER, x_error.data());
  option(CURLOPT_URL, x_request.url);
  option(CURLOPT_PROTOCOLS_STR, "http,https");
  option(CURLOPT_HTTPHEADER, x_headers.get());
  if (std::string_view(x_request.method) != "GET") {
    option(CURLOPT_POSTFIELDS, x_request.body.data);
    option(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(x_request.body.size));
  }
  option(CURLOPT_CUSTOMREQUEST, x_request.method);
  option(CURLOPT_USERAGENT, "reprise/" REPRISE_VERSION);
  // Resolving happens in a thread that cannot be ended; who gives up does not wait for it.
  option(CURLOPT_QUICK_EXIT, 1L);
  option(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(x_request.connect_timeout_ms));
  option(CURLOPT_HEADERFUNCTION, &Transfer::on_head);
  option(CURLOPT_HEADERDATA, this);
  option(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  option(CURLOPT_WRITEDATA, this);
  if (*x_request.ca_file != '\0') option(CURLOPT_CAINFO, x_request.ca_file);
  if (is_loopback(host_of(x_request.url))) {
    option(CURLOPT_PROXY, "");
    if (x_request.insecure != 0) {
      option(CURLOPT_SSL_VERIFYPEER, 0L);
      option(CURLOPT_SSL_VERIFYHOST, 0L);
    }
  } else if (x_request.insecure != 0) {
    x_message = "certificates go unchecked on this machine only";
    return false;
  }
  if (!set) x_message = "an option that this libcurl does not take";
  return set;
}

int32_t Transfer::over_limit() {
  if (x_request.stopped(x_request.user) != 0) return fail(REPRISE_HTTP_STOPPED, "stopped");
  curl_off_t sent = 0;
  curl_easy_getinfo(x_easy.get(), CURLINFO_SIZE_UPLOAD_T, &sent);
  const auto now = Clock::now();
  if (sent != x_sent) x_moved = now;
  x_sent = sent;
  const auto passed = [now](Clock::time_point since, int64_t limit_ms) {
    return limit_ms > 0 && now - since >= std::chrono::milliseconds(limit_ms);
  };
  if (passed(x_started, x_request.timeout_ms)) {
    return fail(REPRISE_HTTP_TIMEOUT,
                "not done after " + std::to_string(x_request.timeout_ms) + " ms");
  }
  if (passed(x_moved, x_request.idle_timeout_ms)) {
    return fail(REPRISE_HTTP_IDLE,
                "nothing came for " + std::to_string(x_request.idle_timeout_ms) + " ms");
  }
  return REPRISE_HTTP_OK;
}

int32_t Transfer::judge(CURLcode code) {
  if (code == CURLE_WRITE_ERROR && x_ended_by == REPRISE_HTTP_TOO_LARGE) {
    return fail(x_ended_by, "the answer is larger than " +
                                std::to_string(x_request.max_response_bytes) + " bytes");
  }
  if (code == CURLE_WRITE_ERROR && x_ended_by != REPRISE_HTTP_OK)
    return fail(x_ended_by, "stopped");
  if (code == CURLE_OK) return REPRISE_HTTP_OK;
  x_message = x_error[0] != '\0' ? x_error.data() : curl_easy_strerror(code);
  switch (code) {
    case CURLE_URL_MALFORMAT:
      return REPRISE_HTTP_BAD_REQUEST;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return REPRISE_HTTP_RESOLVE;
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY:
      return REPRISE_HTTP_CONNECT;
    case CURLE_OPERATION_TIMEDOUT:  // the only limit that curl watches
      return REPRISE_HTTP_CONNECT_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return REPRISE_HTTP_TLS;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return REPRISE_HTTP_CUT_OFF;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return REPRISE_HTTP_NOT_HTTP;
    default:
      return REPRISE_HTTP_FAILED;
  }
}

int32_t Transfer::drive() {
  const Multi multi(curl_multi_init());
  if (!multi || curl_multi_add_handle(multi.get(), x_easy.get()) != CURLM_OK) {
    return fail(REPRISE_HTTP_FAILED, "libcurl has no memory");
  }
  int32_t ended = REPRISE_HTTP_OK;
  for (;;) {
    int running = 0;
    int queued = 0;
    if (curl_multi_perform(multi.get(), &running) != CURLM_OK) {
      ended = fail(REPRISE_HTTP_FAILED, "libcurl could not go on");
      break;
    }
    if (const auto* done = curl_multi_info_read(multi.get(), &queued)) {
      ended = judge(done->data.result);
      break;
    }
    ended = over_limit();
    if (ended != REPRISE_HTTP_OK) break;
    curl_multi_poll(multi.get(), nullptr, 0, kWatchMs, nullptr);
  }
  curl_multi_remove_handle(multi.get(), x_easy.get());
  return ended;
}

int32_t Transfer::run() {
  x_easy.reset(curl_easy_init());
  if (!x_easy) return fail(REPRISE_HTTP_FAILED, "libcurl has no memory");
  if (!prepare()) return REPRISE_HTTP_BAD_REQUEST;
  return drive();
}

int32_t send_request(const reprise_http_request* request, char* message,
                     size_t message_size) noexcept {
  Transfer transfer(*request);
  const int32_t ended = transfer.run();
  std::snprintf(message, message_size, "%s", transfer.message().c_str());
  return ended;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const reprise_module_header*
reprise_http_module() {
  // Once in a process, and never undone: a thread that resolves a name may outlive everything else.
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  static const reprise_http_table kTable = {
      {kReady == CURLE_OK ? REPRISE_HTTP_ABI : 0, {REPRISE_VERSION, sizeof REPRISE_VERSION - 1}},
      send_request};
  return &kTable.module;
}
