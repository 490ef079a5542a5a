// Lines with the sums that they should have, so that what stands in them is looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::fuzz {

/// The line (without its newline) with its last bytes, those of a sum, computed anew. Of a
/// segment's header the sum before it is what the header says. Sets `sum` to the line's.
std::string sealed_line(std::string_view line, uint64_t previous, uint64_t* sum);

/// All lines, each sealed behind the one before; segment 1 begins with its identity's sum.
std::string sealed_lines(std::string_view lines);

}  // namespace reprise::fuzz
