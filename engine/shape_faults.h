// What is wrong with options and definitions that run all the same, and do something else than
// their author meant: a member that nothing reads and that is nearly one that is read (members that
// are near nothing are the author's own); a definition that no executor could perform.
#pragma once

#include <string>
#include <vector>

#include "engine/object_shape.h"

namespace reprise {

struct ShapeFault {
  SourcePlace place;
  std::string code;  ///< MISSPELT_OPTION, UNPERFORMABLE_TASK, MISSING_AWAIT
  std::string message;
};

/// The options of ctx.task.
std::vector<ShapeFault> task_option_faults(const ObjectShape& options);
/// The options of ctx.parallel.all and ctx.parallel.map. Whatever is none of theirs is a slip: they
/// go nowhere, so nobody has any of his own there.
std::vector<ShapeFault> parallel_option_faults(const ObjectShape& options);
/// The options of ctx.breakpoint, and its payload.
std::vector<ShapeFault> breakpoint_option_faults(const ObjectShape& options);
std::vector<ShapeFault> payload_faults(const ObjectShape& payload);
/// A definition, as the builder of that task returns it.
std::vector<ShapeFault> definition_faults(const std::string& task, const ObjectShape& definition);
/// The definition of an effect of that task as it is requested, be it of ctx.task or another call.
std::vector<ShapeFault> request_faults(const std::string& task, const ObjectShape& definition);

}  // namespace reprise
