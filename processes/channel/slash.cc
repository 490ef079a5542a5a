#include "processes/channel/slash.h"

namespace reprise::channel {

bool perform_slash(Scribe&, const std::string&, const std::string&) { return false; }

}  // namespace reprise::channel
