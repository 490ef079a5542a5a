#include "engine/memory/indexed_memory.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/history.h"
#include "engine/index/change_log.h"
#include "engine/index/queries.h"
#include "engine/index/run_index.h"
#include "engine/index/tables.h"
#include "engine/memory/memory_writer.h"
#include "engine/memory/recall.h"
#include "engine/memory/vectors.h"
#include "engine/run.h"
#include "journal/error.h"
#include "journal/real_files.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr const char* kBulletin = "visor.bulletin.generated";

struct Asked {
  std::string query;
  MemoryFilter filter;
  uint64_t limit = kDefaultRecalled;
  bool bulletin = false;
};

std::string run_of(const RecallRequest& request) {
  return std::filesystem::path(request.run_path).filename().string();
}

Asked read_args(const RecallRequest& request) {
  const auto args = Json::parse(request.args);
  Asked asked;
  asked.query = args.value("query", "");
  asked.filter.now_ms = request.now_ms;
  asked.bulletin = args.value("bulletin", false);
  if (args.contains("vector")) {
    asked.filter.vector =
        pack_vector(args["vector"].get<std::vector<double>>()).value_or(std::string());
  }
  asked.limit = std::min(args.value("limit", kDefaultRecalled), kMostRecalled);
  const auto run = run_of(request);
  for (const auto& scope : args.value("scopes", Json::array())) {
    const auto type = scope.at("type").get<std::string>();
    asked.filter.scopes.push_back({type, scope.value("id", own_scope_id(type, run))});
  }
  return asked;
}

std::optional<std::string> digest_of(const std::string& payload) {
  const auto bulletin = Json::parse(payload, nullptr, false);
  if (!bulletin.is_object() || !bulletin.contains("digest") || !bulletin["digest"].is_string()) {
    return std::nullopt;
  }
  return bulletin["digest"].get<std::string>();
}

/// The newest one, which may be of this very commit.
std::optional<std::string> find_bulletin(Database& database, Dir* runs,
                                         const RecallRequest& request) {
  for (auto own = request.own.rbegin(); own != request.own.rend(); ++own) {
    if (own->type == kBulletin) return digest_of(own->payload);
  }
  auto row = database.prepare(
      "SELECT run, segment, offset, length FROM events WHERE type = ? ORDER BY id DESC LIMIT 1");
  if (runs == nullptr || !row.bind(kBulletin).next()) return std::nullopt;
  const auto run = runs->open_dir(row.text(0));
  if (!run) return std::nullopt;
  const Place place{static_cast<uint32_t>(row.count(1)), row.count(2),
                    static_cast<uint32_t>(row.count(3))};
  JsonReader reader;
  std::string buffer;
  return digest_of(load_value(read_data(*run, place, buffer, reader), "payload", *run));
}

std::string answer_from(Database& database, Dir* runs, const RecallRequest& request) {
  const auto asked = read_args(request);
  // What this commit saved is put into the tables for the question, and taken out again.
  std::optional<Transaction> taken_back;
  if (!request.own.empty()) {
    taken_back.emplace(database);
    MemoryWriter writer(database);
    const auto run = run_of(request);
    for (const auto& event : request.own) {
      if (!is_memory_event(event.type)) continue;
      writer.add(run, event.seq, request.now_ms, event.type, event.payload);
    }
    writer.fold();
  }
  Json answer = {{"bulletin", nullptr}, {"memories", Json::array()}};
  for (const auto& found : recall(database, asked.query, asked.filter, asked.limit)) {
    Json memory = {{"id", told_memory_id(found.memory.id)},
                   {"kind", found.memory.kind},
                   {"note", found.memory.note},
                   {"score", std::round(found.score * 1e6) / 1e6}};
    if (!found.memory.summary.empty()) memory["summary"] = found.memory.summary;
    answer["memories"].push_back(std::move(memory));
  }
  if (asked.bulletin) {
    if (const auto digest = find_bulletin(database, runs, request)) answer["bulletin"] = *digest;
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string IndexedMemory::answer(const RecallRequest& request) {
  const auto runs_path = std::filesystem::path(request.run_path).parent_path().string();
  if (remembers(index_files(runs_path))) {
    const auto runs = existing_real_dir(runs_path);
    RunIndex index({runs_path, x_cache_folder, x_module}, *runs, x_random);
    return index.ask(
        [&](Database& database) { return answer_from(database, runs.get(), request); });
  }
  if (request.own.empty()) return std::string(kNothingRecalled);
  Database database({}, 0, x_module);
  database.execute(kTables);
  return answer_from(database, nullptr, request);
}

}  // namespace reprise
