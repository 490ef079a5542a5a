#include "engine/http/http_client.h"

#include <algorithm>
#include <array>
#include <exception>

#include "engine/module.h"

namespace reprise {

namespace {

/// One request on its way: what the module calls back with, on the far side of a border that no
/// exception crosses.
struct Call {
  const HttpRequest& request;
  HttpResponse response;
  std::exception_ptr thrown;

  /// Runs `work`; false when it threw, now or before.
  template <typename Work>
  bool guarded(const Work& work) {
    if (thrown) return false;
    try {
      return work();
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }
};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "HTTP/1.1 200 OK" or "Content-Type: text/plain".
bool take_head(HttpResponse& response, std::string_view line) {
  if (line.starts_with("HTTP/")) {
    response.headers.clear();
    response.status = 0;
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return true;
    for (const char digit : line.substr(blank + 1, 3)) {
      if (digit < '0' || digit > '9') break;
      response.status = response.status * 10 + (digit - '0');
    }
    return true;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  std::string name(trim(line.substr(0, colon)));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  response.headers.emplace_back(std::move(name), trim(line.substr(colon + 1)));
  return true;
}

void on_head(void* user, reprise_bytes line) {
  auto& call = *static_cast<Call*>(user);
  call.guarded([&] { return take_head(call.response, as_view(line)); });
}

int32_t on_body(void* user, reprise_bytes bytes) {
  auto& call = *static_cast<Call*>(user);
  const auto& take = call.request.on_body;
  return call.guarded([&] { return !take || take(call.response, as_view(bytes)); }) ? 0 : 1;
}

int32_t is_stopped(void* user) {
  auto& call = *static_cast<Call*>(user);
  const auto& stopped = call.request.stopped;
  return call.guarded([&] { return !stopped || !stopped(); }) ? 0 : 1;
}

/// What would end a line begins another one, chosen by whoever wrote the text.
bool is_one_line(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// What is wrong with it, or empty. Does not repeat what it is given: it may hold a key.
std::string fault_of_request(const HttpRequest& request) {
  if (!request.url.starts_with("http://") && !request.url.starts_with("https://")) {
    return "the url must begin with http:// or https://";
  }
  if (!is_one_line(request.url)) return "the url holds control characters";
  for (const auto& line : request.headers) {
    const auto colon = line.find(':');
    if (colon == 0 || colon == std::string::npos) return "a header without a name";
    if (!is_one_line(line)) return "the header " + line.substr(0, colon) + " holds a line break";
  }
  return {};
}

}  // namespace

std::string_view HttpResponse::header(std::string_view name) const {
  for (const auto& [known, value] : headers) {
    if (known == name) return value;
  }
  return {};
}

ModuleQuery http_module() {
  return {.file = "libreprise_http.so",
          .symbol = "reprise_http_module",
          .abi = REPRISE_HTTP_ABI,
          .what = "HTTP",
          .error = "HTTP_MODULE_MISSING",
          .path = {}};
}

HttpClient::HttpClient(const std::string& module) {
  auto query = http_module();
  query.path = module;
  x_table = reinterpret_cast<const reprise_http_table*>(open_module(query));
}

HttpResponse HttpClient::send(const HttpRequest& request) const {
  if (auto fault = fault_of_request(request); !fault.empty()) {
    return {.error = HttpError::kBadRequest, .message = std::move(fault)};
  }
  std::vector<const char*> headers;
  for (const auto& line : request.headers) headers.push_back(line.c_str());
  headers.push_back(nullptr);
  Call call{.request = request};
  const reprise_http_request plain = {.method = request.method.c_str(),
                                      .url = request.url.c_str(),
                                      .headers = headers.data(),
                                      .body = as_bytes(request.body),
                                      .ca_file = request.ca_file.c_str(),
                                      .insecure = request.insecure ? 1 : 0,
                                      .connect_timeout_ms = request.connect_timeout_ms,
                                      .timeout_ms = request.timeout_ms,
                                      .idle_timeout_ms = request.idle_timeout_ms,
                                      .max_response_bytes = request.max_response_bytes,
                                      .user = &call,
                                      .on_head = on_head,
                                      .on_body = on_body,
                                      .stopped = is_stopped};
  std::array<char, 512> message{};
  call.response.error =
      static_cast<HttpError>(x_table->send(&plain, message.data(), message.size()));
  if (call.thrown) std::rethrow_exception(call.thrown);
  call.response.message = message.data();
  return std::move(call.response);
}

}  // namespace reprise
