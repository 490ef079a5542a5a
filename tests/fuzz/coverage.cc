// The target as libFuzzer drives it: guided by coverage, besides its own mutations by ours, which
// know the target's words.
#include <algorithm>
#include <string>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

using namespace reprise::fuzz;

// NOLINTBEGIN(readability-identifier-naming): libFuzzer gives the names.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kTarget.check({reinterpret_cast<const char*>(data), size}, Subject::kReal);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string changed = mutate(input, input, kTarget.words, seed);
  const size_t kept = std::min(changed.size(), max_size);
  std::copy_n(changed.begin(), kept, data);
  return kept;
}
// NOLINTEND(readability-identifier-naming)
