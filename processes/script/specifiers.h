// What an import names, and what to say about those that a process cannot have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace reprise::script {

enum class Provided { kSdk, kPath };

/// The built-in module behind a specifier, if it is one: 'reprise', '@a5c-ai/babysitter-sdk',
/// 'node:path', 'path'.
std::optional<Provided> provided_module(std::string_view specifier);

/// "./x.js", "../x.js".
bool is_relative(std::string_view specifier);

/// The path below the pinned root that a relative specifier names from a file there; nothing when
/// it leaves the root.
std::optional<std::string> resolve_relative(std::string_view from, std::string_view specifier);

/// Why anything else is refused, and what to do instead.
std::string refusal(std::string_view specifier);

}  // namespace reprise::script
