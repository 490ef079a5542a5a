#include "engine/memory/entry.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/text.h"
#include "journal/clock.h"
#include "journal/error.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr size_t kLongestSummaryBytes = size_t{8} << 10U;
constexpr size_t kLongestNameBytes = 200;

[[noreturn]] void refuse_entry(const std::string& message, const std::string& hint = {}) {
  throw Error(Exit::kUsage, "MEMORY_INVALID", message, hint);
}

bool is_one_of(std::string_view text, const std::vector<std::string_view>& words) {
  return std::ranges::find(words, text) != words.end();
}

std::string listed_words(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

void check_text(const Json& entry, const char* name, size_t most) {
  if (!entry.contains(name) || entry[name].is_null()) return;
  if (!entry[name].is_string()) refuse_entry(std::string(name) + " must be a text");
  const auto size = entry[name].get_ref<const std::string&>().size();
  if (size <= most) return;
  refuse_entry(std::string(name) + " has " + std::to_string(size) + " bytes; " +
                   std::to_string(most) + " are the most",
               "remember what matters of it, and where the whole is: a file, an artifact, a run");
}

void check_word(const Json& entry, const char* name, const std::vector<std::string_view>& words) {
  if (!entry.contains(name)) return;
  if (entry[name].is_string() && is_one_of(text_of(entry, name), words)) return;
  refuse_entry("there is no " + std::string(name) + " " + entry[name].dump(),
               "it is one of " + listed_words(words));
}

void check_share(const Json& entry, const char* name) {
  if (!entry.contains(name)) return;
  const auto& value = entry[name];
  if (value.is_number() && value.get<double>() >= 0 && value.get<double>() <= 1) return;
  refuse_entry(std::string(name) + " is a number from 0 to 1, not " + value.dump());
}

void check_named(const Json& entry, const char* name) {
  if (!entry.contains(name)) return;
  if (!entry[name].is_object()) refuse_entry(std::string(name) + " must be an object {type, id}");
  for (const auto* member : {"type", "id"}) check_text(entry[name], member, kLongestNameBytes);
}

void check_members(const Json& entry) {
  check_text(entry, "note", kLongestNoteBytes);
  check_text(entry, "summary", kLongestSummaryBytes);
  check_word(entry, "kind", memory_kinds());
  check_word(entry, "class", memory_classes());
  check_named(entry, "scope");
  check_named(entry, "source");
  if (entry.contains("scope")) {
    check_word(entry["scope"], "type", memory_scopes());
    if (text_of(entry["scope"], "id").empty()) refuse_entry("a scope needs an id");
  }
  check_share(entry, "importance");
  check_share(entry, "confidence");
  if (entry.contains("metadata") && !entry["metadata"].is_object()) {
    refuse_entry("metadata must be an object");
  }
  if (entry.contains("expiresAt") && !entry["expiresAt"].is_null() &&
      !parse_time(text_of(entry, "expiresAt"))) {
    refuse_entry("expiresAt is a time, not " + entry["expiresAt"].dump(),
                 "as 2026-11-21T20:15:02.114Z");
  }
}

Json parse_entry(std::string_view json) {
  auto parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) refuse_entry("a memory must be an object");
  return parsed;
}

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Computed once, at the save.
std::optional<int64_t> default_expiry_ms(const Json& entry, int64_t now_ms) {
  const auto cls = text_of(entry, "class");
  if (cls == "bulletin") return now_ms + 180 * kDayMs;
  if (cls == "episodic") return now_ms + 90 * kDayMs;
  const auto status = entry.contains("metadata") ? text_of(entry["metadata"], "status") : "";
  const bool done = is_one_of(status, {"done", "completed", "cancelled", "canceled"});
  if (text_of(entry, "kind") == "todo" && done) return now_ms + 30 * kDayMs;
  return std::nullopt;
}

double share_of(const Json& object, const char* name, double otherwise) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return otherwise;
  return std::clamp(found->get<double>(), 0.0, 1.0);
}

std::string word_or(const Json& object, const char* name,
                    const std::vector<std::string_view>& words, std::string_view otherwise) {
  auto word = text_of(object, name);
  return is_one_of(word, words) ? word : std::string(otherwise);
}

