#include "processes/subconscious/report.h"

#include "processes/subconscious/texts.h"

namespace reprise::subconscious {

Report compose_report(const std::vector<Section>& sections, size_t budget_bytes) {
  Report report;
  for (const auto& section : sections) {
    if (section.text.empty()) continue;
    auto text = (report.text.empty() ? "## " : "\n## ") + section.title + "\n\n" + section.text;
    if (!text.ends_with('\n')) text += '\n';
    const auto part = cut(text, budget_bytes - report.text.size());
    report.truncated = part.size() < text.size();
    if (!part.empty()) report.sections.push_back(section.name);
    report.text += part;
    if (report.truncated) {
      report.text += kCutMarker;
      return report;
    }
  }
  if (report.text.empty()) report.text = cut("Nothing is known of the home.\n", budget_bytes);
  return report;
}

}  // namespace reprise::subconscious
