// A journal record as run:events and run:watch show it.
#pragma once

#include <string>

#include "cli/document.h"
#include "journal/record.h"

namespace reprise {

/// {"seq","type","recordedAt","cause"?,"applied"?,"path","data"}
Document event_document(const RecordView& record);

/// What a person looks for in it, on part of a line, safe to show; all of it is in the document.
std::string gist_of(const Document& event);

}  // namespace reprise
