// The command table as a manual page.
#pragma once

#include <string>

namespace reprise {

/// docs/man/reprise.1, in man(7). A test compares the file with this; scripts/docs writes it.
std::string man_page();

}  // namespace reprise
