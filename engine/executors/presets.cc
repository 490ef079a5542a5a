// Each is what its makers document for use without a terminal. Permissions of the agents themselves
// (which tools they may use without asking) are the user's to give, by "args".
#include "engine/executors/presets.h"

#include <algorithm>
#include <array>

#include "engine/executors/json_fields.h"
#include "journal/error.h"

namespace reprise {

namespace {

constexpr std::array kCommandPresets = {
    Preset{"claude-code", "Claude Code: claude -p, a line for each event", R"({
      "type": "command",
      "command": ["claude", "-p", "--output-format", "stream-json", "--verbose", "{model}",
                  "{resume}", "{fork}", "{plan}"],
      "model": ["--model", "{model}"],
      "resume": ["--resume", "{session}"],
      "fork": ["--fork-session"],
      "plan": ["--permission-mode", "plan"],
      "compact": "/compact",
      "stdin": "prompt",
      "output": "jsonl",
      "read": {"result": "/result", "failed": "/is_error", "error": ["/result", "/errors/0"],
               "session": "/session_id", "cost": "/total_cost_usd",
               "usage": "/usage", "model": "/model",
               "turns": [{"where": {"/type": "assistant"}, "each": "/message/content",
                          "if": {"/type": "text"}, "kind": "message", "text": "/text"},
                         {"where": {"/type": "assistant"}, "each": "/message/content",
                          "if": {"/type": "thinking"}, "kind": "thinking", "text": "/thinking"},
                         {"where": {"/type": "assistant"}, "each": "/message/content",
                          "if": {"/type": "tool_use"}, "kind": "tool_use", "tool": "/name",
                          "input": "/input", "id": "/id"},
                         {"where": {"/type": "user"}, "each": "/message/content",
                          "if": {"/type": "tool_result"}, "kind": "tool_result",
                          "text": "/content", "id": "/tool_use_id"}],
               "plan": {"tool": "ExitPlanMode", "at": "/plan"},
               "ask": {"tool": "AskUserQuestion", "at": "/questions/0/question",
                       "options": "/questions/0/options"}},
      "passEnvironment": ["ANTHROPIC_*", "CLAUDE_*"]
    })"},
    Preset{"codex", "OpenAI Codex: codex exec --json, a line for each event", R"({
      "type": "command",
      "command": ["codex", "exec", "--json", "--skip-git-repo-check", "{model}", "{plan}",
                  "{resume}", "-"],
      "model": ["--model", "{model}"],
      "resume": ["resume", "{session}"],
      "plan": ["--sandbox", "read-only"],
      "stdin": "prompt",
      "output": "jsonl",
      "read": {"result": {"where": {"/type": "item.completed", "/item/type": "agent_message"},
                          "at": "/item/text"},
               "error": {"where": {"/type": "turn.failed"}, "at": "/error/message"},
               "session": {"where": {"/type": "thread.started"}, "at": "/thread_id"},
               "usage": {"where": {"/type": "turn.completed"}, "at": "/usage"},
               "turns": [{"where": {"/type": "item.completed", "/item/type": "agent_message"},
                          "kind": "message", "text": "/item/text"},
                         {"where": {"/type": "item.completed", "/item/type": "reasoning"},
                          "kind": "thinking", "text": "/item/text"},
                         {"where": {"/type": "item.completed", "/item/type": "command_execution"},
                          "kind": "tool_use", "tool": "shell", "input": "/item/command",
                          "text": "/item/aggregated_output", "id": "/item/id"},
                         {"where": {"/type": "item.completed", "/item/type": "file_change"},
                          "kind": "tool_use", "tool": "edit", "input": "/item/changes",
                          "id": "/item/id"},
                         {"where": {"/type": "item.completed", "/item/type": "mcp_tool_call"},
                          "kind": "tool_use", "tool": "/item/tool", "input": "/item/arguments",
                          "id": "/item/id"}]},
      "passEnvironment": ["OPENAI_*", "CODEX_*"]
    })"},
    Preset{"gemini", "Gemini CLI: one JSON document as its answer", R"({
      "type": "command",
      "command": ["gemini", "{model}", "--output-format", "json"],
      "model": ["--model", "{model}"],
      "stdin": "prompt",
      "output": "json",
      "read": {"result": "/response", "error": "/error/message", "usage": "/stats"},
      "passEnvironment": ["GEMINI_*", "GOOGLE_*"]
    })"},
    Preset{"aider", "aider: one message, the answer is text", R"({
      "type": "command",
      "command": ["aider", "--yes-always", "--no-pretty", "--no-stream", "{model}",
                  "--message-file", "{promptFile}"],
      "model": ["--model", "{model}"],
      "stdin": "none",
      "output": "text",
      "passEnvironment": ["AIDER_*", "OPENAI_*", "ANTHROPIC_*"]
    })"},
};

}  // namespace

std::span<const Preset> command_presets() { return kCommandPresets; }

std::string with_preset(std::string_view executor) {
  const OrderedJson own = parse_object(executor);
  const auto name = text_field(own, "preset");
  if (name.empty()) return std::string(executor);
  const auto found = std::ranges::find(kCommandPresets, name, &Preset::name);
  if (found == kCommandPresets.end()) {
    std::string names;
    for (const auto& preset : kCommandPresets)
      names += (names.empty() ? "" : ", ") + std::string(preset.name);
    throw Error(Exit::kUsage, "INVALID_EXECUTOR", "there is no preset \"" + name + "\"",
                "the presets are " + names);
  }
  OrderedJson merged = parse_object(found->json);
  for (const auto& [member, value] : own.items()) merged[member] = value;
  return json_text(merged);
}

}  // namespace reprise
