#include "engine/claim_record.h"

#include <utility>

#include "engine/json_writer.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

JsonWriter begin(const OpenEffect& effect, const Claim& claim) {
  JsonWriter data;
  data.text("effectId", format_effect_id(effect.id))
      .number("attempt", effect.attempt)
      .text("token", claim.token);
  return data;
}

}  // namespace

std::string make_token(uint64_t seq, Random& random) {
  return "c" + std::to_string(seq) + "-" + format_hex64(random.next()).substr(8);
}

Claim make_claimer(std::string worker, uint64_t pid, int64_t lease_ms, Host& host) {
  Claim claim;
  claim.worker = std::move(worker);
  claim.lease_ms = lease_ms;
  if (pid == 0) return claim;
  const auto start_time = host.start_time(pid);
  if (!start_time) {
    throw Error(Exit::kUsage, "PROCESS_NOT_FOUND",
                "no process " + std::to_string(pid) + " runs here",
                "--pid names the process whose end ends the claim, as $$ in a shell");
  }
  claim.pid = pid;
  claim.start_time = *start_time;
  claim.host = host.name();
  claim.boot = host.boot();
  return claim;
}

NewRecord claim_record(const OpenEffect& effect, const Claim& claim, const Author& author) {
  auto data = begin(effect, claim);
  data.text("worker", claim.worker).signed_number("leaseMs", claim.lease_ms);
  if (claim.pid != 0) {
    data.text("host", claim.host)
        .text("boot", claim.boot)
        .number("pid", claim.pid)
        .number("startTime", claim.start_time);
  }
  return {RecordType::kEffectClaimed, 0, 0, data.raw("by", author_json(author)).done()};
}

NewRecord release_record(const OpenEffect& effect, const Author& author) {
  auto data = begin(effect, *effect.claim);
  data.flag("released", true);
  return {RecordType::kEffectClaimed, 0, 0, data.raw("by", author_json(author)).done()};
}

}  // namespace reprise
