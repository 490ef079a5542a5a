// Signals that one run sends to another: effects of the kind "run.signal" with the arguments
// {"run","name","value"?}. First the sender commits the request, then the signal is recorded in the
// other run, with a key made of the sender, its identity and the effect, then the sender has its
// result: whoever does it again changes nothing.
#pragma once

#include "engine/children.h"

namespace reprise {

/// Records the signal that an open effect of the sender asks for in the other run of the folder,
/// which does not go on by that, and posts what became of it: the value {"runId","name"}, or the
/// error RunSignalRefused with data {"code"}: there is no such run, it has ended, its process does
/// not want the signal, or the request is none. Errors: what may be different the next time (a run
/// that is locked or damaged, a full disk); nothing is posted then.
Posted deliver_signal(const RunFolder& folder, Dir& sender_dir, const RunState& sender,
                      const OpenEffect& effect, const Context& context);

}  // namespace reprise
