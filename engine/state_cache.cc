#include "engine/state_cache.h"

#include <algorithm>
#include <exception>

#include "engine/json_writer.h"
#include "engine/task_options.h"
#include "journal/blobs.h"
#include "journal/error.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr std::string_view kCachePath = "state/state.json";
constexpr uint64_t kVersion = 8;
constexpr uint64_t kTailBytes = uint64_t{64} << 10U;
constexpr std::string_view kSumMark = ",\"sum\":\"";
constexpr size_t kSumBytes = 32;
/// Holds the state of most runs.
constexpr size_t kFirstReadBytes = size_t{16} << 10U;

std::string place_json(const Place& place) {
  return "[" + std::to_string(place.segment) + "," + std::to_string(place.offset) + "," +
         std::to_string(place.length) + "]";
}

std::string head_json(const Head& head) {
  return JsonWriter()
      .number("seq", head.seq)
      .number("segment", head.segment)
      .number("offset", head.offset)
      .text("sum", format_hex64(head.sum))
      .signed_number("at", head.at_ms)
      .done();
}

std::string claim_json(const Claim& claim) {
  JsonWriter json;
  json.text("token", claim.token)
      .text("worker", claim.worker)
      .signed_number("claimedAt", claim.claimed_at_ms)
      .signed_number("leaseMs", claim.lease_ms)
      .signed_number("until", claim.until_ms)
      .text_if("host", claim.host)
      .text_if("boot", claim.boot);
  if (claim.pid != 0) json.number("pid", claim.pid).number("startTime", claim.start_time);
  return json.done();
}

std::string past_json(const PastAttempt& past) {
  return JsonWriter()
      .number("attempt", past.attempt)
      .text("status", past.status)
      .text_if("digest", past.digest)
      .text_if("key", past.key)
      .text_if("token", past.token)
      .done();
}

std::string effect_json(const OpenEffect& effect) {
  JsonWriter json;
  json.text("effectId", format_effect_id(effect.id))
      .text("taskId", effect.task)
      .text("kind", effect.kind)
      .text("label", effect.label)
      .text_if("key", effect.key)
      .number("seq", effect.requested_seq)
      .signed_number("requestedAt", effect.requested_at_ms);
  if (effect.due_ms != 0) json.signed_number("dueMs", effect.due_ms);
  json.raw_if("options", effect.options);
  if (effect.available_at_ms != 0) json.signed_number("availableAt", effect.available_at_ms);
  json.text_if("held", effect.held);
  if (effect.claim) json.raw("claim", claim_json(*effect.claim));
  if (effect.past) json.raw("past", past_json(*effect.past));
  if (!effect.answers.empty()) json.raw("answers", array_json(effect.answers, place_json));
  if (effect.progress) json.raw("progress", place_json(*effect.progress));
  return json.number("attempt", effect.attempt).raw("place", place_json(effect.place)).done();
}

std::string activation_json(const ActivationPlace& activation) {
  JsonWriter json;
  json.number("seq", activation.seq).flag("shell", activation.shell);
  if (activation.rules != 0) json.number("rules", activation.rules);
  return json.raw("place", place_json(activation.place)).done();
}

std::string end_json(const RunEnd& end) {
  return JsonWriter()
      .text("type", record_type_name(end.type))
      .number("seq", end.seq)
      .signed_number("at", end.at_ms)
      .raw("place", place_json(end.place))
      .flag("cancelled", end.cancelled)
      .done();
}

std::string counts_json(const RunCounts& counts) {
  return JsonWriter()
      .number("requested", counts.requested)
      .number("ok", counts.resolved_ok)
      .number("error", counts.resolved_error)
      .number("cancelled", counts.cancelled)
      .done();
}

Place read_place(std::string_view json) {
  const auto parts = array_elements(json);
  const auto number = [&](size_t i) { return std::stoull(std::string(parts.at(i))); };
  return {static_cast<uint32_t>(number(0)), number(1), static_cast<uint32_t>(number(2))};
}

Head read_head(const Members& json) {
  return {json.number("seq"), static_cast<uint32_t>(json.number("segment")), json.number("offset"),
          parse_hex64(json.text("sum")).value_or(0), json.signed_number("at")};
}

Claim read_claim(std::string_view text) {
  JsonReader reader;
  const auto& json = reader.members_of_copy(text);
  return {.token = json.text("token"),
          .worker = json.text("worker"),
          .claimed_at_ms = json.signed_number("claimedAt"),
          .lease_ms = json.signed_number("leaseMs"),
          .until_ms = json.signed_number("until"),
          .host = json.text("host"),
          .boot = json.text("boot"),
          .pid = json.number("pid"),
          .start_time = json.number("startTime")};
}

PastAttempt read_past(std::string_view text) {
  JsonReader reader;
  const auto& json = reader.members_of_copy(text);
  return {.attempt = static_cast<uint32_t>(json.number("attempt")),
          .status = json.text("status"),
          .digest = json.text("digest"),
          .key = json.text("key"),
          .token = json.text("token")};
}

