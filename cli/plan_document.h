// A plan of what other code makes of a history, as a document and as text.
#pragma once

#include <string>

#include "cli/document.h"
#include "cli/text.h"
#include "engine/assign.h"

namespace reprise {

/// [{"what","effectId"?,"settled"?,"claimed"?}]
Document items_document(const std::vector<PlannedItem>& items);
/// {"kept":[...],"new":[...],"notReached":[...],"abandons","end"?,"endedAt"?}
Document plan_document(const PlanSummary& plan);

/// One line an item, behind a title with their number; empty without items.
std::string items_text(const Document& items, const std::string& title, const Style& style);
std::string plan_text(const Document& plan, const Style& style);

}  // namespace reprise
