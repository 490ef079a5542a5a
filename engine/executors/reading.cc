// Output is a list of documents: one, or one a line. A place is a JSON pointer, or
// {"where":{POINTER:VALUE,...},"at":POINTER}, or a list of such, of which the first that is found
// counts; of several documents the last.
#include "engine/executors/reading.h"

#include <algorithm>
#include <vector>

#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"
#include "engine/executors/prompt.h"
#include "engine/json_writer.h"

namespace reprise {

namespace {

/// What is no JSON between the lines is passed over: programs print warnings.
std::vector<Json> documents_in(std::string_view printed, bool lines) {
  std::vector<Json> documents;
  const auto add = [&](std::string_view text) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_discarded()) documents.push_back(std::move(json));
  };
  if (!lines) add(printed);
  while (documents.empty() || lines) {
    const auto end = printed.find('\n');
    add(printed.substr(0, end));
    if (end == std::string_view::npos) break;
    printed.remove_prefix(end + 1);
  }
  return documents;
}

/// Null when the place is not told, or not found.
Json find(const std::vector<Json>& documents, const Json& place) {
  if (place.is_array()) {
    for (const auto& one : place) {
      if (auto found = find(documents, one); !found.is_null()) return found;
    }
  }
  const auto pointer = place.is_string() ? place.get<std::string>() : text_field(place, "at");
  if (!place.is_string() && !place.is_object()) return {};
  for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
    if (!has_values(*document, field(place, "where"))) continue;
    auto found = at_pointer(*document, pointer);
    if (!found.is_null()) return found;
  }
  return {};
}

std::string metadata_of(const std::vector<Json>& documents, const Json& read) {
  JsonWriter metadata;
  bool any = false;
  for (const auto& [member, name] : {std::pair("session", "session"), std::pair("cost", "costUsd"),
                                     std::pair("usage", "usage"), std::pair("model", "model")}) {
    const auto found = find(documents, field(read, member));
    if (found.is_null()) continue;
    metadata.raw(name, json_text(found));
    any = true;
  }
  return any ? metadata.done() : std::string();
}

std::string message_of(const Json& error) {
  if (error.is_string()) return error.get<std::string>();
  const auto message = text_field(error, "message");
  return message.empty() ? json_text(error) : message;
}

Outcome result_of(const std::vector<Json>& documents, const Json& read,
                  std::string_view definition) {
  const auto& failed = field(read, "failed");
  const auto flag = find(documents, failed);
  const auto error = find(documents, field(read, "error"));
  const bool by_flag = flag.is_boolean() && flag.get<bool>();
  if (by_flag || (failed.is_null() && !error.is_null())) {
    return error_outcome("AgentError",
                         error.is_null() ? "the program says that it failed" : message_of(error));
  }
  const auto& place = field(read, "result");
  const auto found =
      place.is_null() && documents.size() == 1 ? documents.front() : find(documents, place);
  if (found.is_null() && !(place.is_null() && documents.size() == 1)) {
    return error_outcome("OutputInvalid",
                         "the program's output holds no result where "
                         "\"read\" says that it stands");
  }
  if (found.is_string()) return answer_outcome(found.get<std::string>(), definition);
  Outcome outcome;
  outcome.ok = true;
  outcome.value = json_text(found);
  return outcome;
}

}  // namespace

Outcome read_output(std::string_view executor, std::string_view printed,
                    std::string_view definition) {
  const auto settings = parse_object(executor);
  const auto output = text_field(settings, "output", "json");
  if (output == "text") {
    const auto begin = std::min(printed.find_first_not_of(" \t\r\n"), printed.size());
    const auto end = printed.find_last_not_of(" \t\r\n");
    return answer_outcome(printed.substr(begin, end == printed.npos ? 0 : end - begin + 1),
                          definition);
  }
  const auto documents = documents_in(printed, output == "jsonl");
  if (documents.empty()) {
    return error_outcome("OutputInvalid", "the program's output is no JSON");
  }
  const auto& read = field(settings, "read");
  Outcome outcome = result_of(documents, read, definition);
  outcome.metadata = metadata_of(documents, read);
  return outcome;
}

}  // namespace reprise
