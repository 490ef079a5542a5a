// memory:export and memory:import: the memories of a home as one document.
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/memory_home.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "journal/blobs.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

constexpr size_t kSignalsPerCommit = 500;
/// What makes a memory; the rest of its document is derived.
constexpr const char* kMembers[] = {"class",      "confidence", "createdAt", "expiresAt",
                                    "importance", "kind",       "metadata",  "note",
                                    "scope",      "source",     "summary"};

Json taken_members(const Json& memory) {
  Json taken = Json::object();
  for (const char* name : kMembers) {
    if (memory.contains(name)) taken[name] = memory[name];
  }
  // What never expires is not to get an end by importing it.
  if (!taken.contains("expiresAt")) taken["expiresAt"] = nullptr;
  return taken;
}

[[noreturn]] void refuse_import(const std::string& what) {
  throw Error(Exit::kUsage, "IMPORT_INVALID", what, "memory:export writes what is taken here");
}

/// The document's memories and links as signals. A memory that is here already, the same note under
/// the same id, is left alone; any other gets an id made of what it says, so that to import it
/// again changes nothing.
class Import {
 public:
  Import(MemoryHome& home, const Json& document) : x_home(home) {
    if (!document.is_object() || !document.contains("memories"))
      refuse_import("it holds no memories");
    for (const auto& memory : document["memories"]) add_memory(memory);
    for (const auto& link : document.value("links", Json::array())) add_link(link);
  }

  const std::vector<Signal>& signals() const { return x_signals; }
  size_t known() const { return x_known; }

 private:
  void add_memory(const Json& memory) {
    if (!memory.is_object()) refuse_import("a memory must be an object");
    const auto given =
        memory.value("memoryId", Json()).is_string() ? memory["memoryId"].get<std::string>() : "";
    const auto taken = complete_memory(taken_members(memory).dump(), x_home.now_ms());
    const auto own = "i" + digest128(taken).substr(0, 16);
    if (!given.empty() && is_here(given, memory)) {
      x_ids[given] = given;
      ++x_known;
      return;
    }
    if (!given.empty()) x_ids[given] = own;
    if (x_home.ask([&](Database& database) { return find_memory(database, own); })) {
      ++x_known;
      return;
    }
    auto payload = Json::parse(taken);
    payload["memoryId"] = own;
    x_signals.push_back(memory_signal("memory.save", payload.dump(), "import:" + own));
  }

  bool is_here(const std::string& id, const Json& memory) {
    const auto found = x_home.ask([&](Database& database) { return find_memory(database, id); });
    return found && found->note == memory["note"];
  }

  void add_link(const Json& given) {
    auto link = Json::parse(complete_link(given.dump()));
    for (const char* end : {"from", "to"}) {
      const auto found = x_ids.find(link[end].get<std::string>());
      if (found == x_ids.end())
        refuse_import("a link names " + link[end].dump() + ", which is not in it");
      link[end] = found->second;
    }
    if (link["from"] == link["to"]) return;  // two that say the same are one here
    const auto text = link.dump();
    if (x_home.has_link(text)) {
      ++x_known;
      return;
    }
    x_signals.push_back(memory_signal("memory.link", text, "import:" + digest128(text)));
  }

  MemoryHome& x_home;
  std::map<std::string, std::string> x_ids;  ///< of the document to those of this home
  std::vector<Signal> x_signals;
  size_t x_known = 0;
};

}  // namespace

Reply memory_export(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, false);
  const auto filter = memory_filter(arguments, home.now_ms());
  Reply reply{.document = new_document()};
  Document memories = Document::array();
  Document links = Document::array();
  home.ask([&](Database& database) {
    std::map<std::string, bool> exported;
    const auto all = list_memories(database, filter, {}, UINT64_MAX);
    for (const auto& memory : all->rows) {
      Document whole = memory_document(memory, home.now_ms());
      Document& one = memories.emplace_back(Document{{"memoryId", memory.id}});
      for (const char* name : kMembers) {
        if (whole.contains(name)) one[name] = whole[name];
      }
      exported[memory.id] = true;
    }
    for (const auto& link : list_links(database)) {
      if (exported.contains(link.from) && exported.contains(link.to)) {
        links.push_back(link_document(link));
      }
    }
    return true;
  });
  reply.document["memories"] = std::move(memories);
  reply.document["links"] = std::move(links);
  return reply;
}

std::string memory_export_text(const Document& document, const Style&) {
  return print_json(document) + "\n";
}

Reply memory_import(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, true);
  const auto file = arguments.positional("FILE");
  const auto value = parse_value(read_user_file(file, {session.working_dir()}, "FILE"), file);
  const Import import(home, Json::parse(value.text));
  size_t recorded = 0;
  const auto& signals = import.signals();
  for (size_t first = 0; first < signals.size() && !arguments.has("--dry-run");
       first += kSignalsPerCommit) {
    const auto last = std::min(first + kSignalsPerCommit, signals.size());
    const Told told = home.tell({signals.begin() + static_cast<std::ptrdiff_t>(first),
                                 signals.begin() + static_cast<std::ptrdiff_t>(last)});
    for (const auto& sent : told.signals) recorded += sent.recorded ? 1 : 0;
  }
  Reply reply{.document = new_document()};
  reply.document["recorded"] = recorded;
  reply.document["known"] = import.known() + signals.size() - recorded;
  if (arguments.has("--dry-run")) reply.document["known"] = import.known();
  reply.document["dryRun"] = arguments.has("--dry-run");
  return reply;
}

std::string memory_import_text(const Document& document, const Style&) {
  return counted(document["recorded"].get<uint64_t>(), "entry", "entries") + " imported, " +
         std::to_string(document["known"].get<uint64_t>()) + " known before\n";
}

}  // namespace reprise
