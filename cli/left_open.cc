#include "cli/left_open.h"

#include <algorithm>

#include "cli/text.h"

namespace reprise {

std::string effects_left_open(const Document& abandoned) {
  constexpr size_t kShown = 12;
  std::string names;
  for (size_t i = 0; i < std::min(abandoned.size(), kShown); ++i) {
    names += (i == 0 ? "" : " ") + shown(abandoned[i].get<std::string>());
  }
  return names + (abandoned.size() > kShown ? " ...," : ",") + " open at the end";
}

}  // namespace reprise
