#include "cli/list_flags.h"

#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/units.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {

uint64_t limit_flag(const Arguments& arguments, uint64_t otherwise) {
  const uint64_t limit = arguments.count("--limit").value_or(otherwise);
  return arguments.has("--all") ? UINT64_MAX : limit;
}

std::optional<int64_t> since_flag(const Arguments& arguments, int64_t now_ms) {
  const auto since = arguments.value("--since");
  if (!since) return std::nullopt;
  if (const auto time = parse_time(*since)) return time;
  if (const auto duration_ms = parse_duration(*since)) return now_ms - *duration_ms;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--since is a time or how long ago, not \"" + *since + "\"",
              "as 2026-11-21T20:15:02.114Z, or 90s, 15m, 2h");
}

std::pair<std::string, uint64_t> effect_cursor_flag(const Arguments& arguments) {
  const auto after = arguments.value("--after");
  if (!after) return {};
  const auto slash = after->rfind('/');
  const auto effect =
      slash == std::string::npos ? std::nullopt : parse_effect_id(after->substr(slash + 1));
  if (effect) return {after->substr(0, slash), *effect};
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--after of all runs is RUN/EFFECT, not \"" + *after + "\"",
              "use the \"next\" of the list before");
}

std::string more_hint(const Document& document) {
  if (!document.contains("next")) return {};
  return "more: --after " + shown(document["next"].get<std::string>()) + " or --all\n";
}

}  // namespace reprise
