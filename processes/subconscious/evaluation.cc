#include "processes/subconscious/evaluation.h"

#include <algorithm>
#include <array>

#include "processes/subconscious/texts.h"
#include "unicode/unicode.h"

namespace reprise::subconscious {

using kit::Json;
using kit::member_of;
using kit::text_of;

namespace {

/// How many beginnings of JSON are tried in a text: prose may hold braces, too.
constexpr int kMostTries = 50;
constexpr size_t kMostRejected = 100;
constexpr size_t kMostReasonBytes = 2000;

const Json* evaluations_of(const Json& json) {
  if (json.is_array()) return &json;
  const auto& list = member_of(json, "evaluations");
  return list.is_array() ? &list : nullptr;
}

/// The first JSON in a text that holds evaluations: from each brace or bracket to the last of its
/// kind. Empty brackets are an answer when they are all that it says; in prose they may be
/// anything.
std::optional<Json> find_json(std::string_view text) {
  if (unicode::trimmed(text) == "[]") return Json::array();
  auto from = text.find_first_of("{[");
  for (int tries = 0; from != std::string_view::npos && tries < kMostTries; ++tries) {
    const auto to = text.rfind(text[from] == '{' ? '}' : ']');
    if (to != std::string_view::npos && to > from) {
      auto json = Json::parse(text.substr(from, to - from + 1), nullptr, false);
      const bool holds = evaluations_of(json) != nullptr && (json.is_object() || !json.empty());
      if (holds) return json;
    }
    from = text.find_first_of("{[", from + 1);
  }
  return std::nullopt;
}

std::optional<Json> list_of(const Json& answer) {
  if (const auto* list = evaluations_of(answer)) return *list;
  std::string text = answer.is_string() ? answer.get<std::string>() : std::string();
  for (const char* name : {"text", "output", "stdout", "result"}) {
    if (text.empty()) text = text_of(answer, name);
  }
  const auto found = find_json(text);
  if (!found) return std::nullopt;
  return *evaluations_of(*found);
}

std::optional<Verdict> verdict_of(const std::string& word) {
  const auto folded = unicode::fold(unicode::trimmed(word));
  if (folded == "noop" || folded == "skip") return Verdict::kNoop;
  if (folded == "act") return Verdict::kAct;
  if (folded == "escalate") return Verdict::kEscalate;
  return std::nullopt;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"noop", "act", "escalate"};
  return kNames.at(static_cast<size_t>(verdict));
}

std::optional<Evaluation> read_evaluation(const Json& answer, const std::vector<std::string>& due) {
  const auto list = list_of(answer);
  if (!list) return std::nullopt;
  Evaluation evaluation;
  std::map<std::string, Decision> decided;
  bool is_readable = list->empty();  // nothing is worth a word
  const auto reject = [&](const std::string& id, const std::string& why) {
    if (evaluation.rejected.size() < kMostRejected) {
      evaluation.rejected.push_back({shortened(id, 100), why});
    }
  };
  for (const auto& item : *list) {
    const auto id = text_of(item, "taskId", text_of(item, "task_id"));
    const auto word = text_of(item, "decision");
    const auto verdict = verdict_of(word);
    is_readable = is_readable || (verdict && !id.empty());
    if (std::ranges::find(due, id) == due.end()) {
      reject(id, "it is no task of this tick");
    } else if (!verdict) {
      reject(id, "its decision is \"" + shortened(word, 40) + "\"");
    } else if (!decided
                    .emplace(id, Decision{id, *verdict,
                                          shortened(text_of(item, "reason"), kMostReasonBytes)})
                    .second) {
      reject(id, "it is named twice: the first counts");
    }
  }
  if (!is_readable) return std::nullopt;
  for (const auto& id : due) {
    const auto found = decided.find(id);
    if (found == decided.end()) {
      evaluation.missing.push_back(id);
    } else {
      evaluation.decisions.push_back(found->second);
    }
  }
  return evaluation;
}

}  // namespace reprise::subconscious
