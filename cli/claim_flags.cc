#include "cli/claim_flags.h"

#include "cli/user_values.h"

namespace reprise {
namespace {

constexpr int64_t kDefaultLeaseMs = int64_t{10} * 60 * 1000;
constexpr size_t kLongestWorker = 256;

std::string worker_flag(const Arguments& arguments, const Author& author) {
  auto worker = arguments.value("--worker").value_or(author.user + "@" + author.host);
  parse_value(quote(worker), "--worker");
  if (worker.empty() || worker.size() > kLongestWorker) {
    throw invalid_argument(
        "--worker is a name of 1 to " + std::to_string(kLongestWorker) + " bytes", {});
  }
  return worker;
}

}  // namespace

std::optional<int64_t> lease_flag(const Arguments& arguments) {
  const auto text = arguments.value("--lease");
  if (!text) return std::nullopt;
  const auto lease_ms = parse_duration_ms(*text, "--lease");
  if (lease_ms == 0) throw invalid_argument("--lease is longer than nothing", "as 30s, 10m or 1h");
  return lease_ms;
}

ClaimRequest claim_flags(const Arguments& arguments, const Context& context) {
  ClaimRequest request{.worker = worker_flag(arguments, context.author)};
  request.lease_ms = lease_flag(arguments).value_or(kDefaultLeaseMs);
  if (const auto wait = arguments.value("--wait-for")) {
    request.wait_ms = parse_duration_ms(*wait, "--wait-for");
  }
  const auto pid = arguments.count("--pid").value_or(0);
  if (pid > INT32_MAX) throw invalid_argument("--pid " + std::to_string(pid) + " is too large", {});
  request.pid = pid;
  return request;
}

}  // namespace reprise
