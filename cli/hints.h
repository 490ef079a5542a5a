// Commands that a text shows, so that they can be typed as they stand.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// The text with `place` ("--home DIR", "--runs-dir DIR", as a shell takes it) behind the name of
/// each command in it: "reprise run:list" becomes "reprise run:list --home DIR". Where it says
/// --home or --runs-dir already, or `place` is empty, it is left as it is.
std::string with_place(std::string_view text, std::string_view place);

/// The same in the lines that say what to type next ("  next  reprise ..." and what stands below
/// it, "  waits  for ...", "  reprise ..."); what else a command shows is left as it is.
std::string next_with_place(std::string_view text, std::string_view place);

/// The text with `run`, as a shell takes it, where a command in it is about RUN: "reprise task:list
/// RUN" becomes "reprise task:list r". RUN elsewhere is left as it is.
std::string with_run(std::string_view text, std::string_view run);

}  // namespace reprise
