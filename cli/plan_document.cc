#include "cli/plan_document.h"

#include "journal/ids.h"

namespace reprise {

namespace {

// A plan over a long history is for machines; people see its beginning.
constexpr size_t kShownItems = 20;
constexpr size_t kItemWidth = 100;

}  // namespace

Document items_document(const std::vector<PlannedItem>& items) {
  Document list = Document::array();
  for (const auto& item : items) {
    Document one = {{"what", item.words}};
    if (item.effect != 0) one["effectId"] = format_effect_id(item.effect);
    if (item.settled) one["settled"] = true;
    if (item.claimed) one["claimed"] = true;
    list.push_back(std::move(one));
  }
  return list;
}

Document plan_document(const PlanSummary& plan) {
  Document document = {{"kept", items_document(plan.kept)},
                       {"new", items_document(plan.added)},
                       {"notReached", items_document(plan.reserve)},
                       {"abandons", plan.abandons}};
  if (!plan.end.empty()) {
    document["end"] = plan.end;
    document["endedAt"] = plan.ended_at;
  }
  return document;
}

std::string items_text(const Document& items, const std::string& title, const Style& style) {
  if (items.empty()) return {};
  std::string out =
      "  " + paint(style, Colour::kBold, title) + " (" + std::to_string(items.size()) + ")\n";
  size_t count = 0;
  for (const auto& item : items) {
    if (++count > kShownItems) {
      return out + "    ... and " + std::to_string(items.size() - kShownItems) +
             " more: --json shows all\n";
    }
    out += "    " + shown(item["what"].get<std::string>(), kItemWidth);
    if (item.contains("settled")) out += paint(style, Colour::kDim, "  has its result");
    if (item.contains("claimed")) out += paint(style, Colour::kYellow, "  is being worked on");
    out += "\n";
  }
  return out;
}

std::string plan_text(const Document& plan, const Style& style) {
  std::string out =
      "  " +
      counted(plan["kept"].size(), "recorded command is kept", "recorded commands are kept") + "\n";
  out += items_text(plan["new"], "asked for anew", style);
  out += items_text(plan["notReached"],
                    plan["abandons"] ? "cancelled: the new code has not reached them"
                                     : "not reached yet, kept for later",
                    style);
  if (plan.contains("end")) {
    out += "  " + paint(style, Colour::kYellow, "ends at record ") +
           std::to_string(plan["endedAt"].get<uint64_t>()) + ": " +
           shown(plan["end"].get<std::string>(), kItemWidth) + "\n";
  }
  return out;
}

}  // namespace reprise