OpenEffect read_effect(const Members& json) {
  OpenEffect effect;
  effect.id = parse_effect_id(json.text("effectId")).value_or(0);
  effect.task = json.text("taskId");
  effect.kind = json.text("kind");
  effect.label = json.text("label");
  effect.key = json.text("key");
  effect.requested_seq = json.number("seq");
  effect.requested_at_ms = json.signed_number("requestedAt");
  effect.due_ms = json.signed_number("dueMs");
  effect.attempt = static_cast<uint32_t>(json.number("attempt"));
  effect.place = read_place(json.raw("place"));
  effect.options = json.raw("options");
  if (!effect.options.empty()) effect.timeout_ms = parse_task_options(effect.options).timeout_ms;
  effect.available_at_ms = json.signed_number("availableAt");
  effect.held = json.text("held");
  if (json.has("claim")) effect.claim = read_claim(json.raw("claim"));
  if (json.has("past")) effect.past = read_past(json.raw("past"));
  if (json.has("answers")) {
    for (const auto place : array_elements(json.raw("answers")))
      effect.answers.push_back(read_place(place));
  }
  if (json.has("progress")) effect.progress = read_place(json.raw("progress"));
  return effect;
}

RunState read_state_json(const Members& json) {
  JsonReader nested;
  RunState state;
  state.head = read_head(nested.members_of_copy(json.raw("head")));
  state.run_id = json.text("runId");
  state.identity = json.text("identity");
  state.process_id = json.text("processId");
  state.has_process = json.flag("hasProcess");
  state.simulated = json.flag("simulated");
  state.rules = static_cast<uint32_t>(json.number("rules"));
  state.created_at_ms = json.signed_number("createdAt");
  state.created_place = read_place(json.raw("createdPlace"));
  if (state.has_process) state.process_place = read_place(json.raw("processPlace"));
  state.applied = json.number("applied");
  state.highest_effect = json.number("highestEffect");
  state.last_place = read_place(json.raw("lastPlace"));
  const auto& counts = nested.members_of_copy(json.raw("counts"));
  state.counts = {counts.number("requested"), counts.number("ok"), counts.number("error"),
                  counts.number("cancelled")};
  for (const auto item : array_elements(json.raw("unapplied"))) {
    const auto& waiting = nested.members_of_copy(item);
    state.unapplied.push_back({waiting.number("seq"), read_place(waiting.raw("place")),
                               waiting.flag("shell"),
                               static_cast<uint32_t>(waiting.number("rules"))});
  }
  for (const auto item : array_elements(json.raw("open"))) {
    keep_open(state, read_effect(nested.members(item)));
  }
  state.paused = json.flag("paused");
  state.cancel_seq = json.number("cancelSeq");
  state.parent = json.text("parent");
  state.parent_effect = json.number("parentEffect");
  state.parent_identity = json.text("parentIdentity");
  state.awaits = json.raw("awaits");
  if (json.has("orphans")) {
    for (const auto id : array_elements(json.raw("orphans")))
      state.orphans.insert(std::stoull(std::string(id)));
  }
  if (json.has("end")) {
    const auto& end = nested.members_of_copy(json.raw("end"));
    state.end = RunEnd{parse_record_type(end.text("type")).value_or(RecordType::kRunFailed),
                       end.number("seq"), end.signed_number("at"), read_place(end.raw("place")),
                       end.flag("cancelled")};
  }
  return state;
}

/// Is the line's sum right?
bool is_sound(std::string_view line) {
  constexpr std::string_view kEnd = "\"}";
  const size_t tail = kSumMark.size() + kSumBytes + kEnd.size();
  if (line.size() < tail || !line.ends_with(kEnd)) return false;
  const auto body = line.substr(0, line.size() - tail);
  const auto mark = line.substr(body.size(), kSumMark.size());
  const auto sum = line.substr(body.size() + kSumMark.size(), kSumBytes);
  return mark == kSumMark && sum == digest128(body);
}

struct CacheText {
  std::shared_ptr<File> file;
  std::string bytes;  ///< of its beginning, at least the first line
  uint64_t size = 0;  ///< of the file
  size_t first = 0;   ///< length of the first line
};

/// The bytes from `begin` to `end`, a place in the file; those that `text` does not hold yet are
/// read. nullopt when there are fewer.
std::optional<std::string> read_part(const CacheText& text, uint64_t begin, uint64_t end) {
  if (begin > end) return std::nullopt;
  std::string part(static_cast<size_t>(end - begin), '\0');
  const auto held =
      begin < text.bytes.size() ? text.bytes.copy(part.data(), part.size(), begin) : 0;
  const auto read = text.file->read_at(begin + held, part.data() + held, part.size() - held);
  return held + read == part.size() ? std::optional(std::move(part)) : std::nullopt;
}

