// Puts what was read of a run into the tables. Inside a transaction.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/index/database.h"
#include "engine/index/run_reader.h"
#include "engine/memory/memory_writer.h"

namespace reprise {

class RunWriter {
 public:
  explicit RunWriter(Database& database);

  /// How far a run was read; nullopt for one that is not in the tables.
  struct Known {
    Head head;  ///< without its time; seq 0: it could not be read
    JournalFile file;
  };
  std::optional<Known> known(const std::string& name);

  void store(const std::string& name, const RunReading& reading);
  /// The run is there no more.
  void remove(const std::string& name);

 private:
  void store_row(const std::string& name, const RunReading& reading);
  bool store_labels(const std::string& name, const std::string& labels);
  void store_effects(const std::string& name, const RunState& state);
  void store_unsettled(const std::string& name, const RunReading& reading);
  void drop_events(const std::string& name, const RunReading& reading,
                   std::map<uint64_t, uint64_t>& published);
  void store_events(const std::string& name, const RunReading& reading);
  void drop_recalls(const std::string& name);
  void store_recalls(const std::string& name, const RunReading& reading);

  Statement x_known;
  Statement x_put_run;
  Statement x_old_row;
  Statement x_drop_run;
  Statement x_drop_labels;
  Statement x_put_label;
  Statement x_drop_effects;
  Statement x_put_effect;
  Statement x_old_events;
  Statement x_drop_event;
  Statement x_put_event;
  Statement x_any_recall;
  Statement x_drop_unsettled;
  Statement x_put_unsettled;
  Statement x_unsettle_parent;
  /// Made when it is first needed: most homes remember nothing.
  MemoryWriter& memory();

  Database& x_database;
  std::optional<MemoryWriter> x_memory;
  JsonReader x_reader;
};

}  // namespace reprise
