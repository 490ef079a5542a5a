#include "engine/index/queries.h"

#include <algorithm>
#include <variant>

namespace reprise {

namespace {

/// A query that is put together of conditions, each with its parameters.
class Query {
 public:
  using Value = std::variant<int64_t, std::string>;

  void where(const std::string& condition, const std::vector<Value>& values = {}) {
    x_where += (x_where.empty() ? " WHERE (" : " AND (") + condition + ")";
    x_values.insert(x_values.end(), values.begin(), values.end());
  }
  void one_of(const std::string& column, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::string marks = "?";
    for (size_t i = 1; i < names.size(); ++i) marks += ",?";
    where(column + " IN (" + marks + ")", {names.begin(), names.end()});
  }

  /// One row more than the page holds: it tells whether there are more.
  Statement prepare(Database& database, const std::string& from, const std::string& order,
                    uint64_t limit) const {
    const auto most = std::min<uint64_t>(limit, INT64_MAX - 1) + 1;
    auto statement = database.prepare(from + x_where + order + " LIMIT " + std::to_string(most));
    bind_all(statement, x_values);
    return statement;
  }

  static void bind_all(Statement& statement, const std::vector<Value>& values) {
    int32_t parameter = 0;
    for (const auto& value : values) {
      std::visit([&](const auto& one) { statement.bind_one(++parameter, one); }, value);
    }
  }

