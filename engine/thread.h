// Threads of channels: what they inherit is handed over when they are made, since their parent may
// change, or be gone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/context.h"
#include "engine/workspace.h"

namespace reprise {

/// A label of threads: the channel above them.
constexpr const char* kParentLabel = "parent-channel";

/// A channel that lives, of exactly this id. Errors: CHANNEL_NOT_FOUND, NOT_A_CHANNEL (exit 3),
/// CHANNEL_DELETED (exit 4).
RunHandle find_live_channel(Workspace& workspace, const std::string& id);

/// Of a message that was processed: did its cause answer it, or was it given up?
bool is_answered(std::string_view cause);

/// Inputs of a thread, a JSON object: parent, and as far as the parent has them platform, guild,
/// dir, parentDir (of the nearest ancestor that is no worktree), forkFrom, permissions.
std::string inherited_by_thread(Workspace& workspace, const Context& context,
                                const RunHandle& parent);

}  // namespace reprise
