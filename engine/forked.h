// Work that may crash or never end, done where it harms nobody: in a copy of this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace reprise {

using Tell = std::function<void(std::string_view)>;

/// Runs `work` in a child process and returns everything that it told until it ended, in whichever
/// way. The child is ended after so many seconds of computing (0: it may take any time), and when
/// this process ends. Of what `work` changes nothing is seen here; it must not throw, nor need
/// threads of this process. Errors: those of system_error.
std::string run_forked(const std::function<void(const Tell&)>& work, unsigned seconds = 0);

}  // namespace reprise
