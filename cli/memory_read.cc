// memory:recall, memory:list, memory:show: what the home remembers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/list_flags.h"
#include "cli/memory_home.h"
#include "cli/run_documents.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "engine/memory/vectors.h"

namespace reprise {
namespace {

constexpr uint64_t kMemoryListLimit = 50;
constexpr size_t kNoteWidth = 70;

double rounded_score(double share) { return std::round(share * 1e6) / 1e6; }

Document parts_document(const Recalled& found) {
  const auto part = [](double value, double weight) {
    return Document{{"value", rounded_score(value)}, {"weight", weight}};
  };
  Document parts = {{"semantic", nullptr},
                    {"keyword", part(found.parts.keyword, kKeywordWeight)},
                    {"graph", part(found.parts.graph, kGraphWeight)}};
  if (found.parts.semantic) parts["semantic"] = part(*found.parts.semantic, kSemanticWeight);
  if (!found.through.empty()) parts["through"] = found.through;
  return parts;
}

/// What was asked and found, for the record.
std::string recall_json(const std::string& query, const MemoryFilter& filter, uint64_t limit,
                        const std::vector<Recalled>& found) {
  nlohmann::json record = {
      {"query", query}, {"limit", limit}, {"memoryIds", nlohmann::json::array()}};
  for (const auto& one : found) record["memoryIds"].push_back(one.memory.id);
  for (const auto& scope : filter.scopes) {
    record["scopes"].push_back({{"type", scope.type}, {"id", scope.id}});
  }
  if (!filter.kinds.empty()) record["kinds"] = filter.kinds;
  if (!filter.classes.empty()) record["classes"] = filter.classes;
  return record.dump();
}

/// --vector, packed; empty without it.
std::string vector_flag(const Arguments& arguments, const Session& session) {
  const auto file = arguments.value("--vector");
  if (!file) return {};
  const auto text = read_user_file(*file, {session.working_dir()}, "--vector");
  const auto numbers = nlohmann::json::parse(text, nullptr, false);
  const bool is_list =
      numbers.is_array() && std::ranges::all_of(numbers, &nlohmann::json::is_number);
  const auto packed = is_list ? pack_vector(numbers.get<std::vector<double>>()) : std::nullopt;
  if (packed) return *packed;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--vector: " + shown(*file, 80) + " holds no embedding",
              "a JSON list of at most " + std::to_string(kLongestVector) +
                  " numbers, not all of them 0, as the executor of embeddings gives it");
}

std::string share_text(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.3f", share);
  return text;
}

}  // namespace

Reply memory_recall(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, false);
  std::string query;
  for (const auto& word : arguments.positionals("QUERY"))
    query += (query.empty() ? "" : " ") + word;
  parse_value(quote(query), "QUERY");
  auto filter = memory_filter(arguments, home.now_ms());
  filter.vector = vector_flag(arguments, session);
  const auto limit = std::min(arguments.count("--limit").value_or(kDefaultRecalled), kMostRecalled);
  const auto found =
      home.ask([&](Database& database) { return recall(database, query, filter, limit); });

  Reply reply{.document = new_document()};
  reply.document["query"] = query;
  Document& memories = reply.document["memories"] = Document::array();
  for (const auto& one : found) {
    Document memory = memory_document(one.memory, home.now_ms());
    memory["score"] = rounded_score(one.score);
    if (arguments.has("--explain")) memory["parts"] = parts_document(one);
    memories.push_back(std::move(memory));
  }
  const bool asked = !query_words(query).empty();
  const bool records = asked && !arguments.has("--no-record") && home.exists();
  reply.document["recorded"] = records;
  if (records) {
    home.tell({memory_signal("memory.recall", recall_json(query, filter, limit, found),
                             arguments.value("--key").value_or(""))});
  }
  return reply;
}

