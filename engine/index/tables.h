// What index.db holds. All of it is derived from the journals; another version of the tables means
// that the file is made anew.
#pragma once

namespace reprise {

constexpr int kTablesVersion = 6;

// Times are milliseconds since 1970. `run` and `name` are a run's directory. A run's row holds how
// far its journal was read (head_*), and what that journal's last file looked like before it was
// read (file_*): a run whose file looks the same has nothing new. `touched` are runs that may have
// records behind the one named: their marks were taken out of changes.log. Memories are folded from
// their facts (engine/memory/memory_writer.h), and from what the effects named in memory_recalls
// found; their shares and weights are millionths. A vector is
// packed (engine/memory/vectors.h), and of the text that its memory had at text_ms. `work` counts a
// run's events about workers, so that nobody who asks every minute has to. `driven`
// are runs that heartbeats may begin and drive; `child` is the run that an effect asks for;
// `unsettled` are runs whose relatives may not have heard of them yet, each with a child to be
// cancelled or with none: see engine/index/due.cc.
constexpr const char* kTables = R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(
  name TEXT PRIMARY KEY, run_id TEXT NOT NULL, process TEXT NOT NULL, status TEXT NOT NULL,
  startable INTEGER NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
  wake_ms INTEGER, parent TEXT NOT NULL, pending TEXT NOT NULL, labels TEXT NOT NULL,
  code TEXT NOT NULL, message TEXT NOT NULL,
  head_seq INTEGER NOT NULL, head_segment INTEGER NOT NULL, head_offset INTEGER NOT NULL,
  head_sum INTEGER NOT NULL, file_segment INTEGER NOT NULL, file_size INTEGER NOT NULL,
  file_ms INTEGER NOT NULL, simulated INTEGER NOT NULL, driven INTEGER NOT NULL,
  cancelling INTEGER NOT NULL, rules INTEGER NOT NULL, identity TEXT NOT NULL,
  parent_identity TEXT NOT NULL, file_inode INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX runs_created ON runs(created_ms, name);
CREATE INDEX runs_status ON runs(status, created_ms, name);
CREATE INDEX runs_process ON runs(process, created_ms, name);
CREATE INDEX runs_parent ON runs(parent, created_ms, name) WHERE parent <> '';
CREATE INDEX runs_wake ON runs(simulated, wake_ms)
  WHERE status = 'waiting' AND wake_ms IS NOT NULL;
CREATE INDEX runs_ready ON runs(simulated, updated_ms, name) WHERE status = 'ready';
CREATE INDEX runs_begin ON runs(simulated, updated_ms, name)
  WHERE status = 'created' AND startable = 1 AND (driven = 1 OR parent <> '');
CREATE INDEX runs_driven ON runs(simulated, name)
  WHERE driven = 1 AND status IN ('created', 'ready', 'waiting');
CREATE INDEX runs_updated ON runs(updated_ms);
CREATE TABLE labels(
  name TEXT NOT NULL, value TEXT NOT NULL, run TEXT NOT NULL,
  PRIMARY KEY(name, value, run)) WITHOUT ROWID;
CREATE INDEX labels_run ON labels(run);
CREATE TABLE effects(
  run TEXT NOT NULL, id INTEGER NOT NULL, task TEXT NOT NULL, kind TEXT NOT NULL,
  label TEXT NOT NULL, key TEXT NOT NULL, attempt INTEGER NOT NULL, requested_ms INTEGER NOT NULL,
  due_ms INTEGER NOT NULL, timeout_ms INTEGER NOT NULL, available_ms INTEGER NOT NULL,
  held TEXT NOT NULL, worker TEXT, claimed_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL,
  host TEXT NOT NULL, boot TEXT NOT NULL, pid INTEGER NOT NULL, start_time INTEGER NOT NULL,
  child TEXT NOT NULL, PRIMARY KEY(run, id)) WITHOUT ROWID;
CREATE INDEX effects_child ON effects(child) WHERE child <> '';
CREATE INDEX effects_kind ON effects(kind, run, id);
CREATE INDEX effects_held ON effects(run, id) WHERE held <> '';
CREATE INDEX effects_claimed ON effects(run, id) WHERE worker IS NOT NULL;
CREATE TABLE events(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, seq INTEGER NOT NULL,
  sum INTEGER NOT NULL, at_ms INTEGER NOT NULL, type TEXT NOT NULL, segment INTEGER NOT NULL,
  offset INTEGER NOT NULL, length INTEGER NOT NULL);
CREATE INDEX events_run ON events(run, seq);
CREATE INDEX events_type ON events(type, id);
CREATE INDEX events_time ON events(type, at_ms);
CREATE TABLE work(run TEXT PRIMARY KEY, spawned INTEGER NOT NULL, ended INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TRIGGER work_told AFTER INSERT ON events
  WHEN new.type IN ('worker.spawned', 'worker.completed', 'worker.failed') BEGIN
  INSERT INTO work VALUES (new.run, new.type = 'worker.spawned', new.type <> 'worker.spawned')
    ON CONFLICT(run) DO UPDATE SET spawned = spawned + excluded.spawned,
                                   ended = ended + excluded.ended;
END;
CREATE TRIGGER work_gone AFTER DELETE ON events
  WHEN old.type IN ('worker.spawned', 'worker.completed', 'worker.failed') BEGIN
  UPDATE work SET spawned = spawned - (old.type = 'worker.spawned'),
                  ended = ended - (old.type <> 'worker.spawned') WHERE run = old.run;
  DELETE FROM work WHERE run = old.run AND spawned = 0 AND ended = 0;
END;
CREATE TABLE memory_facts(
  id TEXT NOT NULL, type TEXT NOT NULL, at_ms INTEGER NOT NULL, run TEXT NOT NULL,
  seq INTEGER NOT NULL, payload TEXT NOT NULL,
  PRIMARY KEY(id, type, at_ms, run, seq)) WITHOUT ROWID;
CREATE INDEX memory_facts_run ON memory_facts(run, seq);
CREATE TABLE memory_recalls(
  id TEXT NOT NULL, at_ms INTEGER NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY(id, at_ms, run, seq)) WITHOUT ROWID;
CREATE INDEX memory_recalls_run ON memory_recalls(run);
CREATE TABLE memory_links(
  run TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, from_id TEXT NOT NULL,
  to_id TEXT NOT NULL, relation TEXT NOT NULL, weight INTEGER NOT NULL, provenance TEXT NOT NULL,
  PRIMARY KEY(run, seq)) WITHOUT ROWID;
CREATE INDEX memory_links_from ON memory_links(from_id);
CREATE INDEX memory_links_to ON memory_links(to_id);
CREATE TABLE memory_vectors(
  run TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, at_ms INTEGER NOT NULL,
  text_ms INTEGER NOT NULL, model TEXT NOT NULL, vector TEXT NOT NULL,
  PRIMARY KEY(run, seq)) WITHOUT ROWID;
CREATE INDEX memory_vectors_id ON memory_vectors(id, at_ms);
CREATE TABLE memories(
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, note TEXT NOT NULL,
  summary TEXT NOT NULL, kind TEXT NOT NULL, class TEXT NOT NULL, scope_type TEXT NOT NULL,
  scope_id TEXT NOT NULL, source_type TEXT NOT NULL, source_id TEXT NOT NULL,
  importance INTEGER NOT NULL, confidence INTEGER NOT NULL, metadata TEXT NOT NULL,
  created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, accessed_ms INTEGER NOT NULL,
  expires_ms INTEGER, forgotten_ms INTEGER);
CREATE INDEX memories_created ON memories(created_ms, id);
CREATE VIRTUAL TABLE memory_text USING fts5(
  note, summary, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE unsettled(run TEXT NOT NULL, child TEXT NOT NULL, PRIMARY KEY(run, child))
  WITHOUT ROWID;
CREATE TABLE touched(run TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
)sql";

}  // namespace reprise
