// What it means that reading stopped: a torn tail, corruption, or missing records
// (docs/journal-format.md).
#pragma once

#include <optional>

#include "journal/journal.h"
#include "journal/scan.h"

namespace reprise {

struct Findings {
  Tail tail;
  bool torn = false;  ///< an incomplete commit, perhaps of no bytes, lies behind the head
  std::optional<Damage> damage;  ///< corrupt or missing
};

Findings judge(Dir& run, const ScanResult& scan, const std::optional<Witness>& witness);

}  // namespace reprise
