// What run:assign-process says of one run, and its form for all runs of a home.
#pragma once

#include <string>

#include "cli/document.h"
#include "cli/reply.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/assign.h"

namespace reprise {

/// "processId","entry","assigned", "rules" where newer ones were asked for, "plan" where there is
/// one.
void add_assigned(Document& document, const AssignRequest& request,
                  const AssignedProcess& assigned);
/// "  rules  none -> 1\n", and a line for each change.
std::string rules_text(const Document& rules, const Style& style);

/// The newest rules for every run of the home that has not ended. A script that would decide
/// something else by them is left as it is: it is for people to look at.
Reply assign_rules_of_home(const Session& session, AssignRequest request);
std::string rules_of_home_text(const Document& document, const Style& style);

}  // namespace reprise
