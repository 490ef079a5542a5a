// Commands that a text shows, so that they can be typed as they stand.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// The text with --home behind the name of each command in it: "reprise run:list" becomes "reprise
/// run:list --home DIR". Where it says --home already it is left as it is.
std::string with_home(std::string_view text, std::string_view home);

/// The same in the lines that say what to type next ("  next  reprise ..." and what stands below
/// it, "  waits  for ..."); what else a command shows is left as it is.
std::string next_with_home(std::string_view text, std::string_view home);

}  // namespace reprise
