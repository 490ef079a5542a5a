// What the text of a process file says about itself, found without running it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/source_tokens.h"

namespace reprise {

struct DefinedTask {
  std::string id;  ///< of defineTask('id', ...) and defineTask({ id: 'id', ... })
  SourcePlace place;
};
std::vector<DefinedTask> find_tasks(std::string_view source,
                                    const std::vector<SourceToken>& tokens);

/// Looks as if it exported a process: `export async function process`, `export { x as process }`,
/// `exports.process = `, `export * from`, a function as the default export.
bool exports_process(const std::vector<SourceToken>& tokens);

/// A member that the process function takes from its second parameter, at its first use there.
struct MemberUse {
  std::string name;
  SourcePlace place;
};
struct ProcessFunction {
  SourcePlace place;               ///< 1:1 when it was not found
  std::string ctx = "ctx";         ///< what it calls its second parameter
  std::vector<MemberUse> members;  ///< without those that the function itself asks about first, as
                                   ///< in `if (ctx.x)`, `ctx.x?.()`, `ctx.x ?? y`
};
ProcessFunction find_process_function(std::string_view source,
                                      const std::vector<SourceToken>& tokens);

/// What stands behind "@inputs" in a comment: "{ name: string, depth?: number }", without the
/// stars of its lines. Empty when there is none.
std::string find_inputs_comment(const std::vector<SourceToken>& tokens);

/// Declares an inputSchema that it may export.
bool declares_input_schema(const std::vector<SourceToken>& tokens);

}  // namespace reprise
