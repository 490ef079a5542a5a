// JSON scalars as they stand in the text: what is acceptable, and the canonical form of numbers.
#pragma once

#include <string>
#include <string_view>

#include "json/string.h"

namespace reprise {

using json::read_string;
using json::TokenFault;

/// Appends the shortest literal that reads as the same double. 1, 1.0 and 1e0 are one number; 0 and
/// -0 are two, because a process can tell them apart. An integer literal must be one that a double
/// holds exactly.
TokenFault append_canonical_number(std::string& out, std::string_view literal);

}  // namespace reprise
