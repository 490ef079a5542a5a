// A home on a real disk, its runs, and what its index ought to hold: what a fresh reading of all
// journals says.
#pragma once

#include <string>
#include <vector>

#include "engine/commit.h"
#include "engine/index/queries.h"
#include "engine/index/run_index.h"
#include "engine/index/tables.h"
#include "tests/engine/folder_fixture.h"
#include "tests/journal/temp_dir.h"

namespace reprise::test {

class IndexedHome {
 public:
  IndexedHome() {
    folder.world.runs = open_real_dir(runs_path, true);
    folder.world.context.changes = &x_log;
  }

  IndexPlace place() const { return {runs_path, temp.path() + "/cache", REPRISE_TEST_SQLITE}; }
  RunIndex index() { return {place(), *folder.world.runs, folder.world.random}; }
  IndexFiles files() const { return index_files(runs_path); }
  std::string path(const std::string& name) const { return temp.path() + "/home/" + name; }

  /// A run that waits for an agent, and for a person's answer.
  void start(const std::string& id);
  void post(const std::string& id, const std::string& effect);
  void emit(const std::string& id, const std::string& type, const std::string& told = "1");
  /// The journal of a run.
  std::string journal(const std::string& id) const {
    return runs_path + "/" + id + "/journal/00000001.jsonl";
  }

  /// All rows that follow from the journals, as text.
  static std::string dump(Database& database);
  std::string ask() {
    auto all = index();
    auto text = all.ask(dump);
    last = all.refreshed();
    damage = all.damage();
    return text;
  }
  /// The same of an index that knows nothing.
  std::string fresh();

  TempDir temp;
  std::string runs_path = temp.path() + "/home/runs";
  Folder folder;
  Refreshed last;      ///< of ask()
  std::string damage;  ///< of ask()

 private:
  ChangeLog x_log;
};

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace reprise::test
