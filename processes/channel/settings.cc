// What may be set stands in one table. The home checks the same by schemas/config.schema.json; a
// test holds the two together.
#include "processes/channel/settings.h"

#include <algorithm>
#include <array>

#include "unicode/unicode.h"

namespace reprise::channel {

namespace {

enum class Kind : uint8_t { kFlag, kWhole, kShare, kText, kPolicy, kTexts, kPercents };

struct Rule {
  std::string_view path;  ///< "routing.policy"
  Kind kind;
  int64_t least = 0;  ///< of kWhole
  int64_t most = 0;
};

constexpr std::array kRules = {
    Rule{"routing.policy", Kind::kPolicy},
    Rule{"routing.workerWords", Kind::kTexts},
    Rule{"routing.branchWords", Kind::kTexts},
    Rule{"contextWindow", Kind::kWhole, 1, 1'000'000'000},
    Rule{"historyMessages", Kind::kWhole, 1, 10'000},
    Rule{"prefix", Kind::kText},
    Rule{"agent.name", Kind::kText},
    Rule{"runTimeoutSeconds", Kind::kWhole, 1, 31'536'000},
    Rule{"retryOnError", Kind::kWhole, 0, 10},
    Rule{"streaming", Kind::kFlag},
    Rule{"permissions.owners.users", Kind::kTexts},
    Rule{"permissions.owners.roles", Kind::kTexts},
    Rule{"permissions.members.users", Kind::kTexts},
    Rule{"permissions.members.roles", Kind::kTexts},
    Rule{"compactor.soft", Kind::kShare},
    Rule{"compactor.aggressive", Kind::kShare},
    Rule{"compactor.emergency", Kind::kShare},
    Rule{"compactor.keepMessages", Kind::kWhole, 1, 10'000},
    Rule{"compactor.keepTokens", Kind::kWhole, 0, 1'000'000'000},
    Rule{"compactor.reductions", Kind::kPercents},
    Rule{"sessions.autoCloseEnabled", Kind::kFlag},
    Rule{"sessions.autoCloseAfterMinutes", Kind::kWhole, 1, 525'600},
    Rule{"memory.recall", Kind::kFlag},
    Rule{"memory.limit", Kind::kWhole, 1, 100},
    Rule{"todoPatterns", Kind::kFlag},
};

constexpr size_t kMostTexts = 1000;
constexpr size_t kMostCharacters = 256;

bool is_whole(const Json& value, int64_t least, int64_t most) {
  const bool too_big = value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX;
  return value.is_number_integer() && !too_big && value.get<int64_t>() >= least &&
         value.get<int64_t>() <= most;
}

bool is_text(const Json& value) {
  return value.is_string() &&
         unicode::count(value.get_ref<const std::string&>()) <= kMostCharacters;
}

bool is_list_of_texts(const Json& value) {
  return value.is_array() && value.size() <= kMostTexts &&
         std::ranges::all_of(value, [](const Json& it) { return is_text(it) && it != ""; });
}

/// "must be ..." when the value does not follow the rule.
std::string violation(const Rule& rule, const Json& value) {
  switch (rule.kind) {
    case Kind::kFlag:
      return value.is_boolean() ? "" : "must be true or false";
    case Kind::kWhole:
      if (is_whole(value, rule.least, rule.most)) return {};
      return "must be a whole number from " + std::to_string(rule.least) + " to " +
             std::to_string(rule.most);
    case Kind::kShare:
      return value.is_number() && value > 0.0 && value <= 1.0 ? ""
                                                              : "must be above 0 and at most 1";
    case Kind::kText:
      return is_text(value) ? "" : "must be a text of at most 256 characters";
    case Kind::kPolicy:
      return value == "keyword" || value == "direct" ? "" : "must be keyword or direct";
    case Kind::kTexts:
      return is_list_of_texts(value) ? "" : "must be a list of texts of 1 to 256 characters";
    case Kind::kPercents:
      return value.is_array() && value.size() == 3 &&
                     std::ranges::all_of(value, [](const Json& it) { return is_whole(it, 1, 99); })
                 ? ""
                 : "must be three whole numbers from 1 to 99";
  }
  return {};
}

std::string check_at(const Json& value, const std::string& path) {
  for (const auto& [name, member] : value.items()) {
    const auto at = path + name;
    const auto exact = std::ranges::find(kRules, at, &Rule::path);
    const bool above = std::ranges::any_of(
        kRules, [&](const Rule& rule) { return rule.path.starts_with(at + "."); });
    if (exact == kRules.end() && !above) return "there is no setting \"" + at + "\"";
    if (member.is_null()) continue;
    auto wrong = std::string();
    if (exact != kRules.end()) {
      wrong = violation(*exact, member);
    } else if (!member.is_object()) {
      wrong = "must be an object";
    }
    if (!wrong.empty()) return at + " " + wrong;
    if (above) wrong = check_at(member, at + ".");
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::vector<std::string> words_of(const Json& list, std::vector<std::string> otherwise) {
  return list.is_array() ? list.get<std::vector<std::string>>() : std::move(otherwise);
}

}  // namespace

Settings::Settings() { merge(); }

void Settings::evolve(const Event& event) {
  if (event.type != "channel.created" && event.type != "channel.configured") return;
  if (event.payload.contains("configured")) home = event.payload.at("configured");
  if (event.payload.contains("settings")) own.merge_patch(event.payload.at("settings"));
  merge();
}

void Settings::merge() {
  auto merged = home;
  merged.merge_patch(own);
  const auto& routing = member_of(merged, "routing");
  routing_policy = text_of(routing, "policy", "keyword");
  worker_words =
      words_of(member_of(routing, "workerWords"),
               {"implement", "fix", "run", "build", "execute", "тест", "сделай", "запусти"});
  branch_words = words_of(member_of(routing, "branchWords"),
                          {"analyze", "research", "разбери", "обдумай", "архитектур*"});
  context_window = number_of(merged, "contextWindow", 32'000);
  history_messages = static_cast<size_t>(number_of(merged, "historyMessages", 80));
  prefix = text_of(merged, "prefix", "!loop");
  agent_id = text_of(member_of(merged, "agent"), "name", "agent");
  run_timeout_ms = number_of(merged, "runTimeoutSeconds", 3600) * 1000;
  retries_on_error = number_of(merged, "retryOnError", 1);
  streaming = flag_of(merged, "streaming", true);
  merge_compactor(member_of(merged, "compactor"));
  const auto& sessions = member_of(merged, "sessions");
  auto_close = flag_of(sessions, "autoCloseEnabled");
  auto_close_after_ms = number_of(sessions, "autoCloseAfterMinutes", 30) * 60'000;
  const auto& memory = member_of(merged, "memory");
  recall = flag_of(memory, "recall", true);
  recall_limit = static_cast<size_t>(number_of(memory, "limit", 8));
  extract_todos = flag_of(merged, "todoPatterns", true);
  home_permissions = member_of(home, "permissions");
}

void Settings::merge_compactor(const Json& compactor) {
  std::vector<int64_t> reductions = {30, 50, 70};
  if (const auto& told = member_of(compactor, "reductions"); told.is_array()) {
    reductions = told.get<std::vector<int64_t>>();
  }
  levels = {{"soft", real_of(compactor, "soft", 0.80), reductions.at(0)},
            {"aggressive", real_of(compactor, "aggressive", 0.85), reductions.at(1)},
            {"emergency", real_of(compactor, "emergency", 0.95), reductions.at(2)}};
  keep_messages = static_cast<size_t>(number_of(compactor, "keepMessages", 8));
  keep_tokens = number_of(compactor, "keepTokens", 2000);
}

Json Settings::to_json() const { return {{"home", home}, {"own", own}}; }

void Settings::restore(const Json& json) {
  home = json.at("home");
  own = json.at("own");
  merge();
}

Json Settings::shown() const {
  auto reductions = Json::array();
  Json compactor = {{"keepMessages", keep_messages}, {"keepTokens", keep_tokens}};
  for (const auto& level : levels) {
    compactor[level.name] = level.above;
    reductions.push_back(level.reduction_percent);
  }
  compactor["reductions"] = std::move(reductions);
  return {
      {"routing",
       {{"policy", routing_policy}, {"workerWords", worker_words}, {"branchWords", branch_words}}},
      {"contextWindow", context_window},
      {"historyMessages", history_messages},
      {"prefix", prefix},
      {"agent", {{"name", agent_id}}},
      {"runTimeoutSeconds", run_timeout_ms / 1000},
      {"retryOnError", retries_on_error},
      {"streaming", streaming},
      {"compactor", std::move(compactor)},
      {"sessions",
       {{"autoCloseEnabled", auto_close}, {"autoCloseAfterMinutes", auto_close_after_ms / 60'000}}},
      {"memory", {{"recall", recall}, {"limit", recall_limit}}},
      {"todoPatterns", extract_todos}};
}

std::string Settings::check(const Json& settings) {
  if (!settings.is_object()) return "settings must be an object";
  return check_at(settings, "");
}

std::string Settings::check_own(const Json& settings) {
  if (settings.is_object() && settings.contains("permissions")) {
    return "permissions are no settings of a channel: channel:allow and channel:deny change them";
  }
  return check(settings);
}

}  // namespace reprise::channel
