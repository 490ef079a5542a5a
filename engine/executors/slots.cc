#include "engine/executors/slots.h"

#include <cerrno>

#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

constexpr int64_t kTurnMs = 200;
constexpr int64_t kSlotLookMs = 20;

}  // namespace

std::unique_ptr<FileLock> take_slot(const std::string& home, const std::string& executor,
                                    uint32_t slots, const std::function<bool()>& give_up) {
  const auto base = open_real_dir(home, false);
  if (!base) throw system_error("open", home, ENOENT);
  const auto folder = "slots/" + executor;
  base->make_dir(folder);
  const auto dir = base->open_dir(folder);
  std::unique_ptr<FileLock> turn;
  while (!turn) {
    if (give_up()) return nullptr;
    turn = dir->lock("turn", LockMode::kExclusive, kTurnMs, "waits for a slot");
  }
  for (uint32_t n = 0;; ++n) {
    const bool first_round = n < slots;
    auto slot = dir->lock(std::to_string(n % slots), LockMode::kExclusive,
                          first_round ? 0 : kSlotLookMs, executor);
    if (slot) return slot;
    if (give_up()) return nullptr;
  }
}

}  // namespace reprise
