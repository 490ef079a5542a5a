#include "engine/executors/prompt.h"

#include <array>

#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"
#include "engine/json_writer.h"
#include "engine/schema.h"
#include "engine/text.h"

namespace reprise {

namespace {

bool is_empty(const OrderedJson& part) {
  return part.is_null() || ((part.is_array() || part.is_object()) && part.empty()) ||
         (part.is_string() && part.get<std::string>().empty());
}

std::string text_of_part(const OrderedJson& part) {
  return part.is_string() ? part.get<std::string>()
                          : part.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string numbered(const OrderedJson& list) {
  if (!list.is_array()) return text_of_part(list);
  std::string text;
  size_t number = 0;
  for (const auto& item : list) text += std::to_string(++number) + ". " + text_of_part(item) + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

struct Section {
  const char* member;
  const char* title;
};
constexpr std::array kSections = {
    Section{"role", "Role"}, Section{"task", "Task"}, Section{"context", "Context"},
    Section{"instructions", "Instructions"}, Section{"outputFormat", "Output format"}};

void add_section(std::string& text, std::string_view title, const OrderedJson& part) {
  if (is_empty(part)) return;
  if (!text.empty()) text += "\n\n";
  text += "# " + std::string(title) + "\n\n" + numbered(part);
}

std::string structured(const OrderedJson& prompt) {
  std::string text;
  for (const auto& [member, title] : kSections) add_section(text, title, field(prompt, member));
  for (const auto& [name, part] : prompt.items()) {
    bool known = false;
    for (const auto& section : kSections) known = known || name == section.member;
    if (!known) add_section(text, name, part);
  }
  return text;
}

/// A task whose author gave it no prompt.
std::string told_by_itself(const OrderedJson& task, const Work& work) {
  std::string text;
  const auto skill = text_field(field(task, "skill"), "name");
  if (!skill.empty()) text = "Use the skill " + skill + ".";
  add_section(text, "Task", text_field(task, "title", work.label));
  add_section(text, "Description", field(task, "description"));
  add_section(text, "Context", field(field(task, "skill"), "context"));
  const OrderedJson inputs = parse_json(work.inputs);
  if (!inputs.is_discarded()) add_section(text, "Inputs", inputs);
  return text;
}

const OrderedJson& prompt_of(const OrderedJson& task) {
  for (const char* kind : {"agent", "skill", "model"}) {
    const auto& prompt = field(field(task, kind), "prompt");
    if (!is_empty(prompt)) return prompt;
  }
  return field(task, "prompt");
}

/// The last ``` block that is JSON; `outside` tells how much text there is besides it.
std::optional<std::string_view> fenced_json(std::string_view text, size_t& outside) {
  std::optional<std::string_view> found;
  for (auto open = text.find("```"); open != std::string_view::npos;) {
    const auto line_end = text.find('\n', open);
    const auto close = line_end == std::string_view::npos ? line_end : text.find("```", line_end);
    if (close == std::string_view::npos) break;
    const auto block = text.substr(line_end + 1, close - line_end - 1);
    if (is_json(block)) {
      found = trimmed(block);
      outside = trimmed(text.substr(0, open)).size() + trimmed(text.substr(close + 3)).size();
    }
    open = text.find("```", close + 3);
  }
  return found;
}

}  // namespace

std::string output_schema(std::string_view definition) {
  const auto task = parse_object(definition);
  for (const auto* part : {&task, &field(task, "agent")}) {
    const auto& schema = field(*part, "outputSchema");
    if (schema.is_object() && !schema.empty()) return json_text(schema);
    if (schema.is_string()) return std::string(named_schema(json_text(schema)));
  }
  return {};
}

std::string prompt_text(const Work& work) {
  const auto task = parse_object(work.definition);
  const auto& prompt = prompt_of(task);
  auto text = prompt.is_object() ? structured(prompt)
              : is_empty(prompt) ? told_by_itself(task, work)
                                 : text_of_part(prompt);
  const auto schema = output_schema(work.definition);
  if (!schema.empty()) {
    text +=
        "\n\nAnswer with one JSON value that fits this JSON Schema, and with nothing else:\n\n" +
        schema;
  }
  return text + "\n";
}

std::optional<std::string> json_in_text(std::string_view text, bool anywhere) {
  text = trimmed(text);
  if (is_json(text)) return std::string(text);
  size_t outside = 0;
  if (const auto block = fenced_json(text, outside); block && (anywhere || outside == 0)) {
    return std::string(*block);
  }
  const auto begin = text.find_first_of("{[");
  const auto end = text.find_last_of("}]");
  if (!anywhere || begin == std::string_view::npos || end == std::string_view::npos ||
      end < begin) {
    return std::nullopt;
  }
  const auto inner = text.substr(begin, end - begin + 1);
  return is_json(inner) ? std::optional<std::string>(inner) : std::nullopt;
}

Outcome answer_outcome(std::string_view answer, std::string_view definition) {
  const bool wanted = !output_schema(definition).empty();
  const auto text = valid_text(answer);
  const auto json = json_in_text(text, wanted);
  Outcome outcome;
  outcome.ok = true;
  outcome.answer = text;
  if (json && (wanted || json->starts_with('{') || json->starts_with('['))) {
    outcome.value = *json;
  } else if (wanted) {
    return error_outcome("OutputInvalid",
                         "the task's outputSchema asks for JSON, and the answer "
                         "holds none",
                         JsonWriter().text("answer", text).done());
  } else {
    outcome.value = quote(text);
  }
  return outcome;
}

}  // namespace reprise
