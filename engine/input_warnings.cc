#include "engine/input_warnings.h"

#include <optional>

#include "engine/sample_inputs.h"
#include "engine/schema.h"
#include "engine/script_machine.h"
#include "engine/source_facts.h"
#include "journal/error.h"
#include "journal/json_reader.h"
#include "journal/value.h"

namespace reprise {

namespace {

constexpr std::string_view kReader =
    "export function process() {"
    " return { schema: entry.inputSchema ?? entry.process?.inputSchema ?? true };"
    "}";

std::string schema_of(const ScriptHost& scripts, const SourceReader& read,
                      const std::string& entry) {
  const auto program = pin_program(scripts, entry, read);
  auto sources = program.sources;
  sources.push_back({"reprise-inputs.mjs", "import * as entry from " + quote("./" + program.entry) +
                                               ";" + std::string(kReader)});
  const auto output = script_output(scripts, sources, sources.back().path, kLiveBudgetMs);
  scripts.table().arm(0);
  JsonReader reader;
  return output ? std::string(reader.members_of_copy(*output).raw("schema")) : std::string();
}

std::vector<std::string> against_schema(const std::string& schema, std::string_view inputs) {
  if (schema.empty()) return {};
  try {
    check_schema(schema, inputs, "inputs");
  } catch (const Error& error) {
    JsonReader reader;
    const auto& details = reader.members_of_copy(error.details());
    if (error.code() == "SCHEMA_INVALID") return {"the inputSchema is no JSON Schema"};
    const auto pointer = details.text("pointer");
    return {"the inputs are not what the process's inputSchema describes" +
            (pointer.empty() ? "" : ", at " + pointer) + ": " + details.text("reason")};
  }
  return {};
}

std::vector<std::string> against_sample(const std::string& sample, std::string_view inputs) {
  std::vector<std::string> warnings;
  JsonReader wanted_reader, given_reader;
  const auto& given = given_reader.members_of_copy(inputs);
  for (const auto& [name, value] : wanted_reader.members_of_copy(sample)) {
    if (given.has(name)) continue;
    warnings.push_back("the inputs have no " + quote(name) + ", which the process's @inputs names");
  }
  return warnings;
}

}  // namespace

std::vector<std::string> input_warnings(ScriptHost& scripts, const SourceReader& read,
                                        const std::string& entry, std::string_view inputs) {
  const auto text = read(entry);
  const bool declares = text && (text->find("inputSchema") != std::string::npos ||
                                 text->find("@inputs") != std::string::npos);
  if (!declares) return {};
  const auto tokens = read_tokens(*text);
  if (!declares_input_schema(tokens)) {
    const auto sample = sample_of_type(find_inputs_comment(tokens));
    return sample && inputs.starts_with('{') ? against_sample(*sample, inputs)
                                             : std::vector<std::string>();
  }
  std::string schema;
  try {
    scripts.run([&] { schema = schema_of(scripts, read, entry); });
  } catch (const Error& error) {
    if (error.exit() == Exit::kBug || error.exit() == Exit::kBudget) throw;
    return {};  // whoever loads it for good says what is wrong
  }
  return against_schema(schema, inputs);
}

}  // namespace reprise
