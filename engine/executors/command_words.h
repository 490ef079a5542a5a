// Which programs a command line would run, as far as its text tells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

using Words = std::vector<std::string>;

/// The commands that these words run, each as its words: the command itself, and those behind
/// wrappers (env, sudo, xargs, nohup, timeout, exec, find -exec, ...) and in the scripts of shells
/// (-c, eval, here-documents), with their pipelines, lists, groups and substitutions. A program
/// that only a variable names, or that a program starts on its own, is not seen.
std::vector<Words> commands_in(const Words& words);

/// The same of a shell script's text.
std::vector<Words> commands_in_script(std::string_view script);

}  // namespace reprise
