// Damage as an Error, for those who cannot go on with it.
#pragma once

#include "journal/error.h"
#include "journal/journal.h"

namespace reprise {

/// JOURNAL_CORRUPT or JOURNAL_RECORDS_MISSING, exit 5.
Error damage_error(const Damage& damage);

}  // namespace reprise
