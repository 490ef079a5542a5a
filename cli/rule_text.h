// A match rule in words.
#pragma once

#include <string>

#include "cli/document.h"

namespace reprise {

/// "kind=agent label=docs*"; "everything" when it asks for nothing. Not yet safe to show.
std::string rule_text(const Document& rule);

}  // namespace reprise
