#include "journal/witness.h"

#include <bit>
#include <cstring>

#include "journal/hash.h"

namespace reprise {

namespace {

constexpr char kPath[] = "state/head";
constexpr uint32_t kMagic = 0x31574852;  // "RHW1"

static_assert(std::endian::native == std::endian::little, "the slots are little-endian");

/// The bytes of a slot.
struct Slot {
  uint32_t magic = 0;
  uint32_t segment = 0;
  uint64_t generation = 0;
  uint64_t seq = 0;
  uint64_t offset = 0;
  uint64_t sum = 0;
  BootId boot{};
  uint64_t check = 0;  ///< XXH3-64 of the bytes before it
};
static_assert(sizeof(Slot) == kWitnessSlotSize);

uint64_t check_of(const Slot& slot) {
  return hash64({reinterpret_cast<const char*>(&slot), offsetof(Slot, check)});
}

std::optional<Witness> decode_slot(std::string_view bytes) {
  Slot slot;
  std::memcpy(&slot, bytes.data(), sizeof slot);
  if (slot.magic != kMagic || slot.check != check_of(slot)) return std::nullopt;
  Witness witness;
  witness.head.seq = slot.seq;
  witness.head.segment = slot.segment;
  witness.head.offset = slot.offset;
  witness.head.sum = slot.sum;
  witness.generation = slot.generation;
  witness.boot = slot.boot;
  return witness;
}

std::optional<Witness> read_slots(File& file) {
  char bytes[kWitnessSize];
  return decode_witness({bytes, file.read_at(0, bytes, sizeof bytes)});
}

}  // namespace

bool same_place(const Head& a, const Head& b) {
  return a.seq == b.seq && a.segment == b.segment && a.offset == b.offset && a.sum == b.sum;
}

std::string encode_slot(const Witness& witness) {
  Slot slot;
  slot.magic = kMagic;
  slot.segment = witness.head.segment;
  slot.generation = witness.generation;
  slot.seq = witness.head.seq;
  slot.offset = witness.head.offset;
  slot.sum = witness.head.sum;
  slot.boot = witness.boot;
  slot.check = check_of(slot);
  return std::string(reinterpret_cast<const char*>(&slot), sizeof slot);
}

std::optional<Witness> decode_witness(std::string_view bytes) {
  std::optional<Witness> newest;
  for (; bytes.size() >= kWitnessSlotSize; bytes.remove_prefix(kWitnessSlotSize)) {
    const std::optional<Witness> slot = decode_slot(bytes);
    if (slot && (!newest || slot->generation > newest->generation)) newest = slot;
  }
  return newest;
}

std::optional<Witness> read_witness(Dir& run) {
  const std::unique_ptr<File> file = run.open(kPath, Access::kRead);
  return file ? read_slots(*file) : std::nullopt;
}

bool of_this_boot(Dir& run, const Witness& witness) {
  return witness.boot != BootId{} && witness.boot == run.boot_id();
}

WitnessFile::WitnessFile(Dir& run) : x_run(run), x_file(run.open(kPath, Access::kWrite)) {
  if (x_file) x_last = read_slots(*x_file);
}

bool WitnessFile::is_at(const Head& head) const {
  if (!x_file || !x_last) return false;
  const std::optional<Witness> there = read_slots(*x_file);
  return there && there->generation == x_last->generation && same_place(there->head, head);
}

void WitnessFile::move_to(const Head& head) {
  if (!x_file) {
    x_run.make_dir("state");
    x_file = x_run.open(kPath, Access::kCreate);
  }
  if (!x_boot) x_boot = x_run.boot_id();
  const Witness next{head, x_last ? x_last->generation + 1 : 0, *x_boot};
  x_file->write_at(next.generation % 2 * kWitnessSlotSize, encode_slot(next));
  x_last = next;
}

}  // namespace reprise
