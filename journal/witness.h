// state/head, the witness: the last commit that is known to be durable. Two slots of 64 bytes, each
// with its own sum, are written in turn after each durable commit and not synced. So the witness
// may lag behind the journal, and is never ahead of what was durable: a journal that ends before
// its witness has lost records. A witness that cannot be read is no witness, and no error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "journal/files.h"
#include "journal/journal.h"

namespace reprise {

constexpr size_t kWitnessSlotSize = 64;
constexpr size_t kWitnessSize = 2 * kWitnessSlotSize;

struct Witness {
  Head head;  ///< without at_ms, which the witness does not hold
  uint64_t generation = 0;
  BootId boot{};
};

/// Whether two heads are the same place with the same sum (at_ms aside).
bool same_place(const Head& a, const Head& b);

std::string encode_slot(const Witness& witness);
/// The newer of the valid slots.
std::optional<Witness> decode_witness(std::string_view bytes);

std::optional<Witness> read_witness(Dir& run);

/// Whether the witness was written since the machine started.
bool of_this_boot(Dir& run, const Witness& witness);

/// The writer's witness: read once, then moved after each commit.
class WitnessFile {
 public:
  explicit WitnessFile(Dir& run);

  const std::optional<Witness>& last() const { return x_last; }
  void move_to(const Head& head);
  /// Whether it is there, and the one that this object wrote last, at `head`.
  bool is_at(const Head& head) const;

 private:
  Dir& x_run;
  std::unique_ptr<File> x_file;  ///< null until it exists
  std::optional<Witness> x_last;
  std::optional<BootId> x_boot;  ///< asked when first needed
};

}  // namespace reprise