 private:
  std::string x_where;
  std::vector<Value> x_values;
};

template <typename Row, typename Read>
Page<Row> take_page(Statement statement, uint64_t limit, const Read& read) {
  Page<Row> page;
  while (!page.more && statement.next()) {
    page.more = page.rows.size() == limit;
    if (!page.more) page.rows.push_back(read(statement));
  }
  return page;
}

constexpr const char* kRunColumns =
    "SELECT name, run_id, process, status, startable, created_ms, updated_ms, wake_ms, pending, "
    "labels, code, message, rules FROM runs";

RunRow read_run_row(const Statement& row) {
  return {row.text(0),
          row.text(1),
          row.text(2),
          row.text(3),
          row.number(4) != 0,
          row.number(5),
          row.number(6),
          row.number_if(7),
          row.text(8),
          row.text(9),
          row.text(10),
          row.text(11),
          static_cast<uint32_t>(row.count(12))};
}

/// Runs that are named in other rows. Few of those lead to their runs; of many, the newest runs
/// are asked one by one, for the page is full soon.
void where_named(Query& query, Database& database, const std::string& rows,
                 const std::vector<Query::Value>& values) {
  constexpr uint64_t kFew = 1000;
  auto statement = database.prepare("SELECT 1 " + rows + " LIMIT " + std::to_string(kFew));
  Query::bind_all(statement, values);
  uint64_t found = 0;
  while (statement.next()) ++found;
  query.where(found < kFew ? "name IN (SELECT run " + rows + ")"
                           : "EXISTS (SELECT 1 " + rows + " AND run = runs.name)",
              values);
}

void add_waiting_for(Query& query, Database& database, const std::string& kind) {
  if (kind == "signal") return query.where("status = 'waiting' AND pending = '{}'");
  // The plus keeps SQLite from sorting all runs of these statuses before it looks for the first.
  query.where("+status IN ('created', 'ready', 'waiting', 'paused')");
  where_named(query, database, "FROM effects WHERE kind = ?", {kind});
}

constexpr const char* kEffectColumns =
    "SELECT effects.run, run_id, process, id, task, kind, label, key, attempt, requested_ms, "
    "due_ms, timeout_ms, available_ms, held, worker IS NOT NULL, worker, claimed_ms, until_ms, "
    "host, boot, pid, start_time FROM effects CROSS JOIN runs ON runs.name = effects.run";

EffectRow read_effect_row(const Statement& row) {
  EffectRow result{row.text(0), row.text(1), row.text(2), {}};
  auto& effect = result.effect;
  effect.id = row.count(3);
  effect.task = row.text(4);
  effect.kind = row.text(5);
  effect.label = row.text(6);
  effect.key = row.text(7);
  effect.attempt = static_cast<uint32_t>(row.count(8));
  effect.requested_at_ms = row.number(9);
  effect.due_ms = row.number(10);
  effect.timeout_ms = row.number(11);
  effect.available_at_ms = row.number(12);
  effect.held = row.text(13);
  if (row.number(14) != 0) {
    auto& claim = effect.claim.emplace();
    claim.worker = row.text(15);
    claim.claimed_at_ms = row.number(16);
    claim.until_ms = row.number(17);
    claim.host = row.text(18);
    claim.boot = row.text(19);
    claim.pid = row.count(20);
    claim.start_time = row.count(21);
  }
  return result;
}

void add_standing(Query& query, const EffectFilter& filter) {
  using Standing = EffectFilter::Standing;
  switch (filter.standing) {
    case Standing::kAny:
      return;
    case Standing::kAvailable:
      return query.where(
          "status <> 'paused' AND held = '' AND worker IS NULL AND available_ms <= ?",
          {filter.now_ms});
    case Standing::kClaimed:
      return query.where("worker IS NOT NULL");
    case Standing::kHeld:
      return query.where("held <> ''");
    case Standing::kAsking:
      return query.where("held <> '' OR (kind = 'breakpoint' AND (due_ms = 0 OR due_ms > ?))",
                         {filter.now_ms});
  }
}

/// Names, and beginnings of names.
void add_types(Query& query, const std::vector<std::string>& types) {
  std::string condition;
  std::vector<Query::Value> values;
  for (const auto& type : types) {
    const bool begins = type.ends_with('*');
    condition += condition.empty() ? "" : " OR ";
    condition += begins ? "substr(type, 1, ?) = ?" : "type = ?";
    const auto size = type.size() - (begins ? 1 : 0);
    if (begins) values.emplace_back(static_cast<int64_t>(size));
    values.emplace_back(type.substr(0, size));
  }
  if (!types.empty()) query.where(condition, values);
}

uint64_t count(Database& database, const char* query) {
  auto statement = database.prepare(query);
  statement.next();
  return statement.count(0);
}

}  // namespace

std::optional<Page<RunRow>> list_runs(Database& database, const RunFilter& filter) {
  Query query;
  query.one_of("status", filter.statuses);
  if (filter.process) query.where("process = ?", {*filter.process});
  for (const auto& [name, value] : filter.labels) {
    where_named(query, database, "FROM labels WHERE labels.name = ? AND value = ?", {name, value});
  }
  if (filter.since_ms) query.where("updated_ms >= ?", {*filter.since_ms});
  if (filter.waiting_for) add_waiting_for(query, database, *filter.waiting_for);
  if (filter.parent) {
    query.where(
        "parent = ? AND parent <> '' AND NOT EXISTS (SELECT 1 FROM runs AS other "
        "WHERE other.name = runs.parent AND other.identity <> runs.parent_identity)",
        {*filter.parent});
  }
  if (filter.top_level) query.where("parent = ''");
  if (filter.startable) query.where("startable = 1");
  if (filter.rules_below) {
    query.where("rules < ? AND status IN ('created', 'ready', 'waiting', 'paused')",
                {static_cast<int64_t>(*filter.rules_below)});
  }
  if (!filter.after.empty()) {
    auto after = database.prepare("SELECT created_ms FROM runs WHERE name = ?");
    if (!after.bind(filter.after).next()) return std::nullopt;
    query.where("(created_ms, name) < (?, ?)", {after.number(0), filter.after});
  }
  return take_page<RunRow>(
      query.prepare(database, kRunColumns, " ORDER BY created_ms DESC, name DESC", filter.limit),
      filter.limit, read_run_row);
}

Page<EffectRow> list_effects(Database& database, const EffectFilter& filter) {
  Query query;
  // A failed run may be taken up again, but nobody works for it until then.
  query.where("status IN ('created', 'ready', 'waiting', 'paused')");
  add_standing(query, filter);
  query.one_of("kind", filter.kinds);
  if (!filter.run.empty()) query.where("effects.run = ?", {filter.run});
  if (!filter.after.first.empty()) {
    query.where("(effects.run, id) > (?, ?)",
                {filter.after.first, static_cast<int64_t>(filter.after.second)});
  }
  return take_page<EffectRow>(
      query.prepare(database, kEffectColumns, " ORDER BY effects.run, id", filter.limit),
      filter.limit, read_effect_row);
}

Page<EventRow> list_events(Database& database, const EventFilter& filter) {
  Query query;
  add_types(query, filter.types);
  if (!filter.run.empty()) query.where("run = ?", {filter.run});
  if (filter.since_ms) query.where("at_ms >= ?", {*filter.since_ms});
  if (!filter.newest_first) {
    query.where("id > ?", {filter.after});
  } else if (filter.after != 0) {
    query.where("id < ?", {filter.after});
  }
  const auto read = [](const Statement& row) {
    return EventRow{
        row.number(0),
        row.text(1),
        row.count(2),
        row.number(3),
        row.text(4),
        {static_cast<uint32_t>(row.count(5)), row.count(6), static_cast<uint32_t>(row.count(7))},
        row.text(8),
        row.text(9)};
  };
  const auto* columns =
      "SELECT id, run, seq, at_ms, type, segment, offset, length, "
      "(SELECT process FROM runs WHERE name = run), (SELECT identity FROM runs WHERE name = run) "
      "FROM events";
  const auto* order = filter.newest_first ? " ORDER BY id DESC" : " ORDER BY id";
  return take_page<EventRow>(query.prepare(database, columns, order, filter.limit), filter.limit,
                             read);
}

std::map<std::string, uint64_t> count_runs(Database& database) {
  std::map<std::string, uint64_t> counts;
  auto statement = database.prepare("SELECT status, count(*) FROM runs GROUP BY status");
  while (statement.next()) counts[statement.text(0)] = statement.count(1);
  return counts;
}

uint64_t count_records(Database& database) {
  return count(database, "SELECT total(head_seq) FROM runs");
}

uint64_t count_effects(Database& database) {
  return count(database, "SELECT count(*) FROM effects");
}

uint64_t count_events(Database& database) { return count(database, "SELECT count(*) FROM events"); }

}  // namespace reprise
