// Each is what its makers document for use without a terminal. Permissions of the agents themselves
// (which tools they may use without asking) are the user's to give, by "args".
#include "engine/executors/presets.h"

#include <algorithm>
#include <array>

#include "engine/executors/json_fields.h"
#include "journal/error.h"

namespace reprise {

namespace {

constexpr std::array kPresets = {
    Preset{"claude-code", "Claude Code: claude -p, one JSON document as its answer", R"({
      "type": "command",
      "command": ["claude", "-p", "--output-format", "json"],
      "stdin": "prompt",
      "output": "json",
      "read": {"result": "/result", "failed": "/is_error", "error": "/result",
               "session": "/session_id", "cost": "/total_cost_usd", "usage": "/usage"},
      "passEnvironment": ["ANTHROPIC_*", "CLAUDE_*"]
    })"},
    Preset{"codex", "OpenAI Codex: codex exec --json, a line for each event", R"({
      "type": "command",
      "command": ["codex", "exec", "--json", "--skip-git-repo-check", "-"],
      "stdin": "prompt",
      "output": "jsonl",
      "read": {"result": {"where": {"/type": "item.completed", "/item/type": "agent_message"},
                          "at": "/item/text"},
               "error": {"where": {"/type": "turn.failed"}, "at": "/error/message"},
               "session": {"where": {"/type": "thread.started"}, "at": "/thread_id"},
               "usage": {"where": {"/type": "turn.completed"}, "at": "/usage"}},
      "passEnvironment": ["OPENAI_*", "CODEX_*"]
    })"},
    Preset{"gemini", "Gemini CLI: one JSON document as its answer", R"({
      "type": "command",
      "command": ["gemini", "--output-format", "json"],
      "stdin": "prompt",
      "output": "json",
      "read": {"result": "/response", "error": "/error/message", "usage": "/stats"},
      "passEnvironment": ["GEMINI_*", "GOOGLE_*"]
    })"},
    Preset{"aider", "aider: one message, the answer is text", R"({
      "type": "command",
      "command": ["aider", "--yes-always", "--no-pretty", "--no-stream", "--message-file",
                  "{promptFile}"],
      "stdin": "none",
      "output": "text",
      "passEnvironment": ["AIDER_*", "OPENAI_*", "ANTHROPIC_*"]
    })"},
};

}  // namespace

std::span<const Preset> command_presets() { return kPresets; }

std::string with_preset(std::string_view executor) {
  const Json own = parse_object(executor);
  const auto name = text_field(own, "preset");
  if (name.empty()) return std::string(executor);
  const auto found = std::ranges::find(kPresets, name, &Preset::name);
  if (found == kPresets.end()) {
    std::string names;
    for (const auto& preset : kPresets)
      names += (names.empty() ? "" : ", ") + std::string(preset.name);
    throw Error(Exit::kUsage, "INVALID_EXECUTOR", "there is no preset \"" + name + "\"",
                "the presets are " + names);
  }
  Json merged = parse_object(found->json);
  for (const auto& [member, value] : own.items()) merged[member] = value;
  return json_text(merged);
}

}  // namespace reprise
