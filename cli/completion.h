// Scripts that complete this program's command lines in shells, made from the command table.
#pragma once

#include <string>

namespace reprise {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace reprise
