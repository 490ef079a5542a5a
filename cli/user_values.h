// Values as people type them: times, durations, K=V pairs, the inputs of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "journal/value.h"

namespace reprise {

/// "500ms", "30s", "2m", "1h". Error INVALID_ARGUMENT, exit 2, otherwise; `flag` names it.
int64_t parse_duration_ms(std::string_view text, std::string_view flag);
/// As format_time writes it, also with an offset. Error INVALID_ARGUMENT, exit 2.
int64_t parse_time_flag(std::string_view text, std::string_view flag);

/// Each "K=V"; a name given twice or empty is refused.
std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& words,
                                               std::string_view flag);

/// The inputs of a run: the document (empty: none), with the pairs as members set in it. A pair's
/// value is JSON when it reads as JSON, else a string. Without either it is {}.
Value make_inputs(std::string_view document, const std::vector<std::string>& pairs);
/// Of each pair whose value was probably meant to be JSON and is taken as a string, what to say.
std::vector<std::string> pair_warnings(const std::vector<std::string>& pairs);

}  // namespace reprise