std::string memory_recall_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& memory : document["memories"]) {
    const auto row = memory_row(memory, kNoteWidth);
    std::vector<Table::Cell> cells = {{share_text(memory["score"].get<double>()), Colour::kDim},
                                      {row[0], Colour::kBold},
                                      {row[1]}};
    if (memory.contains("parts")) {
      const Document& parts = memory["parts"];
      std::string explained = "keyword " + share_text(parts["keyword"]["value"].get<double>()) +
                              ", graph " + share_text(parts["graph"]["value"].get<double>());
      if (!parts["semantic"].is_null()) {
        explained += ", semantic " + share_text(parts["semantic"]["value"].get<double>());
      }
      if (parts.contains("through"))
        explained += " by " + shown(parts["through"].get<std::string>());
      cells.push_back({explained, Colour::kDim});
    }
    cells.push_back({row[3]});
    table.add(std::move(cells));
  }
  return table.empty() ? "nothing that fits\n" : table.print(style);
}

Reply memory_list(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, false);
  auto filter = memory_filter(arguments, home.now_ms());
  filter.all = arguments.has("--hidden");
  const auto after = arguments.value("--after").value_or("");
  const auto page = home.ask([&](Database& database) {
    return list_memories(database, filter, after, limit_flag(arguments, kMemoryListLimit));
  });
  if (!page && !after.empty()) home.require({after});
  Reply reply{.document = new_document()};
  Document& memories = reply.document["memories"] = Document::array();
  if (!page) return reply;
  for (const auto& memory : page->rows) memories.push_back(memory_document(memory, home.now_ms()));
  if (!page->rows.empty()) add_cursor(reply.document, page->more, page->rows.back().id);
  return reply;
}

std::string memory_list_text(const Document& document, const Style& style) {
  Table table;
  for (const Document& memory : document["memories"]) {
    const auto row = memory_row(memory, kNoteWidth);
    const std::string state = memory["state"];
    table.add({{row[0], Colour::kBold},
               {row[1]},
               {row[2], Colour::kDim},
               {state == "live" ? "" : state, Colour::kYellow},
               {row[3]}});
  }
  return table.empty() ? "nothing is remembered\n" : table.print(style) + more_hint(document);
}

Reply memory_show(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, false);
  const std::string id = memory_id(arguments.positional("MEMORY"));
  Reply reply{.document = new_document()};
  Document& document = reply.document;
  const bool found = home.ask([&](Database& database) {
    const auto memory = find_memory(database, id);
    if (!memory) return false;
    const Document whole = memory_document(*memory, home.now_ms());
    for (const auto& [name, value] : whole.items()) {
      document[name] = value;
    }
    const auto newer = superseded_by(database, id, home.now_ms());
    if (!newer.empty()) document["supersededBy"] = newer;
    document["links"] = Document::array();
    for (const auto& link : list_links(database, id)) {
      document["links"].push_back(link_document(link));
    }
    return true;
  });
  if (!found) home.require({id});
  return reply;
}

std::string memory_show_text(const Document& document, const Style& style) {
  const auto text = [&](const char* name) { return shown(document[name].get<std::string>()); };
  const auto row = memory_row(document, kNoteWidth);
  std::string out = paint(style, Colour::kBold, row[0]) + "  " + row[1] + ", " + text("class") +
                    ", " + row[2] + "  " + text("state") + "\n" +
                    wrapped(shown_lines(document["note"].get<std::string>()), 98, "  ");
  Table table;
  const auto add = [&](const char* name, const std::string& what) {
    table.add({{name, Colour::kDim}, {what}});
  };
  if (document.contains("summary")) add("summary", text("summary"));
  add("importance", share_text(document["importanceNow"].get<double>()) + " of " +
                        share_text(document["importance"].get<double>()));
  add("created", text("createdAt"));
  if (document.contains("expiresAt")) add("expires", text("expiresAt"));
  if (document.contains("supersededBy")) add("superseded", "by " + text("supersededBy"));
  for (const Document& link : document["links"]) {
    add("link", shown(link["from"].get<std::string>()) + " " + link["relation"].get<std::string>() +
                    " " + shown(link["to"].get<std::string>()));
  }
  return out + table.print(style, "  ");
}

}  // namespace reprise
