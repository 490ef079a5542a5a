#include "processes/script/specifiers.h"

#include <array>
#include <vector>

namespace reprise::script {

namespace {

constexpr std::string_view kTask =
    "do this work in a task: defineTask(id, args => ({ kind: 'shell', shell: { command } })), then "
    "await ctx.task(...)";

constexpr std::array<std::string_view, 32> kNodeModules = {"assert",
                                                           "async_hooks",
                                                           "buffer",
                                                           "child_process",
                                                           "cluster",
                                                           "console",
                                                           "dgram",
                                                           "dns",
                                                           "events",
                                                           "fs",
                                                           "fs/promises",
                                                           "http",
                                                           "http2",
                                                           "https",
                                                           "module",
                                                           "net",
                                                           "os",
                                                           "perf_hooks",
                                                           "process",
                                                           "querystring",
                                                           "readline",
                                                           "stream",
                                                           "string_decoder",
                                                           "timers",
                                                           "timers/promises",
                                                           "tls",
                                                           "tty",
                                                           "url",
                                                           "util",
                                                           "v8",
                                                           "vm",
                                                           "zlib"};

bool is_node_module(std::string_view name) {
  for (std::string_view known : kNodeModules) {
    if (known == name) return true;
  }
  return false;
}

}  // namespace

std::optional<Provided> provided_module(std::string_view specifier) {
  if (specifier == "reprise" || specifier == "@a5c-ai/babysitter-sdk") return Provided::kSdk;
  if (specifier == "node:path" || specifier == "path" || specifier == "node:path/posix" ||
      specifier == "path/posix") {
    return Provided::kPath;
  }
  return std::nullopt;
}

bool is_relative(std::string_view specifier) {
  return specifier.starts_with("./") || specifier.starts_with("../");
}

std::optional<std::string> resolve_relative(std::string_view from, std::string_view specifier) {
  size_t slash = from.rfind('/');
  std::string path(slash == std::string_view::npos ? "" : from.substr(0, slash + 1));
  path += specifier;
  std::vector<std::string_view> parts;
  for (std::string_view rest = path; !rest.empty();) {
    size_t end = rest.find('/');
    std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  std::string out;
  for (std::string_view part : parts) {
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

std::string refusal(std::string_view specifier) {
  std::string quoted = "'" + std::string(specifier) + "'";
  std::string_view name = specifier.starts_with("node:") ? specifier.substr(5) : specifier;
  if (name == "crypto") {
    return quoted +
           " is not available to a process: use ctx.random() or ctx.uuid(), which are replayed, or "
           "do this work "
           "in a task";
  }
  if (name == "timers" || name == "timers/promises") {
    return quoted + " is not available to a process: use await ctx.sleepUntil(time)";
  }
  if (specifier.starts_with("node:") || is_node_module(specifier)) {
    return quoted +
           " is not available to a process, which may not touch files, network, clock or "
           "environment: " +
           std::string(kTask);
  }
  if (specifier.find("://") != std::string_view::npos) {
    return quoted +
           " is a URL: a process imports only files beside it; copy the module there and import "
           "'./name.js'";
  }
  if (specifier.starts_with("/")) {
    return quoted +
           " is an absolute path, which would not move with the process: import it by a relative "
           "path";
  }
  if (specifier.empty() || specifier == "." || specifier == "..") {
    return quoted + " does not name a file: import './name.js'";
  }
  return quoted +
         " is a package, and packages are not available to a process: copy the module beside it "
         "and import " +
         "'./name.js', or use the package in a task";
}

}  // namespace reprise::script
