#include "engine/claim_record.h"

#include "engine/json_writer.h"
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
