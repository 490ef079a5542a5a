#include "tests/engine/index/index_fixture.h"

#include <fstream>
#include <iterator>

#include "engine/json_writer.h"

namespace reprise::test {

void IndexedHome::start(const std::string& id) {
  folder.create(id, R"({"ask":[{"kind":"agent"},{"kind":"breakpoint","label":"go on?"}]})");
  folder.iterate(id);
}

void IndexedHome::post(const std::string& id, const std::string& effect) {
  folder.run(id).post(effect, R"({"done":true})");
}

void IndexedHome::emit(const std::string& id, const std::string& type, const std::string& told) {
  auto run = folder.run(id);
  auto open = open_run(run.dir(), folder.world.context, Read::kTail);
  Commit commit(open, commit_time(open, folder.world.clock));
  const auto payload = JsonWriter().text("type", type).text("digest", std::string(32, '0'));
  commit.add({RecordType::kEventEmitted, 1, 0, JsonWriter(payload).raw("payload", told).done()});
  commit.write();
}

std::string IndexedHome::dump(Database& database) {
  std::string text;
  const auto add = [&](const std::string& table, const std::string& columns, int count) {
    auto row = database.prepare("SELECT " + columns + " FROM " + table + " ORDER BY 1, 2, 3");
    while (row.next()) {
      text += table;
      for (int column = 0; column < count; ++column) text += "|" + row.text(column);
      text += "\n";
    }
  };
  add("runs", "*", 17);  // without what its file looked like
  add("runs", "name, rules, identity, parent_identity", 4);
  add("labels", "*", 3);
  add("effects", "*", 19);
  add("memories", "id, note, importance, created_ms, updated_ms, accessed_ms, forgotten_ms", 7);
  add("memory_recalls", "id, at_ms, run, seq", 4);
  add("events", "run, seq, sum, at_ms, type, segment, offset, length", 8);
  add("work", "run, spawned, ended", 3);
  return text;
}

std::string IndexedHome::fresh() {
  Database database({}, 1000, REPRISE_TEST_SQLITE);
  database.execute(kTables);
  IndexFiles nowhere = files();
  nowhere.changes = "no-such.log";
  refresh_index(database, {*folder.world.runs, runs_path}, nowhere, folder.world.random, false);
  return dump(database);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

}  // namespace reprise::test
