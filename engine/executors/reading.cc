// Output is a list of documents: one, or one a line. A place is a JSON pointer, or
// {"where":{POINTER:VALUE,...},"at":POINTER}, or a list of such, of which the first that is found
// counts; of several documents the last.
#include "engine/executors/reading.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/executors/json_fields.h"
#include "engine/executors/outcome.h"
#include "engine/executors/prompt.h"
#include "engine/json_writer.h"
#include "engine/text.h"
#include "journal/json_reader.h"

namespace reprise {

namespace {

/// Of output that is told in an error.
constexpr size_t kShownOutputBytes = 80;

using Documents = std::vector<std::string_view>;

/// What is no JSON between the lines is passed over: programs print warnings.
Documents documents_in(std::string_view printed, bool lines) {
  Documents documents;
  const auto add = [&](std::string_view text) {
    if (is_json(text)) documents.push_back(text);
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

/// Empty when there is none. Of several members of that name the last one counts.
std::string_view member_of(std::string_view object, const std::string& name) {
  JsonReader reader;
  std::string_view found;
  for (const auto& member : reader.members(object)) {
    if (unquote('"' + std::string(member.name) + '"') == name) found = member.raw;
  }
  return found;
}

std::string_view element_of(std::string_view array, const std::string& number) {
  const auto elements = array_elements(array);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (std::to_string(i) == number) return elements[i];
  }
  return {};
}

/// nullopt when it is no pointer.
std::optional<std::vector<std::string>> names_in(const std::string& pointer) {
  std::vector<std::string> names;
  try {
    for (OrderedJson::json_pointer left(pointer); !left.empty(); left.pop_back()) {
      names.insert(names.begin(), left.back());
    }
  } catch (const OrderedJson::exception&) {
    return std::nullopt;
  }
  return names;
}

/// The text of what stands there, as it was printed: what no value can hold must not be changed
/// into one. Empty when there is nothing.
std::string_view text_at(std::string_view document, const std::string& pointer) {
  const auto names = names_in(pointer);
  if (!names) return {};
  auto place = document.substr(std::min(document.find_first_not_of(" \t\r\n"), document.size()));
  for (const auto& name : *names) {
    place = place.starts_with('{')   ? member_of(place, name)
            : place.starts_with('[') ? element_of(place, name)
                                     : std::string_view();
  }
  return place;
}

OrderedJson parsed(std::string_view text) {
  return text.empty() ? OrderedJson() : parse_json(text);
}

/// Empty when the place is not told, or not found, or null. Of several places the first one that
/// is there counts.
std::string_view find(const Documents& documents, const OrderedJson& place) {
  if (place.is_array()) {
    for (const auto& one : place) {
      if (const auto found = find(documents, one); !found.empty()) return found;
    }
  }
  const auto pointer = place.is_string() ? place.get<std::string>() : text_field(place, "at");
  if (!place.is_string() && !place.is_object()) return {};
  for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
    const auto& where = field(place, "where");
    if (!where.is_null() && !has_values(parsed(*document), where)) continue;
    const auto found = text_at(*document, pointer);
    if (!found.empty() && found != "null") return found;
  }
  return {};
}

std::string metadata_of(const Documents& documents, const OrderedJson& read) {
  JsonWriter metadata;
  bool any = false;
  for (const auto& [member, name] : {std::pair("session", "session"), std::pair("cost", "costUsd"),
                                     std::pair("usage", "usage"), std::pair("model", "model")}) {
    const auto found = parsed(find(documents, field(read, member)));
    if (found.is_null()) continue;
    metadata.raw(name, json_text(found));
    any = true;
  }
  return any ? metadata.done() : std::string();
}

std::string message_of(const OrderedJson& error) {
  if (error.is_string()) return error.get<std::string>();
  const auto message = text_field(error, "message");
  return message.empty() ? json_text(error) : message;
}

Outcome no_documents(std::string_view printed) {
  const auto said = trimmed(printed);
  if (said.empty()) {
    return error_outcome("OutputInvalid",
                         "the program printed nothing, and its output was to be JSON");
  }
  const auto line = said.substr(0, said.find('\n'));
  const auto* more = said.size() > std::min(line.size(), kShownOutputBytes) ? " ..." : "";
  return error_outcome("OutputInvalid", "the program's output is no JSON; it begins with: " +
                                            std::string(line.substr(0, kShownOutputBytes)) + more);
}

Outcome result_of(const Documents& documents, const OrderedJson& read,
                  std::string_view definition) {
  const auto& failed = field(read, "failed");
  const auto flag = parsed(find(documents, failed));
  const auto error = parsed(find(documents, field(read, "error")));
  const bool by_flag = flag.is_boolean() && flag.get<bool>();
  if (by_flag || (failed.is_null() && !error.is_null())) {
    return error_outcome("AgentError",
                         error.is_null() ? "the program says that it failed" : message_of(error));
  }
  const auto& place = field(read, "result");
  const bool is_whole = place.is_null() && documents.size() == 1;
  const auto found = is_whole ? documents.front() : find(documents, place);
  if (found.empty()) {
    return error_outcome("OutputInvalid",
                         "the program's output holds no result where "
                         "\"read\" says that it stands");
  }
  // What is large and no text is not parsed once more.
  if (trimmed(found).starts_with('"')) {
    return answer_outcome(parsed(found).get<std::string>(), definition);
  }
  Outcome outcome;
  outcome.ok = true;
  outcome.value = found;
  return outcome;
}

}  // namespace

Outcome read_output(std::string_view executor, std::string_view printed,
                    std::string_view definition) {
  const auto settings = parse_object(executor);
  const auto output = text_field(settings, "output", "json");
  if (output == "text") {
    return answer_outcome(trimmed(printed), definition);
  }
  const auto documents = documents_in(printed, output == "jsonl");
  if (documents.empty()) return no_documents(printed);
  const auto& read = field(settings, "read");
  Outcome outcome = result_of(documents, read, definition);
  outcome.metadata = metadata_of(documents, read);
  return outcome;
}

void take_printed_value(Outcome& outcome, const ProgramEnd& end) {
  if (!outcome.ok || end.out.bytes > end.out.tail.size()) return;
  if (!parse_json(end.out.tail).is_discarded()) outcome.value = end.out.tail;
}

}  // namespace reprise
