// The situation report: what an evaluator is told of the home, within a budget of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::subconscious {

struct Section {
  std::string name;  ///< "memory"
  std::string title;
  std::string text;
};

struct Report {
  std::string text;  ///< valid UTF-8 when the sections are
  bool truncated = false;
  std::vector<std::string> sections;  ///< names of those that are in it, at least in part
};

/// What stands behind a text that was cut; it does not count.
constexpr const char* kCutMarker = "\n[cut here: the budget of the report is spent]\n";

/// The sections in their order, each under its title. One that does not fit is cut between two
/// characters, and what follows it is left out. Empty sections are, too.
Report compose_report(const std::vector<Section>& sections, size_t budget_bytes);

}  // namespace reprise::subconscious
