// How many pieces of work an executor performs at a time, counted over all processes of a home: a
// machine with one graphics card answers one question, and an account has its limits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "journal/files.h"

namespace reprise {

/// Waits for one of `slots` places: locks on <home>/slots/<executor>/0 and so on, which the kernel
/// frees when their process dies. Those who wait stand behind a lock of their own, and the first of
/// them takes what becomes free: whoever comes later cannot pass the one that is first, though the
/// order behind it is not kept. `give_up` is asked several times a second; nullptr when it says so.
std::unique_ptr<FileLock> take_slot(const std::string& home, const std::string& executor,
                                    uint32_t slots, const std::function<bool()>& give_up);

}  // namespace reprise
