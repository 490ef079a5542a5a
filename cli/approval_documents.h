// How a question to people is printed.
#pragma once

#include <string>
#include <string_view>

#include "cli/reply.h"
#include "engine/approval.h"
#include "engine/index/queries.h"
#include "engine/run_state.h"
#include "engine/workspace.h"

namespace reprise {

/// `run` is the name that finds it: of a copied run the directory's.
Document approval_document(std::string_view run, const RunState& state, const Approval& approval);

/// What is asked, of an approval's document.
std::string approval_title(const Document& approval);
/// What an effect of the index is called before people: a breakpoint's question, which the index
/// does not know; its label when it asks none or its run cannot be read.
std::string title_of(Workspace& workspace, const EffectRow& row);

/// "RUN t3", safe to show.
std::string approval_name(const Document& approval, const char* between = " ");
/// "  next  reprise approval:show RUN t3"
std::string answer_hint(const std::string& words);

}  // namespace reprise
