// What an action is refused with.
#pragma once

#include <string>

#include "journal/error.h"

namespace reprise::test {

/// Code of the Error that the action throws; empty when it throws none.
template <typename Action>
std::string code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

}  // namespace reprise::test
