"""What a home remembers: saved, found, linked, forgotten, carried to another home."""

import concurrent.futures
import json

import harness

TELLER = """
import { defineTask } from 'reprise';
const recall = defineTask('recall', { kind: 'recall', title: 'What do we know?' });
export async function process({ note, query }, ctx) {
  const scope = { type: 'channel', id: 'web' };
  if (note) ctx.emit('memory.saved', { memoryId: 'own', note, scope });
  return await ctx.task(recall, { query, bulletin: true });
}
"""


class Memory(harness.Home):
    def save(self, note, *words):
        return self.ok("memory:save", note, *words)["memoryId"]

    def recall(self, *words):
        return [found["memoryId"] for found in self.ok("memory:recall", *words)["memories"]]

    def listed(self, *words):
        return [memory["memoryId"] for memory in self.ok("memory:list", *words)["memories"]]

    def events(self, kind):
        return [e["payload"] for e in self.ok("event:list", "--type", f"memory.{kind}")["events"]]

    def test_what_is_saved_is_found_and_told_to_the_world(self):
        rain = self.save("It rains in Hamburg", "--scope", "project:weather", "--importance", "0.9")
        self.save("Anna prefers short answers")
        self.assertEqual(self.recall("rains"), [rain])
        self.assertEqual(self.recall("rain", "hamburg", "--scope", "global"), [])
        (saved, _) = self.events("saved")
        self.assertEqual((saved["memoryId"], saved["kind"], saved["class"], saved["importance"]),
                         (rain, "fact", "semantic", 0.9))
        self.assertEqual(saved["scope"], {"type": "project", "id": "weather"})
        recalled = self.events("recalled")
        self.assertEqual(recalled[0], {"query": "rains", "limit": 8, "memoryIds": [rain]})
        shown = self.ok("memory:show", rain)
        self.assertIn("accessedAt", shown)
        self.assertEqual(shown["runId"], "memory")
        self.records("memory")

    def test_a_note_comes_from_standard_input_and_a_key_saves_it_once(self):
        first = self.ok("memory:save", "-", "--key", "k", stdin="two\nlines\n")
        again = self.ok("memory:save", "-", "--key", "k", stdin="two\nlines\n")
        self.assertEqual((first["recorded"], again["recorded"]), (True, False))
        self.assertEqual(first["memoryId"], again["memoryId"])
        self.assertEqual(self.ok("memory:show", first["memoryId"])["note"], "two\nlines")

    def test_each_part_of_a_score_is_shown(self):
        old = self.save("We deploy on fridays")
        new = self.save("Deploys happen on mondays")
        self.ok("memory:link", new, old, "--relation", "supersedes")
        (found,) = self.ok("memory:recall", "fridays", "--explain")["memories"]
        self.assertEqual(found["memoryId"], new)
        parts = found["parts"]
        self.assertIsNone(parts["semantic"])
        self.assertEqual(parts["keyword"], {"value": 0.0, "weight": 0.35})
        self.assertEqual(parts["graph"], {"value": 1.0, "weight": 0.1})
        self.assertEqual(parts["through"], old)
        self.assertAlmostEqual(found["score"], 0.1 / 0.45, places=5)
        self.assertIn(f"by {old}", self.call("memory:recall", "fridays", "--explain").out)
        self.assertEqual(self.ok("memory:show", old)["supersededBy"], new)
        self.assertEqual(self.listed(), [new])
        self.assertEqual(self.listed("--hidden"), [new, old])

    def test_a_recall_with_a_vector_finds_what_means_the_same(self):
        config = {
            "memory": {"embedding": {"enabled": True}},
            "visor": {"bootstrapBulletin": False},  # it is a memory, too
            "executors": {
                "vectors": {
                    "type": "command",
                    "command": ["echo", "[[1, 0], [0, 1]]"],
                    "output": "json",
                }
            },
            "match": [{"kind": "embedding", "executor": "vectors"}],
        }
        self.ok("init")
        (self.home / "config.json").write_text(json.dumps(config))
        rain = self.save("It rains")
        self.save("Cows give milk")
        self.ok("heartbeat", "--drive")
        words = ("memory:recall", "the weather", "--explain", "--vector", "-")
        found = self.ok(*words, stdin="[0.9, 0.1]")["memories"]
        self.assertEqual([one["memoryId"] for one in found], [rain])
        self.assertEqual(found[0]["parts"]["semantic"]["weight"], 0.55)
        self.assertEqual(self.ok("memory:recall", "the weather")["memories"], [])
        for wrong in ("", "[0, 0]", '["1"]', "{}"):
            self.refused(2, "INVALID_ARGUMENT", *words, stdin=wrong)

    def test_a_recall_without_a_record_leaves_no_trace(self):
        rain = self.save("It rains")
        before = len(self.records("memory"))
        self.assertEqual(self.recall("rains", "--no-record"), [rain])
        self.assertEqual(len(self.records("memory")), before)
        self.assertNotIn("accessedAt", self.ok("memory:show", rain))

    def test_memories_are_changed_and_forgotten(self):
        rain = self.save("It rains", "--summary", "rain")
        self.ok("memory:save", "It snows", "--id", rain, "--importance", "1")
        self.assertEqual(self.recall("rains"), [])
        self.assertEqual(self.recall("snows"), [rain])
        shown = self.ok("memory:show", rain)
        self.assertEqual((shown["summary"], shown["importance"]), ("rain", 1))
        forgotten = self.ok("memory:forget", rain, "--reason", "spring")
        self.assertEqual(forgotten["memories"], [{"memoryId": rain, "recorded": True}])
        self.assertEqual(self.ok("memory:forget", rain)["memories"],
                         [{"memoryId": rain, "recorded": False}])
        self.assertEqual(self.recall("snows"), [])
        self.assertEqual(self.ok("memory:show", rain)["state"], "forgotten")
        self.assertEqual(self.events("forgotten"), [{"memoryId": rain, "reason": "spring"}])
        self.refused(3, "MEMORY_NOT_FOUND", "memory:save", "x", "--id", rain)

    def test_what_is_wrong_is_refused_before_anything_is_recorded(self):
        refused = lambda code, *words: self.refused(2, code, *words)  # noqa: E731
        refused("MEMORY_INVALID", "memory:save", "a", "--kind", "idea")
        refused("MEMORY_INVALID", "memory:save")
        refused("MEMORY_INVALID", "memory:save", " ")
        refused("MEMORY_INVALID", "memory:save", "a", "--importance", "2")
        refused("INVALID_ARGUMENT", "memory:save", "a", "--confidence", "high")
        refused("INVALID_ARGUMENT", "memory:save", "a", "--scope", "team:a")
        refused("INVALID_ARGUMENT", "memory:recall", "a", "--kind", "idea")
        error = refused("INVALID_ARGUMENT", "memory:save", "a", "--expires", "soon")
        self.assertIn("is a time, a duration or never", error["message"])
        refused("MEMORY_INVALID", "memory:link", "m3", "m3")
        self.refused(2, "MEMORY_INVALID", "memory:save", "-", stdin="x" * (1 << 20))
        self.refused(3, "MEMORY_NOT_FOUND", "memory:show", "m1")
        rain = self.save("It rains")
        self.refused(3, "MEMORY_NOT_FOUND", "memory:link", rain, "m999")
        self.refused(3, "MEMORY_NOT_FOUND", "memory:forget", rain, "m999")
        self.refused(3, "MEMORY_NOT_FOUND", "memory:list", "--after", "m999")
        self.refused(2, "INVALID_SIGNAL", "run:signal", "memory", "reprise.x")
        self.assertEqual(self.listed(), [rain])

    def test_no_query_is_a_syntax_error(self):
        rain = self.save('It "rains" in: Hamburg (often)')
        for query in ("what: does the rain*?", '"rains', "hamburg AND", "NEAR(rains", "note:rains",
                      "; -- rains", "rains' OR '1'='1"):
            with self.subTest(query):
                self.assertEqual(self.recall(query), [rain])
        for query in ("", "?", '"', "* ( )", ": ;"):
            with self.subTest(query):
                self.assertEqual(self.recall(query), [])

    def test_large_notes_are_kept_whole(self):
        note = ("rain " * 13_000).strip() + "."
        saved = self.ok("memory:save", "-", stdin=note)
        self.assertEqual(self.ok("memory:show", saved["memoryId"])["note"], note)
        self.assertEqual(self.recall("rain"), [saved["memoryId"]])

    def test_time_hides_what_expires_and_lets_importance_fade(self):
        at = lambda day: ("--now", f"2026-01-{day:02}T00:00:00Z")  # noqa: E731
        self.ok("memory:save", "It rains", "--expires", "240h", *at(1))
        (found,) = self.ok("memory:recall", "rains", "--no-record", *at(10))["memories"]
        self.assertEqual(found["expiresAt"], "2026-01-11T00:00:00.000Z")
        self.assertEqual((found["importance"], found["importanceNow"]), (0.5, 0.3151))
        self.assertEqual(self.recall("rains", "--no-record", *at(12)), [])
        self.ok("memory:save", "It snows", "--kind", "event", "--expires", "never", *at(12))
        self.assertEqual(len(self.recall("snows", "--now", "2030-01-01T00:00:00Z")), 1)

    def test_export_and_import_carry_memories_and_links_once(self):
        rain = self.save("It rains", "--scope", "channel:web", "--metadata", '{"a":[1]}')
        event = self.save("It began to snow", "--kind", "event")
        self.ok("memory:link", event, rain, "--relation", "about", "--weight", "0.5")
        self.ok("memory:forget", self.save("It hails"))
        exported = self.ok("memory:export")
        self.assertEqual(len(exported["memories"]), 2)
        text = self.call("memory:export").out
        self.assertEqual(json.loads(text), exported)
        file = self.write("memories.json", text)
        self.assertEqual(self.ok("memory:import", file)["recorded"], 0)
        other = ("--home", self.folder / "other")
        self.assertEqual(self.ok("memory:import", file, "--dry-run", *other)["recorded"], 0)
        self.assertEqual(self.ok("memory:import", file, *other)["recorded"], 3)
        self.assertEqual(self.ok("memory:import", file, *other)["recorded"], 0)
        there = self.ok("memory:export", *other)
        without_ids = lambda document: sorted(  # noqa: E731
            json.dumps({**memory, "memoryId": ""}, sort_keys=True)
            for memory in document["memories"])
        self.assertEqual(without_ids(there), without_ids(exported))
        self.assertEqual(len(there["links"]), 1)
        self.refused(2, "IMPORT_INVALID", "memory:import", self.write("no.json", "[]"))
        self.refused(2, "IMPORT_INVALID", "memory:import", self.write(
            "no.json", {"memories": [], "links": [{"from": "a", "to": "b"}]}))
        self.refused(2, "MEMORY_INVALID", "memory:import", self.write(
            "no.json", {"memories": [{"note": "a", "kind": "idea"}]}))
        self.refused(3, "FILE_NOT_FOUND", "memory:import", "nowhere.json")

    def test_a_process_recalls_what_it_and_others_told(self):
        rain = self.save("It rains in Hamburg")
        self.script(TELLER, "--input", "note=Rain is wet", "--input", "query=rain?", run="web")
        output = self.ok("run:output", "web")["output"]
        self.assertEqual(sorted(found["id"] for found in output["memories"]),
                         sorted([f"memory/{rain}", "web/own"]))
        self.assertEqual(self.ok("memory:show", f"memory/{rain}")["memoryId"], rain)
        self.assertIsNone(output["bulletin"])
        self.ok("run:verify", "web")
        self.assertEqual(self.recall("wet"), ["web/own"])
        self.ok("memory:forget", "web/own")
        self.assertEqual(self.recall("wet"), [])

    def test_a_home_without_memories_is_asked_without_an_index(self):
        self.script(TELLER, "--input", "query=rain", run="web")
        self.assertEqual(self.ok("run:output", "web")["output"],
                         {"bulletin": None, "memories": []})
        self.assertEqual({path.name for path in self.home.iterdir()}, {"runs"})

    def test_an_index_made_anew_remembers_the_same(self):
        one, two = self.save("It rains"), self.save("It rains more")
        self.ok("memory:link", two, one, "--relation", "supports")
        before = self.ok("memory:recall", "rains", "--explain", "--no-record")
        (self.home / "memory.mark").unlink()
        self.ok("index:rebuild")
        self.assertTrue((self.home / "memory.mark").exists())
        self.assertEqual(self.ok("memory:recall", "rains", "--explain", "--no-record"), before)
        (self.home / "index.db").write_bytes(b"garbage" * 1000)
        self.assertEqual(self.ok("memory:recall", "rains", "--explain", "--no-record"), before)

    def test_what_cannot_be_read_is_not_said_to_be_missing(self):
        rain = self.save("It rains")
        journal = self.home / "runs" / "memory" / "journal" / "00000001.jsonl"
        whole = journal.read_bytes()
        journal.write_bytes(whole.replace(b"It rains", b"It raims"))
        (self.home / "index.db").unlink(missing_ok=True)
        self.refused(5, "JOURNAL_CORRUPT", "memory:save", "It snows", "--id", rain)
        self.refused(5, "JOURNAL_CORRUPT", "memory:forget", rain)
        journal.write_bytes(whole)
        self.ok("memory:save", "It snows", "--id", rain)

    def test_ctx_memory_saves_and_recalls(self):
        self.script("""
            export async function process(inputs, ctx) {
              const first = ctx.memory.save('Rain is wet', { kind: 'fact', importance: 0.9 });
              const again = ctx.memory.save('Rain is wet', { kind: 'fact', importance: 0.9 });
              const own = ctx.memory.save('Snow is cold', { id: 'snow' });
              const { memories, bulletin } = await ctx.memory.recall('rain', { limit: 2 });
              const wrong = [];
              const { save, recall } = ctx.memory;
              for (const attempt of [
                () => save(''), () => save(' '), () => save(7), () => save('x'.repeat(1 << 20)),
                () => save('a', { id: 'a/b' }), () => save('a', { importance: 2 }),
                () => save('a', { key: 'k' }), () => save('a', { colour: 1 }),
                () => recall(), () => recall('a', { limit: 0 }), () => recall('a', { scopes: 1 }),
                () => recall('a', { bulletin: 1 }), () => recall('a', { x: 1 }),
              ]) {
                try { await attempt(); wrong.push('none'); } catch (e) { wrong.push(e.name); }
              }
              return { first, again, own, memories, bulletin, wrong };
            }""", run="web")
        output = self.ok("run:output", "web")["output"]
        self.assertEqual(output["first"], output["again"])
        self.assertEqual(output["own"], "web/snow")
        self.assertEqual([m["id"] for m in output["memories"]], [output["first"]])
        self.assertIsNone(output["bulletin"])
        self.assertEqual(set(output["wrong"]), {"TypeError"})
        self.ok("run:verify", "web")
        self.assertEqual(self.recall("rain"), [output["first"]])
        self.assertEqual(self.ok("memory:show", output["first"])["importance"], 0.9)

    def test_many_at_once_lose_nothing(self):
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            saved = list(pool.map(lambda n: self.save(f"number{n} rains"), range(6)))
        self.assertEqual(len(set(saved)), 6)
        self.assertEqual(sorted(self.recall("rains", "--limit", "100")), sorted(saved))

    def test_a_run_of_another_process_is_not_written_to(self):
        self.checklist("memory", "make")
        self.refused(4, "HOME_RUN_TAKEN", "memory:save", "It rains")

    def test_what_is_shown_does_not_act_on_a_terminal(self):
        evil = self.save("evil \x1b]0;title\x07 \u202e note", "--summary", "sum\x1b[2J")
        for words in (("memory:list",), ("memory:show", evil), ("memory:recall", "evil")):
            out = self.call(*words).out
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\u202e", out)

    def test_an_empty_home_remembers_nothing(self):
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.recall("rain"), [])
        self.assertFalse(self.home.exists())


if __name__ == "__main__":
    harness.main()
