// The schema is first judged by the schema of schemas: valijson refuses what it cannot read, too,
// but does not say where it stands.
#include "engine/schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "engine/forked.h"
#include "engine/json_writer.h"
#include "engine/schema_loops.h"
#include "journal/error.h"
#include "journal/json_reader.h"
#include "schemas/schemas.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// std::regex recurses once for a character or so: longer texts could exhaust the stack.
constexpr size_t kLongestMatched = 1000;
constexpr size_t kLongestMatchedName = 256;
constexpr unsigned kMatchSeconds = 2;
/// Parsed, a value takes many times the memory of its text.
constexpr size_t kLongestJudged = size_t{256} << 20U;

[[noreturn]] void refuse_schema(const std::string& effect, const std::string& pointer,
                                const std::string& why) {
  const auto where = pointer.empty() ? std::string() : " at " + pointer;
  throw Error(Exit::kUsage, "SCHEMA_INVALID",
              "the outputSchema of " + effect + " is no JSON Schema" + where + ": " + why,
              "the process has to be corrected; --force records the result without this check",
              JsonWriter().text("effectId", effect).text("pointer", pointer).done());
}

/// "<root>" "[a]" "[0]" as a JSON pointer.
std::string pointer_of(const std::vector<std::string>& path) {
  std::string pointer;
  for (auto step : path) {
    if (step == "<root>") continue;
    if (step.size() > 1 && step.front() == '[') step = step.substr(1, step.size() - 2);
    pointer += '/';
    for (const char c : step) {
      pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
  }
  return pointer;
}

void parse_schema(const Json& schema, valijson::Schema& parsed) {
  try {
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(schema), parsed);
  } catch (const std::runtime_error& error) {
    // valijson has its own words for a malloc that fails, and the same type as for bad schemas.
    if (std::string_view(error.what()).starts_with("Failed to allocate")) throw std::bad_alloc();
    throw;
  }
}

/// The most particular complaint: of the first value that is wrong, what was found deepest in it.
std::optional<Violation> judge_here(const Json& schema, const Json& value) {
  valijson::Schema parsed;
  parse_schema(schema, parsed);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(parsed, Adapter(value), &results)) return std::nullopt;
  valijson::ValidationResults::Error error;
  Violation violation{.pointer = {}, .why = "it does not match"};
  size_t depth = 0;
  while (results.popError(error)) {
    if (error.context.size() <= depth) continue;
    depth = error.context.size();
    violation = {pointer_of(error.context), error.description};
  }
  return violation;
}

/// Patterns go back and forth over a text, some of them for ages: a process of its own does that,
/// which can be ended.
std::optional<Violation> judge_bounded(const Json& schema, const Json& value) {
  const auto work = [&](const Tell& tell) {
    try {
      const auto found = judge_here(schema, value);
      tell(found ? Json{{"pointer", found->pointer}, {"why", found->why}}.dump() : "null");
    } catch (const std::exception& error) {
      tell(Json(error.what()).dump());
    }
  };
  const auto verdict = run_forked(work, kMatchSeconds);
  if (verdict.empty()) {
    return Violation{{},
                     "its patterns cannot be matched within " + std::to_string(kMatchSeconds) +
                         " s of computing"};
  }
  const auto json = Json::parse(verdict);
  if (json.is_null()) return std::nullopt;
  if (json.is_string()) throw std::runtime_error(json.get<std::string>());
  return Violation{json["pointer"], json["why"]};
}

bool has_member(const Json& json, std::string_view name) {
  if (json.is_object() && json.contains(name)) return true;
  return std::ranges::any_of(
      json, [&](const Json& part) { return part.is_structured() && has_member(part, name); });
}

bool has_long_text(const Json& json) {
  if (json.is_string()) return json.get_ref<const std::string&>().size() > kLongestMatched;
  if (!json.is_structured()) return false;
  return std::ranges::any_of(json, [](const Json& part) { return has_long_text(part); });
}

[[noreturn]] void refuse_output(const std::string& effect, const Violation& violation) {
  const auto where =
      violation.pointer.empty() ? std::string("the result") : violation.pointer + " of the result";
  throw Error(Exit::kUsage, "OUTPUT_INVALID",
              where + " is not what the outputSchema of " + effect + " asks for: " + violation.why,
              "correct the result and post it again; --force records it all the same",
              JsonWriter()
                  .text("effectId", effect)
                  .text("pointer", violation.pointer)
                  .text("reason", violation.why)
                  .done());
}

/// A schema of somebody else's.
void refuse_bad_schema(const Json& schema, const std::string& effect) {
  if (schema.is_string()) {
    refuse_schema(effect, {},
                  "there is no " + schema.get<std::string>() +
                      "; reprise schema lists "
                      "those that can be named, as reprise:NAME");
  }
  const auto wrong = judge_here(Json::parse(find_schema("draft-07")), schema);
  if (wrong) refuse_schema(effect, wrong->pointer, wrong->why);
  if (const auto bad = find_bad_reference(schema)) {
    refuse_schema(effect, bad->pointer, bad->why);
  }
}

}  // namespace

std::string_view named_schema(std::string_view schema) {
  constexpr std::string_view kPrefix = "\"reprise:";
  if (!schema.starts_with(kPrefix)) return {};
  return find_schema(schema.substr(kPrefix.size(), schema.size() - kPrefix.size() - 1));
}

void check_schema(std::string_view schema_text, std::string_view value_text,
                  const std::string& effect) {
  if (value_text.size() > kLongestJudged) {
    refuse_output(effect, {{},
                           "it is longer than the " + std::to_string(kLongestJudged >> 20U) +
                               " MiB that a schema can judge"});
  }
  const auto own = named_schema(schema_text);
  const auto schema = Json::parse(own.empty() ? schema_text : own);
  const auto value = Json::parse(value_text);
  try {
    if (own.empty()) refuse_bad_schema(schema, effect);
    const bool matches = has_member(schema, "pattern") || has_member(schema, "patternProperties") ||
                         has_member(schema, "format");
    if (matches && has_long_text(value)) {
      refuse_output(effect, {{},
                             "it holds a text of more than " + std::to_string(kLongestMatched) +
                                 " bytes, too long to be matched with a pattern"});
    }
    const auto violation = matches ? judge_bounded(schema, value) : judge_here(schema, value);
    if (violation) refuse_output(effect, *violation);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // valijson's, and std::regex's
    refuse_schema(effect, {}, error.what());
  }
}

void check_output(std::string_view definition, std::string_view value, const std::string& effect) {
  JsonReader reader;
  const std::string schema(reader.members_of_copy(definition).raw("outputSchema"));
  if (!schema.empty()) check_schema(schema, value, effect);
}

std::optional<Violation> find_violation(std::string_view schema_name, std::string_view value) {
  return judge(Json::parse(find_schema(schema_name)), Json::parse(value));
}

std::optional<Violation> judge(const Json& schema, const Json& value) {
  return has_long_text(value) ? judge_bounded(schema, value) : judge_here(schema, value);
}

Matcher matcher(const std::string& pattern) {
  return [made = std::regex(pattern)](const std::string& text) {
    return text.size() <= kLongestMatchedName && std::regex_search(text, made);
  };
}

}  // namespace reprise
