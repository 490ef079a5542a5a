// The way there: inputs become a prompt or chat messages, session and folder become what command
// executors look for in a task's "agent". The way back: text becomes {"text"} or {"summary"},
// unless it is JSON that says more.
#include "engine/executors/turn.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "engine/executors/outcome.h"
#include "engine/executors/presets.h"
#include "engine/executors/prompt.h"
#include "engine/executors/turn_prompt.h"
#include "engine/executors/turn_usage.h"
#include "engine/schema.h"
#include "engine/steady_time.h"

namespace reprise {

struct TurnKind {
  std::string_view kind;
  std::string_view schema;  ///< of the result
  const char* text;         ///< the member that a plain text becomes
  /// An answer that is JSON is the result itself when it has one of these.
  std::array<const char*, 5> telling;
};

namespace {

constexpr std::array kKinds = {
    TurnKind{"model", "model-result", "text", {"spawn", "ask", "plan"}},
    TurnKind{
        "worker", "worker-result", "summary", {"status", "summary", "report", "error", "artifact"}},
    TurnKind{"branch", "branch-result", "summary", {"summary", "artifactRefs", "memoryRefs"}},
    TurnKind{"compaction", "compaction-result", "summary", {"summary"}},
};

constexpr int64_t kReportTextMs = 1000;
/// Of a text that still grows, the end is reported.
constexpr size_t kReportedBytes = size_t{4} << 10U;

OrderedJson executor_settings(const ExecutorConfig& executor) {
  return parse_object(executor.type == "command" ? with_preset(executor.json) : executor.json);
}

void set_absent(OrderedJson& result, const char* name, const OrderedJson& value) {
  const bool empty = value.is_null() || (value.is_string() && value.get<std::string>().empty());
  if (!empty && !result.contains(name)) result[name] = value;
}

bool asks_model(const TurnKind& kind) { return kind.kind == "model"; }

}  // namespace

const TurnKind* find_turn_kind(const Work& work) {
  const auto* const found = std::ranges::find(kKinds, work.kind, &TurnKind::kind);
  if (found == kKinds.end()) return nullptr;
  const auto schema = text_field(parse_object(work.definition), "outputSchema");
  const bool is_one = schema == "reprise:" + std::string(found->schema) ||
                      field(parse_object(work.inputs), "channelId").is_string();
  return is_one ? found : nullptr;
}

Turn::Turn(const TurnKind& kind, const Work& work, const ExecutorConfig& executor,
           const WorkEvents& events)
    : x_kind(kind),
      x_events(events),
      x_type(executor.type),
      x_settings(executor_settings(executor)),
      x_inputs(parse_object(work.inputs)),
      x_asked(work),
      x_told(events),
      x_reader(field(x_settings, "read")) {
  if (x_type == "command") ask_command();
  if (x_type == "openai") ask_model();
  x_told.output = [this](bool is_error, std::string_view bytes) {
    if (x_events.output) x_events.output(is_error, bytes);
    if (!is_error) tell_output(bytes);
  };
  x_told.progress = [this](std::string_view json) { tell_progress(json); };
}

// --- the way there

void Turn::ask_command() {
  auto task = parse_object(x_asked.definition);
  task.erase("outputSchema");  // it is of the result, and not of what an agent says
  OrderedJson agent = field(task, "agent").is_object() ? task["agent"] : OrderedJson::object();
  auto session = text_field(x_inputs, "sessionId");
  auto inputs = x_inputs;
  // Words for the agent itself are better than a sentence.
  if (!texts_field(x_settings, "plan").empty()) inputs.erase("planMode");
  agent["prompt"] = turn_text(x_kind.kind, text_field(task, "prompt"), inputs);
  if (x_kind.kind == "compaction") {
    const auto compact = text_field(x_settings, "compact");
    if (compact.empty()) session.clear();  // it is as full as it can be
    if (!session.empty()) agent["prompt"] = compact;
  }
  agent["session"] = session;
  agent["fork"] = flag_field(x_inputs, "fork");
  agent["plan"] = flag_field(x_inputs, "planMode");
  set_absent(agent, "cwd", field(x_inputs, "cwd"));
  task["agent"] = std::move(agent);
  x_asked.definition = json_text(task);
}

void Turn::ask_model() {
  auto task = parse_object(x_asked.definition);
  task.erase("outputSchema");
  OrderedJson chat = field(task, "chat").is_object() ? task["chat"] : OrderedJson::object();
  chat["messages"] = turn_messages(x_kind.kind, text_field(task, "prompt"), x_inputs);
  if (const auto budget = number_field(x_inputs, "tokenBudget"); budget > 0) {
    // Newer models know only the second name; who says so in "body" is heard.
    const bool newer = field(x_settings, "body").contains("max_completion_tokens");
    set_absent(chat, newer ? "max_completion_tokens" : "max_tokens", budget);
  }
  task["chat"] = std::move(chat);
  x_asked.definition = json_text(task);
}

// --- meanwhile

void Turn::tell_output(std::string_view bytes) {
  if (x_type == "openai") x_text += bytes;
  if (x_type != "command" || !x_reader.feed(bytes)) return;
  if (x_told_at_ms == 0 || steady_ms() - x_told_at_ms >= kReportTextMs)
    report(x_reader.turns().back());
}

/// A model that is answering says how long its text is: earlier text is of a request that failed.
void Turn::tell_progress(std::string_view json) {
  const auto told = parse_object(json);
  const auto size = static_cast<size_t>(number_field(told, "bytes"));
  if (text_field(told, "state") != "answering" || size == 0 || size > x_text.size()) {
    if (x_events.progress) x_events.progress(json);
    return;
  }
  x_text.erase(0, x_text.size() - size);
  const auto shown = std::min(size, kReportedBytes);
  report({{"kind", "message"}, {"text", valid_text(x_text.substr(size - shown))}});
}

void Turn::report(const OrderedJson& turn) {
  if (!x_events.progress || !flag_field(x_inputs, "streaming", true)) return;
  x_told_at_ms = std::max<int64_t>(steady_ms(), 1);
  x_events.progress(json_text({{"turn", turn}}));
}

// --- the way back

Outcome Turn::result(Outcome outcome) {
  if (!outcome.ok) {
    fail(outcome);
    return outcome;
  }
  auto result = read_answer(outcome);
  if (result.is_object()) complete(result, parse_object(outcome.metadata));
  outcome.value = json_text(result);
  return outcome;
}

OrderedJson Turn::read_answer(const Outcome& outcome) const {
  auto value = OrderedJson::parse(outcome.value, nullptr, false);
  if (x_type == "openai") {
    const auto text = text_field(value, "text");
    auto result = said(text.empty() ? text_field(value, "refusal") : text);
    for (const char* name : {"finishReason", "reasoning", "toolCalls"}) {
      set_absent(result, name, field(value, name));
    }
    return result;
  }
  if (!outcome.answer.empty()) return said(outcome.answer);
  if (value.is_string()) return said(value.get<std::string>());
  return value.is_null() ? said({}) : value;
}

OrderedJson Turn::said(const std::string& text) const {
  const auto json = json_in_text(text, false);
  auto more = parse_object(json.value_or(""));
  const bool tells = std::ranges::any_of(
      x_kind.telling, [&](const char* name) { return name != nullptr && more.contains(name); });
  if (tells && asks_model(x_kind) && !more.contains("text")) more["text"] = "";
  if (tells && !find_violation(x_kind.schema, json_text(more))) return more;
  return {{x_kind.text, text}};
}

void Turn::complete(OrderedJson& result, const OrderedJson& metadata) {
  const bool resumes = x_type != "command" || x_settings.contains("resume");
  if (resumes) set_absent(result, "sessionId", field(metadata, "session"));
  if (const auto usage = turn_usage(field(metadata, "usage"))) set_absent(result, "usage", *usage);
  set_absent(result, "model", field(metadata, "model"));
  if (!asks_model(x_kind)) return;
  set_absent(result, "contextWindow", field(x_settings, "contextWindow"));
  add_turns(result);
  add_plan(result);
}

/// Those of the output, and a model's thoughts; nothing when all there was is the reply.
void Turn::add_turns(OrderedJson& result) {
  auto turns = OrderedJson::array();
  if (const auto thought = text_field(result, "reasoning"); !thought.empty()) {
    turns.push_back({{"kind", "thinking"}, {"text", thought}});
  }
  result.erase("reasoning");
  for (const auto& turn : x_reader.turns()) turns.push_back(turn);
  const bool reply_alone = turns.size() == 1 && turns.front().value("kind", "") == "message" &&
                           turns.front().value("text", "") == text_field(result, "text");
  if (!turns.empty() && !reply_alone) set_absent(result, "turns", turns);
}

/// What an agent hands back by a tool that is for that: a plan, or a question.
void Turn::add_plan(OrderedJson& result) const {
  const auto& read = field(x_settings, "read");
  const auto& plan = field(read, "plan");
  const auto& ask = field(read, "ask");
  if (const auto* used = x_reader.last_use(text_field(plan, "tool"))) {
    set_absent(result, "plan", at_pointer(*used, text_field(plan, "at")));
  }
  if (const auto* used = x_reader.last_use(text_field(ask, "tool"))) {
    const auto question = at_pointer(*used, text_field(ask, "at"));
    OrderedJson asked = {{"question", question}};
    set_absent(asked, "options", at_pointer(*used, text_field(ask, "options")));
    if (question.is_string()) set_absent(result, "ask", asked);
  }
  const bool says_so = result.contains("plan") || result.contains("ask") || !plan.is_null();
  if (flag_field(x_inputs, "planMode") && x_type != "mock" && !says_so) {
    result["plan"] = text_field(result, "text");
  }
}

void Turn::fail(Outcome& outcome) {
  auto error = parse_object(outcome.value);
  const auto errors = field(error, "data");
  if (tells_too_long(text_field(error, "message")) ||
      tells_too_long(text_field(errors, "stderr"))) {
    error["name"] = "too_long";
  }
  if (x_told_at_ms != 0) {
    OrderedJson data = errors.is_object() ? errors : OrderedJson::object();
    data["streamed"] = true;
    if (!x_reader.turns().empty()) data["turns"] = x_reader.turns();
    error["data"] = std::move(data);
  }
  outcome.value = json_text(error);
}

}  // namespace reprise
