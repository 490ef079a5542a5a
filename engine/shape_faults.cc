// Each kind of object has words that are read, and words that stand near them and are somebody's
// own all the same: "output" is no slip for outputSchema.
#include "engine/shape_faults.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/suggest.h"

namespace reprise {

namespace {

using KnownWords = std::span<const std::string_view>;

constexpr size_t kShortestSlip = 4;  ///< "age" is no beginning of "agent"

constexpr std::array<std::string_view, 6> kTaskOptions = {"key",   "label",  "timeoutMs",
                                                          "retry", "onLost", "outputSchema"};
constexpr std::array<std::string_view, 1> kTaskOwn = {"output"};

constexpr std::string_view kParallelOption = "maxConcurrency";

constexpr std::array<std::string_view, 6> kBreakpointOptions = {
    "key", "label", "approvers", "quorum", "expires", "outputSchema"};
constexpr std::array<std::string_view, 5> kBreakpointOwn = {"expert", "experts", "approve",
                                                            "approved", "output"};

constexpr std::array<std::string_view, 3> kPayloadWords = {"approvers", "quorum", "expires"};

constexpr std::array<std::string_view, 10> kDefinitionWords = {
    "kind",  "title",  "labels",       "shell",       "agent",
    "retry", "onLost", "outputSchema", "inputSchema", "timeoutMs"};
constexpr std::array<std::string_view, 14> kDefinitionOwn = {
    "agents",  "input", "inputs", "kinds", "label",  "mind",   "output",
    "outputs", "skill", "skills", "time",  "titles", "onLoad", "tile"};

constexpr std::array<std::string_view, 8> kShellWords = {
    "command", "args", "cwd", "env", "stdin", "timeoutMs", "timeout", "expectedExitCode"};

/// Words for the same thing elsewhere.
std::string_view known_elsewhere(std::string_view name, KnownWords words) {
  const auto has = [words](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (const auto* other : {"retries", "maxRetries", "maxAttempts", "attempts"}) {
    if (name == other && has("retry")) return "retry: { maxAttempts }";
  }
  if (name == "cmd" && has("command")) return "command";
  return {};
}

std::string_view meant(std::string_view name, KnownWords words, KnownWords own) {
  const auto is_in = [name](KnownWords list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (is_in(words) || is_in(own)) return {};
  if (const auto other = known_elsewhere(name, words); !other.empty()) return other;
  return name.size() < kShortestSlip ? std::string_view() : nearest(name, words);
}

/// `where` has a member that nothing reads: did you mean ...?
ShapeFault slip(const std::string& where, const ObjectShape::Member& member,
                std::string_view word) {
  return {member.place, "MISSPELT_OPTION",
          where + " \"" + member.name + "\", and nothing reads it: did you mean " +
              std::string(word) + "?"};
}

std::vector<ShapeFault> slips(const ObjectShape& shape, const std::string& where, KnownWords words,
                              KnownWords own) {
  std::vector<ShapeFault> faults;
  for (const auto& member : shape.members) {
    const auto word = meant(member.name, words, own);
    if (!word.empty()) faults.push_back(slip(where, member, word));
  }
  return faults;
}

/// Whether what stands there cannot be what a program is started with.
bool lacks(const ObjectShape& part, std::string_view name, bool may_be_list) {
  using Value = ObjectShape::Value;
  const auto* member = part.find(name);
  if (member == nullptr) return !part.open;
  if (member->value == Value::kText) return member->text.empty();
  return member->value == Value::kOther || member->value == Value::kObject ||
         (member->value == Value::kList && !may_be_list);
}

/// What the built-in executors need of the kinds that they perform, as engine/executors/shell.cc.
std::optional<ShapeFault> find_unperformable(const std::string& what,
                                             const ObjectShape& definition) {
  using Value = ObjectShape::Value;
  const auto* kind = definition.find("kind");
  if (kind == nullptr || definition.open || (kind->text != "shell" && kind->text != "node")) {
    return std::nullopt;
  }
  const auto* shell = definition.find("shell");
  const auto* node = definition.find("node");
  for (const auto* part : {shell, node}) {
    if (part != nullptr && part->value == Value::kUnknown) return std::nullopt;
  }
  const auto is_object = [](const auto* part) {
    return part != nullptr && part->value == Value::kObject;
  };
  if (is_object(shell)) {
    const bool nothing = lacks(shell->inner, "command", true) && lacks(shell->inner, "args", true);
    if (!nothing) return std::nullopt;
  } else if (is_object(node) && !lacks(node->inner, "entry", false)) {
    return std::nullopt;
  }
  const std::string needs = kind->text == "shell" ? "shell: { command }, with a command line"
                                                  : "node: { entry }, with the path of a script";
  return ShapeFault{kind->place, "UNPERFORMABLE_TASK",
                    what + "nothing to perform: kind '" + kind->text + "' needs " + needs};
}

}  // namespace

std::vector<ShapeFault> task_option_faults(const ObjectShape& options) {
  return slips(options, "ctx.task is given the option", kTaskOptions, kTaskOwn);
}

std::vector<ShapeFault> parallel_option_faults(const ObjectShape& options) {
  std::vector<ShapeFault> faults;
  for (const auto& member : options.members) {
    if (member.name != kParallelOption)
      faults.push_back(slip("ctx.parallel is given the option", member, kParallelOption));
  }
  return faults;
}

std::vector<ShapeFault> breakpoint_option_faults(const ObjectShape& options) {
  return slips(options, "ctx.breakpoint is given the option", kBreakpointOptions, kBreakpointOwn);
}

std::vector<ShapeFault> payload_faults(const ObjectShape& payload) {
  return slips(payload, "the payload of ctx.breakpoint has", kPayloadWords, kBreakpointOwn);
}

std::vector<ShapeFault> definition_faults(const std::string& task, const ObjectShape& definition) {
  const auto what = (task.empty() ? "a definition" : "the definition of task " + task) + " has ";
  auto faults = slips(definition, what + "a member", kDefinitionWords, kDefinitionOwn);
  if (auto fault = find_unperformable(what, definition)) faults.push_back(std::move(*fault));
  if (const auto* shell = definition.find("shell")) {
    auto inner = slips(shell->inner, what + "in shell a member", kShellWords, {});
    std::move(inner.begin(), inner.end(), std::back_inserter(faults));
  }
  return faults;
}

std::vector<ShapeFault> request_faults(const std::string& task, const ObjectShape& definition) {
  if (!task.starts_with("__sdk.")) return definition_faults(task, definition);
  const auto* breakpoint = definition.find("breakpoint");
  if (breakpoint == nullptr) return {};
  auto faults = breakpoint_option_faults(breakpoint->inner);
  if (const auto* payload = breakpoint->inner.find("payload")) {
    auto inner = payload_faults(payload->inner);
    std::move(inner.begin(), inner.end(), std::back_inserter(faults));
  }
  return faults;
}

}  // namespace reprise
