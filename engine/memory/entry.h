// A memory: something worth knowing later, with what it is about. Its truth are the domain events
// memory.saved, memory.updated, memory.forgotten and memory.recalled, in the journals of whoever
// told them (docs/memory.md); here is how they are checked, completed and folded. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

constexpr size_t kLongestNoteBytes = size_t{64} << 10U;
constexpr double kDefaultImportance = 0.5;
constexpr double kDefaultConfidence = 0.7;
/// What importance loses in a day without access.
constexpr double kDecayPerDay = 0.05;
constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

/// Whose memory it is: "global", or a project, a channel, an agent of that id.
struct Scope {
  std::string type = "global";
  std::string id = "global";
  bool operator==(const Scope&) const = default;
};

struct Memory {
  std::string id;
  std::string run;  ///< whose journal holds it
  std::string note;
  std::string summary;
  std::string kind;  ///< identity goal decision todo preference fact event observation
  std::string cls;   ///< episodic semantic procedural bulletin
  Scope scope;
  std::string source_type;
  std::string source_id;
  double importance = kDefaultImportance;  ///< as saved: see importance_at
  double confidence = kDefaultConfidence;
  std::string metadata;  ///< a JSON object, or empty
  int64_t created_ms = 0;
  int64_t updated_ms = 0;
  int64_t accessed_ms = 0;  ///< when a recall last found it; 0: never
  std::optional<int64_t> expires_ms;
  std::optional<int64_t> forgotten_ms;
};

const std::vector<std::string_view>& memory_kinds();
const std::vector<std::string_view>& memory_classes();
const std::vector<std::string_view>& memory_scopes();
const std::vector<std::string_view>& memory_relations();

/// What a note without a kind most likely is, by its words.
std::string_view infer_kind(std::string_view note);
std::string_view default_class(std::string_view kind);

/// A memory as somebody gives it, made whole: kind, class, scope, importance, confidence and
/// expiresAt are filled in by the rules of docs/memory.md. Minified JSON. Error MEMORY_INVALID
/// (exit 2) names what is wrong with it.
std::string complete_memory(std::string_view json, int64_t now_ms);
/// Changes to one: checked, nothing filled in. A null removes a member.
std::string checked_changes(std::string_view json);
/// {"from","to","relation","weight"?,"provenance"?}: checked, the weight filled in. Error
/// MEMORY_INVALID.
std::string complete_link(std::string_view json);

/// One domain event about a memory.
struct MemoryFact {
  std::string_view run;
  std::string_view type;  ///< "memory.saved"
  int64_t at_ms = 0;
  std::string_view payload;
};
/// Folds it. What a payload leaves out or has wrong gets the default; without a note nothing is
/// saved. Facts before the first memory.saved, and those of other types, change nothing.
void fold_fact(std::optional<Memory>& memory, const MemoryFact& fact);

/// Whose a scope is that names only its type: that of the run which says so.
std::string own_scope_id(std::string_view type, std::string_view run);

/// The id that a payload names, as all runs know it: one without a slash that a run other than
/// `memory` gave is "<run>/<id>"; "memory/m7" is "m7".
std::string global_memory_id(std::string_view run, std::string_view id);

/// The same the other way: a name that every run can use in its events. "m7" is "memory/m7".
std::string told_memory_id(const std::string& id);

/// Neither forgotten nor expired.
bool is_live(const Memory& memory, int64_t now_ms);

/// importance x (1 - rate) ^ days since the last change or access. Those of kind identity and class
/// bulletin do not fade.
double importance_at(const Memory& memory, int64_t now_ms, double rate_per_day = kDecayPerDay);

/// "channel:web" or "global". nullopt for anything else.
std::optional<Scope> parse_scope(std::string_view text);

}  // namespace reprise
