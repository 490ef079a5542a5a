"""The index is derived: whatever becomes of its files, every question is answered as before."""

import harness

ASKING = """
export async function process(_, ctx) {
  ctx.emit('begun', {});
  await ctx.breakpoint({ question: 'Deploy?' }, { label: 'deploy' });
}
"""
QUESTIONS = (
    ("approval:list",),
    ("board:list",),
    ("bulletin:list",),
    ("channel:list",),
    ("event:list",),
    ("heartbeat", "--dry-run"),
    ("inbox",),
    ("memory:list",),
    ("memory:recall", "rain", "--explain", "--no-record"),
    ("run:list",),
    ("schedule:list",),
    ("task:list",),
    ("visor:status",),
)


class Damage(harness.Home):
    def setUp(self):
        super().setUp()
        self.script(ASKING, run="asking")
        self.checklist("posted")
        self.post("posted", "t1", {"success": True, "exitCode": 0})
        self.ok("channel:create", "web")
        self.ok("project:create", "site", "--channel", "web")
        self.ok("board:add", "site", "fix the login", "--channel", "web", "--status", "ready")
        self.ok("schedule:add", "--every", "1h", "--command", "true")
        rain = self.ok("memory:save", "It rains")["memoryId"]
        self.ok("memory:link", self.ok("memory:save", "It snows")["memoryId"], rain)
        self.ok("heartbeat", "--max-runs", "1")  # the bulletin, and something is left to do
        self.before = self.answers()

    def answers(self, after=lambda: None, among=QUESTIONS):
        """What questions are answered, each after the same misfortune."""
        answers = {}
        for words in among:
            after()
            answer = self.ok(*words)
            for of_this_call in ("at", "cursor", "seconds"):
                answer.pop(of_this_call, None)
            answers[words[0]] = answer
        return answers

    def check(self, damage, among=QUESTIONS[::3]):
        for question, answer in self.answers(damage, among).items():
            self.assertEqual(answer, self.before[question])

    def files(self):
        derived = ("index.db", "memory.")
        return [path for path in self.home.iterdir() if path.name.startswith(derived)]

    def spoil(self, change):
        index = self.home / "index.db"
        index.write_bytes(change(index.read_bytes()))

    def test_there_is_something_to_ask_for(self):
        for words in QUESTIONS:
            answer = self.before[words[0]]
            lists = [value for value in answer.values() if isinstance(value, list)]
            self.assertTrue(any(lists) or words[0] == "visor:status", (words, answer))

    def test_without_it(self):
        self.check(lambda: [path.unlink() for path in self.files()], among=QUESTIONS)

    def test_without_anything_that_is_derived(self):
        derived = ("index", "memory.", "changes.log")
        self.check(lambda: [path.unlink() for path in self.home.iterdir()
                            if path.name.startswith(derived) and path.is_file()])

    def test_cut_short(self):
        self.check(lambda: self.spoil(lambda data: data[: len(data) // 2]))

    def test_empty(self):
        self.check(lambda: self.spoil(lambda data: b""))

    def test_with_garbage_in_a_page(self):
        def page(data):
            middle = len(data) // 2 // 4096 * 4096
            return data[:middle] + bytes(range(256)) * 16 + data[middle + 4096 :]

        self.check(lambda: self.spoil(page))

    def test_with_zeros_in_its_header(self):
        self.check(lambda: self.spoil(lambda data: bytes(100) + data[100:]))


if __name__ == "__main__":
    harness.main()
