// A command that starts programs, and what is to happen to them when SIGKILL ends it.
#pragma once

#include "engine/descriptor.h"

namespace reprise {

/// Goes on in a child of this process, in a process group of its own, and returns there. What was
/// this process only passes on the signals that end it, and ends as the child does. When it is
/// killed, the descriptor that is returned comes to its end: the child is to end what it began.
/// When the child is killed, all that it began is ended here. To be called before any thread.
/// Errors: those of system_error.
Descriptor go_on_guarded();

/// Is the guard gone?
bool guard_has_ended(const Descriptor& lifeline);

}  // namespace reprise