/// Processes tell what they like; what is longer than a note may be is cut, at a character.
std::string note_of(const Json& payload) {
  auto note = text_of(payload, "note");
  if (note.size() <= kLongestNoteBytes) return note;
  size_t end = kLongestNoteBytes;
  while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0U) == 0x80U) --end;
  note.resize(end);
  return note;
}

/// Members that the payload has; the others stay.
void apply(Memory& memory, const Json& payload) {
  if (payload.contains("note")) memory.note = note_of(payload);
  if (payload.contains("summary")) memory.summary = text_of(payload, "summary");
  memory.kind = word_or(payload, "kind", memory_kinds(), memory.kind);
  memory.cls = word_or(payload, "class", memory_classes(), memory.cls);
  if (payload.contains("scope") && payload["scope"].is_object()) {
    memory.scope = {word_or(payload["scope"], "type", memory_scopes(), "global"),
                    text_of(payload["scope"], "id")};
    if (memory.scope.id.empty()) memory.scope.id = own_scope_id(memory.scope.type, memory.run);
  }
  if (payload.contains("source") && payload["source"].is_object()) {
    memory.source_type = text_of(payload["source"], "type");
    memory.source_id = text_of(payload["source"], "id");
  }
  memory.importance = share_of(payload, "importance", memory.importance);
  memory.confidence = share_of(payload, "confidence", memory.confidence);
  if (payload.contains("metadata")) {
    memory.metadata = payload["metadata"].is_object() ? payload["metadata"].dump() : "";
  }
  if (payload.contains("expiresAt")) {
    memory.expires_ms = parse_time(text_of(payload, "expiresAt"));
  }
}

void save(std::optional<Memory>& memory, const MemoryFact& fact, const Json& payload) {
  const auto note = text_of(payload, "note");
  if (is_blank_text(note)) return;
  Memory saved{.id = global_memory_id(fact.run, text_of(payload, "memoryId")),
               .run = std::string(fact.run),
               .kind = std::string(infer_kind(note)),
               .created_ms = fact.at_ms,
               .updated_ms = fact.at_ms};
  const auto created = parse_time(text_of(payload, "createdAt"));
  if (created && *created < fact.at_ms) saved.created_ms = *created;
  saved.kind = word_or(payload, "kind", memory_kinds(), saved.kind);
  saved.cls = default_class(saved.kind);
  apply(saved, payload);
  if (!payload.contains("expiresAt")) {
    const Json rules = {{"class", saved.cls},
                        {"kind", saved.kind},
                        {"metadata", payload.value("metadata", Json::object())}};
    saved.expires_ms = default_expiry_ms(rules, fact.at_ms);
  }
  memory = std::move(saved);
}

}  // namespace

const std::vector<std::string_view>& memory_kinds() {
  static const std::vector<std::string_view> kKinds = {
      "identity", "goal", "decision", "todo", "preference", "fact", "event", "observation"};
  return kKinds;
}

const std::vector<std::string_view>& memory_classes() {
  static const std::vector<std::string_view> kClasses = {"episodic", "semantic", "procedural",
                                                         "bulletin"};
  return kClasses;
}

const std::vector<std::string_view>& memory_scopes() {
  static const std::vector<std::string_view> kScopes = {"global", "project", "channel", "agent"};
  return kScopes;
}

const std::vector<std::string_view>& memory_relations() {
  static const std::vector<std::string_view> kRelations = {
      "supports", "contradicts", "depends_on", "about", "derived_from", "supersedes"};
  return kRelations;
}

std::string_view infer_kind(std::string_view note) {
  std::string text(note);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (text.starts_with("[todo]")) return "todo";
  if (text.starts_with("[bulletin]")) return "event";
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"prefer", "preference"}, {"decision", "decision"}, {"decided", "decision"},
      {"goal", "goal"},         {"identity", "identity"}, {"observ", "observation"}};
  for (const auto& [sign, kind] : kSigns) {
    if (text.find(sign) != std::string::npos) return kind;
  }
  return "fact";
}

std::string_view default_class(std::string_view kind) {
  if (is_one_of(kind, {"goal", "decision", "todo"})) return "procedural";
  return is_one_of(kind, {"event", "observation"}) ? "episodic" : "semantic";
}

