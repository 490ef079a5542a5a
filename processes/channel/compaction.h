// One compaction: how it is asked for, and what comes of it. For compactor.cc alone.
#pragma once

#include <string>

#include "processes/channel/scribe.h"

namespace reprise::channel {

/// Gives up the jobs of lower levels: this one takes over.
void supersede_compactions(Scribe& scribe, const std::string& level);
/// A level is passed, but all that there is must stay.
void tell_nothing_to_fold(Scribe& scribe, const std::string& level);
/// A summary did not help; the second time in a row the channel says so.
void tell_ineffective(Scribe& scribe, const std::string& job_id, const std::string& level,
                      double before, double after);
void write_compactor_row(Scribe& scribe, const std::string& text);

}  // namespace reprise::channel
