#include "cli/memory_home.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text.h"
#include "cli/user_values.h"
#include "engine/home_run.h"
#include "engine/run.h"
#include "journal/clock.h"
#include "journal/ids.h"

namespace reprise {
namespace {

double rounded_share(double share) { return std::round(share * 1e4) / 1e4; }

const char* state_of(const Memory& memory, int64_t now_ms) {
  if (memory.forgotten_ms) return "forgotten";
  return is_live(memory, now_ms) ? "live" : "expired";
}

}  // namespace

MemoryHome::MemoryHome(const Arguments& arguments, const Session& session, bool writes)
    : x_arguments(arguments), x_session(session), x_workspace(session.workspace(writes)) {}

Told MemoryHome::tell(const std::vector<Signal>& signals) {
  const RunHandle run = open_home_run(
      x_workspace, x_session.context(),
      {.name = kMemoryRun, .process = kMemoryRun, .simulated = x_arguments.has("--now")});
  return reprise::tell(*run.dir, x_session.context(), signals, After::kIterate, {});
}

/// The index leaves out what it cannot read: then that is the trouble, and not the id.
void MemoryHome::require_readable(const std::string& id) {
  const auto slash = id.find('/');
  const auto run = slash == std::string::npos ? kMemoryRun : id.substr(0, slash);
  if (!valid_run_id(run)) return;
  if (const auto dir = x_workspace.runs().open_dir(run)) read_state(*dir, true);
}

void MemoryHome::require(const std::vector<std::string>& ids) {
  const std::string missing = ask([&](Database& database) {
    for (const auto& id : ids) {
      const auto found = find_memory(database, id);
      if (!found || found->forgotten_ms) return id;
    }
    return std::string();
  });
  const bool exists = x_workspace.exists();
  if (exists && missing.empty()) return;
  if (exists) require_readable(missing);
  throw Error(Exit::kNotFound, "MEMORY_NOT_FOUND",
              "there is no memory " + shown(exists ? missing : ids.front(), 80),
              "reprise memory:list shows them");
}

bool MemoryHome::has_link(const std::string& link) {
  const auto wanted = nlohmann::json::parse(link);
  const std::string from = wanted["from"];
  return ask([&](Database& database) {
    return std::ranges::any_of(list_links(database, from), [&](const MemoryLink& one) {
      return one.from == from && one.to == wanted["to"] && one.relation == wanted["relation"] &&
             std::abs(one.weight - wanted["weight"].get<double>()) < 1e-6 &&
             one.provenance == wanted.value("provenance", "");
    });
  });
}

std::string memory_id(const std::string& word) { return global_memory_id(kMemoryRun, word); }

Scope scope_flag(const std::string& text, const char* flag) {
  if (auto scope = parse_scope(text)) return *scope;
  throw Error(Exit::kUsage, "INVALID_ARGUMENT",
              std::string(flag) + ": \"" + shown(text, 80) + "\" is no scope",
              "global, project:ID, channel:ID or agent:ID");
}

namespace {

std::vector<std::string> words_flag(const Arguments& arguments, const char* flag,
                                    const std::vector<std::string_view>& words) {
  auto values = arguments.values(flag);
  for (const auto& value : values) {
    if (std::ranges::find(words, value) != words.end()) continue;
    std::string all;
    for (const auto word : words) all += (all.empty() ? "" : ", ") + std::string(word);
    throw Error(Exit::kUsage, "INVALID_ARGUMENT",
                std::string(flag) + ": there is no \"" + shown(value, 80) + "\"", "one of " + all);
  }
  return values;
}

}  // namespace

MemoryFilter memory_filter(const Arguments& arguments, int64_t now_ms) {
  MemoryFilter filter{.kinds = words_flag(arguments, "--kind", memory_kinds()),
                      .classes = words_flag(arguments, "--class", memory_classes()),
                      .now_ms = now_ms};
  for (const auto& text : arguments.values("--scope")) {
    filter.scopes.push_back(scope_flag(text, "--scope"));
  }
  return filter;
}

Document memory_document(const Memory& memory, int64_t now_ms) {
  Document document = {{"memoryId", memory.id}, {"note", memory.note}};
  if (!memory.summary.empty()) document["summary"] = memory.summary;
  document["kind"] = memory.kind;
  document["class"] = memory.cls;
  document["scope"] = {{"type", memory.scope.type}, {"id", memory.scope.id}};
  if (!memory.source_type.empty()) {
    document["source"] = {{"type", memory.source_type}, {"id", memory.source_id}};
  }
  document["importance"] = rounded_share(memory.importance);
  document["importanceNow"] = rounded_share(importance_at(memory, now_ms));
  document["confidence"] = rounded_share(memory.confidence);
  if (!memory.metadata.empty()) document["metadata"] = raw_json(memory.metadata);
  document["state"] = state_of(memory, now_ms);
  document["runId"] = memory.run;
  document["createdAt"] = format_time(memory.created_ms);
  document["updatedAt"] = format_time(memory.updated_ms);
  if (memory.accessed_ms != 0) document["accessedAt"] = format_time(memory.accessed_ms);
  if (memory.expires_ms) document["expiresAt"] = format_time(*memory.expires_ms);
  if (memory.forgotten_ms) document["forgottenAt"] = format_time(*memory.forgotten_ms);
  return document;
}

Document link_document(const MemoryLink& link) {
  Document document = {{"from", link.from},
                       {"to", link.to},
                       {"relation", link.relation},
                       {"weight", rounded_share(link.weight)}};
  if (!link.provenance.empty()) document["provenance"] = link.provenance;
  return document;
}

std::vector<std::string> memory_row(const Document& memory, size_t width) {
  const std::string type = memory["scope"]["type"];
  const std::string id = memory["scope"]["id"];
  const auto text = [&](const char* name) { return memory[name].get<std::string>(); };
  return {shown(text("memoryId")), text("kind"),
          shown(type == "global" && id == type ? type : type + ":" + id, 30),
          shown(text(memory.contains("summary") ? "summary" : "note"), width)};
}

Signal memory_signal(const char* name, const std::string& json, const std::string& key) {
  return {.name = name, .value = parse_value(json, "the memory"), .key = key};
}

}  // namespace reprise
