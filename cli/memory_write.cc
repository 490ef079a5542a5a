// memory:save, memory:link, memory:forget: what is to be remembered, and what no longer.
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/memory_home.h"
#include "cli/text.h"
#include "cli/user_files.h"
#include "cli/user_values.h"
#include "engine/units.h"
#include "journal/clock.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

Json named_json(const Scope& named) { return {{"type", named.type}, {"id", named.id}}; }

Json number_flag(const std::string& text, const char* flag) {
  auto number = Json::parse(text, nullptr, false);
  if (number.is_number()) return number;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              std::string(flag) + " is a number from 0 to 1, not \"" + shown(text, 40) + "\"");
}

/// "never", a time, or a duration from now.
Json expiry_flag(const std::string& text, int64_t now_ms) {
  if (text == "never") return nullptr;
  if (const auto time = parse_time(text)) return format_time(*time);
  if (const auto duration_ms = parse_duration(text)) return format_time(now_ms + *duration_ms);
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--expires is a time, a duration or never, not \"" + shown(text, 40) + "\"",
              "as 2026-11-21T20:15:02.114Z, or 240h for ten days from now");
}

/// "run:web" or any other TYPE:ID.
Json source_flag(const std::string& text) {
  const auto colon = text.find(':');
  if (colon != std::string::npos && colon > 0) {
    return {{"type", text.substr(0, colon)}, {"id", text.substr(colon + 1)}};
  }
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              "--source is TYPE:ID, not \"" + shown(text, 80) + "\"", "as run:web or person:anna");
}

std::string read_note(const Arguments& arguments, const Session& session) {
  auto note = arguments.positional("NOTE");
  if (note == "-") note = read_user_file("-", {session.working_dir()}, "NOTE");
  while (note.ends_with('\n')) note.pop_back();
  parse_value(quote(note), "NOTE");
  return note;
}

/// What the words say of the memory, and nothing else.
Json given_members(const Arguments& arguments, const Session& session, int64_t now_ms) {
  Json given = Json::object();
  if (const auto note = read_note(arguments, session); !note.empty()) given["note"] = note;
  for (const char* name : {"summary", "kind", "class"}) {
    if (const auto value = arguments.value("--" + std::string(name))) given[name] = *value;
  }
  if (const auto scope = arguments.value("--scope")) {
    given["scope"] = named_json(scope_flag(*scope, "--scope"));
  }
  if (const auto source = arguments.value("--source")) given["source"] = source_flag(*source);
  for (const char* name : {"importance", "confidence"}) {
    const auto flag = "--" + std::string(name);
    if (const auto value = arguments.value(flag)) given[name] = number_flag(*value, flag.c_str());
  }
  if (const auto metadata = arguments.value("--metadata")) {
    given["metadata"] = Json::parse(parse_value(*metadata, "--metadata").text);
  }
  if (const auto expires = arguments.value("--expires")) {
    given["expiresAt"] = expiry_flag(*expires, now_ms);
  }
  return given;
}

Reply saved_reply(const std::string& id, bool recorded, const std::string& memory) {
  Reply reply{.document = new_document()};
  reply.document["memoryId"] = id;
  reply.document["recorded"] = recorded;
  reply.document["memory"] = raw_json(memory);
  return reply;
}

std::string verb_text(const Document& document, const Style& style, const char* verb) {
  return paint(style, Colour::kBold, shown(document["memoryId"].get<std::string>())) + "  " +
         (document["recorded"].get<bool>() ? verb : "was recorded before; nothing changed") + "\n";
}

}  // namespace

Reply memory_save(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, true);
  auto given = given_members(arguments, session, home.now_ms());
  const auto key = arguments.value("--key").value_or("");
  if (arguments.has("--id")) {
    const auto id = memory_id(*arguments.value("--id"));
    home.require({id});
    given["memoryId"] = id;
    const auto changes = checked_changes(given.dump());
    const Told told = home.tell({memory_signal("memory.update", changes, key)});
    return saved_reply(id, told.signals.front().recorded, changes);
  }
  const auto memory = complete_memory(given.dump(), home.now_ms());
  const Told told = home.tell({memory_signal("memory.save", memory, key)});
  const auto& sent = told.signals.front();
  return saved_reply("m" + std::to_string(sent.seq), sent.recorded, memory);
}

std::string memory_save_text(const Document& document, const Style& style) {
  return verb_text(document, style, "saved");
}

Reply memory_link(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, false);
  const std::string from = memory_id(arguments.positional("FROM"));
  const std::string to = memory_id(arguments.positional("TO"));
  Json given = {{"from", from}, {"to", to}};
  if (const auto relation = arguments.value("--relation")) given["relation"] = *relation;
  if (const auto weight = arguments.value("--weight")) {
    given["weight"] = number_flag(*weight, "--weight");
  }
  if (const auto provenance = arguments.value("--provenance")) given["provenance"] = *provenance;
  const auto link = complete_link(given.dump());
  home.require({from, to});
  const bool known = home.has_link(link);
  if (!known) home.tell({memory_signal("memory.link", link)});
  Reply reply{.document = new_document()};
  reply.document["recorded"] = !known;
  reply.document["link"] = raw_json(link);
  return reply;
}

std::string memory_link_text(const Document& document, const Style& style) {
  const auto link = Json::parse(json_of(document["link"]));
  const auto text = [&](const char* name) { return shown(link[name].get<std::string>()); };
  return paint(style, Colour::kBold, text("from")) + " " + text("relation") + " " +
         paint(style, Colour::kBold, text("to")) +
         (document["recorded"].get<bool>() ? "" : "  was linked so before; nothing changed") + "\n";
}

Reply memory_forget(const Arguments& arguments) {
  const Session session(arguments);
  MemoryHome home(arguments, session, false);
  const auto ids = arguments.positionals("MEMORY");
  std::vector<Signal> signals;
  Document forgotten = Document::array();
  for (const auto& word : ids) {
    const auto id = memory_id(word);
    const auto found = home.ask([&](Database& database) { return find_memory(database, id); });
    if (!found) home.require({id});
    const bool known = found->forgotten_ms.has_value();
    forgotten.push_back({{"memoryId", id}, {"recorded", !known}});
    if (known) continue;
    Json payload = {{"memoryId", id}};
    if (const auto reason = arguments.value("--reason")) payload["reason"] = *reason;
    signals.push_back(memory_signal("memory.forget", payload.dump()));
  }
  if (!signals.empty()) home.tell(signals);
  Reply reply{.document = new_document()};
  reply.document["memories"] = std::move(forgotten);
  return reply;
}

std::string memory_forget_text(const Document& document, const Style& style) {
  std::string out;
  for (const Document& memory : document["memories"]) out += verb_text(memory, style, "forgotten");
  return out;
}

}  // namespace reprise
