// Puts the domain events about memories into the tables of the index. Inside a transaction.
//
// Runs are read in any order, and records can go again; so the events are kept as facts, and what
// is found (memories, memory_text) is folded from the facts of each memory that was touched.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/index/database.h"

namespace reprise {

/// memory.saved, memory.updated, memory.linked, memory.forgotten, memory.recalled, memory.embedded,
/// and others that change nothing.
bool is_memory_event(std::string_view type);

class MemoryWriter {
 public:
  explicit MemoryWriter(Database& database);

  /// A payload that makes no sense adds nothing.
  void add(const std::string& run, uint64_t seq, int64_t at_ms, const std::string& type,
           std::string_view payload);
  /// The record is there no more.
  void drop(const std::string& run, uint64_t seq);
  /// A recall found these: it is an access to each of them.
  void add_recall(const std::string& run, uint64_t seq, int64_t at_ms,
                  const std::vector<std::string>& told_ids);
  /// All recalls of the run.
  void drop_recalls(const std::string& run);
  /// Brings `memories` up to date with what was added and dropped.
  void fold();

 private:
  void add_link(const std::string& run, uint64_t seq, int64_t at_ms, std::string_view payload);
  void add_vector(const std::string& run, uint64_t seq, int64_t at_ms, std::string_view payload);
  void fold_one(const std::string& id);
  int64_t accessed_ms(const std::string& id);

  Statement x_put_fact;
  Statement x_old_facts;
  Statement x_drop_facts;
  Statement x_put_link;
  Statement x_drop_link;
  Statement x_put_vector;
  Statement x_drop_vector;
  Statement x_put_recall;
  Statement x_old_recalls;
  Statement x_drop_recalls;
  Statement x_facts;
  Statement x_accessed;
  Statement x_put_accessed;
  Statement x_key;
  Statement x_put;
  Statement x_drop;
  Statement x_put_text;
  Statement x_drop_text;
  std::set<std::string> x_changed;  ///< ids
  std::set<std::string> x_used;     ///< ids: only their last access may have changed
};

}  // namespace reprise