std::optional<CacheText> read_cache(Dir& run) {
  CacheText text{.file = run.open(kCachePath, Access::kRead)};
  if (!text.file) return std::nullopt;
  text.size = text.file->stat().size;
  text.first = std::string::npos;
  while (text.first == std::string::npos && text.bytes.size() < text.size) {
    const auto end = std::max<uint64_t>(kFirstReadBytes, 2 * text.bytes.size());
    auto bytes = read_part(text, 0, std::min(text.size, end));
    if (!bytes) return std::nullopt;
    text.bytes = std::move(*bytes);
    text.first = text.bytes.find('\n');
  }
  if (text.first == std::string::npos) return std::nullopt;
  return text;
}

std::optional<CachedState> read_cached(const CacheText& text, std::string_view line,
                                       CachePart part) {
  JsonReader reader;
  const auto& json = reader.members_of_copy(line);
  if (json.number("version") != kVersion) return std::nullopt;
  CachedState cached{.state = read_state_json(json), .bytes = text.size};
  const StoredKeys keys{text.file, text.first + 1, json.number("signalKeys"),
                        cached.state.head.sum};
  if (keys.count > 0) cached.state.signal_keys = KeySet(keys);
  const auto digest = json.text("snapshotDigest");
  cached.has_snapshot = !digest.empty();
  if (part == CachePart::kState || digest.empty()) return cached;
  const auto begin = keys.offset + key_blocks_size(keys.count);
  auto snapshot = read_part(text, begin, text.size - 1);  // without its newline
  if (!snapshot || digest128(*snapshot) != digest) return std::nullopt;
  cached.snapshot = std::move(*snapshot);
  return cached;
}

}  // namespace

std::optional<CachedState> load_state(Dir& run, CachePart part) {
  const auto text = read_cache(run);
  if (!text) return std::nullopt;
  const auto line = std::string_view(text->bytes).substr(0, text->first);
  if (!is_sound(line)) return std::nullopt;
  try {
    return read_cached(*text, line, part);
  } catch (const std::exception&) {
    return std::nullopt;  // the sum is right, so somebody else's version wrote it
  }
}

uint64_t store_state(Dir& run, const RunState& state, std::string_view snapshot) {
  const auto keys = state.signal_keys.blocks(state.head.sum);
  if (!keys) {
    run.remove(kCachePath);  // damaged: it is rebuilt from the journal
    return 0;
  }
  JsonWriter json;
  json.number("version", kVersion)
      .text("status", status_name(state.status()))
      .raw("head", head_json(state.head))
      .text("runId", state.run_id)
      .text_if("identity", state.identity)
      .text("processId", state.process_id)
      .flag("hasProcess", state.has_process)
      .flag("simulated", state.simulated)
      .signed_number("createdAt", state.created_at_ms)
      .raw("createdPlace", place_json(state.created_place));
  if (state.rules != 0) json.number("rules", state.rules);
  if (state.has_process) json.raw("processPlace", place_json(state.process_place));
  json.number("applied", state.applied)
      .number("highestEffect", state.highest_effect)
      .raw("lastPlace", place_json(state.last_place))
      .raw("counts", counts_json(state.counts))
      .raw("unapplied", array_json(state.unapplied, activation_json))
      .number("signalKeys", keys->count)
      .raw("open",
           array_json(state.open, [](const auto& entry) { return effect_json(entry.second); }));
  json.flag("paused", state.paused).number("cancelSeq", state.cancel_seq);
  if (!state.parent.empty()) {
    json.text("parent", state.parent)
        .number("parentEffect", state.parent_effect)
        .text_if("parentIdentity", state.parent_identity);
  }
  json.raw_if("awaits", state.awaits);
  if (!state.orphans.empty()) {
    json.raw("orphans",
             array_json(state.orphans, [](uint64_t effect) { return std::to_string(effect); }));
  }
  if (state.end) json.raw("end", end_json(*state.end));
  if (!snapshot.empty()) json.text("snapshotDigest", digest128(snapshot));
  auto text = json.done();
  text.pop_back();
  text += std::string(kSumMark) + digest128(text) + "\"}\n" + keys->text;
  if (!snapshot.empty()) text.append(snapshot).append(1, '\n');
  replace_file(run, kCachePath, text, false);
  return text.size();
}

bool state_is_behind(const std::optional<Head>& cached, uint64_t cached_bytes, const Head& head) {
  if (cached && cached->seq > head.seq) return true;
  const uint64_t from = cached && cached->segment == head.segment ? cached->offset : 0;
  const uint64_t whole_segments = cached ? head.segment - cached->segment : head.segment - 1;
  const uint64_t tail = whole_segments * kSegmentBytes + head.offset - from;
  return tail > kTailBytes && tail > cached_bytes / 2;
}

}  // namespace reprise
