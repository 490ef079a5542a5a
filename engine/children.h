// Child runs: what ctx.run asks for, an effect of kind "run" with the arguments {"entry","inputs"}.
// A child is a run of its own in the same folder. Its id is derived, so whoever finds it missing
// makes it, and whoever finds it ended posts its end, any number of times.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/context.h"
#include "engine/pin.h"
#include "engine/post.h"
#include "engine/run_state.h"
#include "journal/files.h"

namespace reprise {

/// A folder of runs: a run's parent and children are in the same one.
struct RunFolder {
  Dir& runs;
  std::string path;   ///< where it is, recorded as part of the identity of runs made in it
  SourceReader read;  ///< sources of child runs that their parent has not pinned
};

/// "<parent>.<effect>"; where that is longer than a run id may be, the parent's id is cut and its
/// digest follows.
std::string child_run_id(std::string_view parent, uint64_t effect);

struct ChildRun {
  std::unique_ptr<Dir> dir;
  RunState state;
};

/// The child of that effect; nullopt when it was not made yet. Error RUN_EXISTS (exit 4) when a run
/// that is nobody's child, or another's, has its id: also one of an earlier run of the parent's id.
std::optional<ChildRun> find_child(const RunFolder& folder, const RunState& parent,
                                   uint64_t effect);

/// Makes the child that an open effect of the parent asks for: its process from the parent's pinned
/// modules or from where these came from ("path.js#export", relative to the parent's entry), or
/// "builtin:NAME". Making one that exists is success. Errors: CHILD_INVALID (exit 2) and those of
/// create_run.
void create_child(const RunFolder& folder, Dir& parent_dir, const RunState& parent,
                  const OpenEffect& effect, const Context& context);

/// Posts the end of a child to the parent's effect, any number of times: the child's output, or the
/// error ChildRunFailed, ChildRunHalted or ChildRunCancelled with data {"runId","error"|"reason"}.
/// Output that is not what the effect's outputSchema asks for is the error OutputInvalid (and
/// SchemaInvalid when the schema is none) with data {"runId","pointer","reason"?}. `state` is that
/// of the child, which has ended. Errors: those of post_result but for these two.
Posted post_end(Dir& parent, const Context& context, Dir& child, const RunState& state);
/// Would the same request to another run fail in the same way again? Then the error is its result.
bool is_settled_by(const Error& error);
/// The post when there can be no child: ChildRunNotCreated with data {"code"}.
Post child_not_created(uint64_t effect, const Error& error);

}  // namespace reprise