std::string complete_memory(std::string_view json, int64_t now_ms) {
  auto entry = parse_entry(json);
  check_members(entry);
  if (is_blank_text(text_of(entry, "note")))
    refuse_entry("a memory needs a note", "what is to be remembered?");
  if (!entry.contains("kind")) entry["kind"] = infer_kind(text_of(entry, "note"));
  if (!entry.contains("class")) entry["class"] = default_class(text_of(entry, "kind"));
  if (!entry.contains("scope")) entry["scope"] = {{"type", "global"}, {"id", "global"}};
  if (!entry.contains("importance")) entry["importance"] = kDefaultImportance;
  if (!entry.contains("confidence")) entry["confidence"] = kDefaultConfidence;
  if (!entry.contains("expiresAt")) {
    const auto expires_ms = default_expiry_ms(entry, now_ms);
    if (expires_ms) entry["expiresAt"] = format_time(*expires_ms);
  }
  return entry.dump();
}

std::string checked_changes(std::string_view json) {
  const auto entry = parse_entry(json);
  check_members(entry);
  if (entry.contains("note") && is_blank_text(text_of(entry, "note")))
    refuse_entry("a memory needs a note");
  if (entry.size() < 2)
    refuse_entry("nothing is to be changed", "name what: --note, --importance, ...");
  return entry.dump();
}

std::string complete_link(std::string_view json) {
  auto link = parse_entry(json);
  for (const auto* end : {"from", "to"}) {
    if (text_of(link, end).empty()) refuse_entry("a link needs the ids of two memories");
  }
  if (link["from"] == link["to"]) refuse_entry("a memory cannot be linked to itself");
  check_word(link, "relation", memory_relations());
  if (!link.contains("relation")) link["relation"] = "about";
  check_share(link, "weight");
  if (!link.contains("weight")) link["weight"] = 1.0;
  check_text(link, "provenance", kLongestNameBytes);
  return link.dump();
}

void fold_fact(std::optional<Memory>& memory, const MemoryFact& fact) {
  if (memory && fact.type == "memory.recalled") {
    memory->accessed_ms = std::max(memory->accessed_ms, fact.at_ms);
    return;
  }
  const auto payload = Json::parse(fact.payload, nullptr, false);
  if (!payload.is_object()) return;
  if (fact.type == "memory.saved") return save(memory, fact, payload);
  if (!memory) return;
  if (fact.type == "memory.forgotten") memory->forgotten_ms = fact.at_ms;
  if (fact.type != "memory.updated") return;
  apply(*memory, payload);
  memory->updated_ms = std::max(memory->updated_ms, fact.at_ms);
}

std::string own_scope_id(std::string_view type, std::string_view run) {
  return type == "global" ? "global" : std::string(run);
}

std::string global_memory_id(std::string_view run, std::string_view id) {
  if (id.starts_with("memory/")) return std::string(id.substr(sizeof "memory/" - 1));
  if (id.empty() || run == "memory" || id.find('/') != std::string_view::npos) {
    return std::string(id);
  }
  return std::string(run) + "/" + std::string(id);
}

std::string told_memory_id(const std::string& id) {
  return id.find('/') == std::string::npos ? "memory/" + id : id;
}

bool is_live(const Memory& memory, int64_t now_ms) {
  return !memory.forgotten_ms && (!memory.expires_ms || *memory.expires_ms > now_ms);
}

double importance_at(const Memory& memory, int64_t now_ms, double rate_per_day) {
  if (memory.kind == "identity" || memory.cls == "bulletin") return memory.importance;
  const auto since_ms = now_ms - std::max(memory.updated_ms, memory.accessed_ms);
  const double days = std::max(0.0, static_cast<double>(since_ms) / static_cast<double>(kDayMs));
  return memory.importance * std::pow(1 - rate_per_day, days);
}

std::optional<Scope> parse_scope(std::string_view text) {
  if (text == "global") return Scope();
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  Scope scope{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  return is_one_of(scope.type, memory_scopes()) ? std::optional(scope) : std::nullopt;
}

}  // namespace reprise
