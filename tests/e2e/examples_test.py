"""Runs what the documents tell people to type.

In README.md, docs/*.md and docs/ctx/*.md, in order, each document (those of ctx all together) in a
fresh home and working directory:

    ```js, first line "// name.js"   is written to that file
    ```sh                            must exit 0 and say nothing on standard error
    ```console                       after "$ " a command, which must exit 0; the lines behind it
                                     are what it must print (times and the home's folder aside)
    <!-- setup ... -->               shell lines that a reader does not see
    <!-- not run: why -->            takes the next block out

Each example of docs/cli.md runs alone, in a home that is prepared for its command.
"""

import os
import pathlib
import re
import subprocess

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    {ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/ctx/*.md")}
    - {ROOT / "docs" / "cli.md"}
)
BLOCK = re.compile(
    r"<!-- (?P<mark>setup|not run)(?P<hidden>.*?)-->\n|"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
FILE_NAME = re.compile(r"// ([\w.-]+\.[cm]?js)\n")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

SHELL_PROCESS = """
import { defineTask } from 'reprise';
const make = defineTask('make', { kind: 'shell', title: 'Make', shell: { command: 'make' } });
export async function process(inputs, ctx) {
  const made = await ctx.task(make, {}, { key: 'build' });
  return { notes: made.success ? 'It is made.' : 'It is not.' };
}
"""
ASKS = """
export const process = (inputs, ctx) => ctx.breakpoint({ question: 'Ship it?' });
"""
START = "reprise run:create --entry notes.js; reprise run:iterate @last;"
END = (
    f"{START} reprise task:post @last t1 --status ok"
    " --value-inline '{\"success\":true}' --iterate;"
)
CLAIM = f"{START} reprise task:claim @last t1 --get /claim/token > token;"
BREAK = "sed -i s/EFFECT/EFEFCT/ .reprise/runs/*/journal/*.jsonl;"
ASK = "reprise run:create --entry asks.js; reprise run:iterate @last;"
FAIL = (
    "sed \"s/kind: 'shell'/kind: 'agent'/\" notes.js > agent.js;"
    "reprise run:create --entry agent.js; reprise run:iterate @last;"
    "reprise task:post @last t1 --status error --iterate;"
)
CHANNEL = (
    "reprise channel:create general --setting routing.policy=direct;"
    "for m in m1 m2 m3; do reprise message:post general hello --id $m; done;"
)
MODEL = (
    "reprise executor:add model --type mock --match kind=model --with 'value={\"text\":\"hi\"}';"
)
WORKER = f"{CHANNEL} reprise worker:spawn general work --mode interactive;"


def worked(result):
    """A channel with a worker that has said something."""
    value = f"--status ok --value-inline '{result}' --iterate;"
    return f"{WORKER} reprise task:post general --effect-key worker:w1 {value}"


WAITS = worked('{"status":"waiting","report":"go on?"}')
MADE = worked('{"summary":"done","artifact":{"kind":"text","content":"all of it"}}')
BRANCH = f"{CHANNEL} reprise branch:spawn general compare;"
MEMORIES = "reprise memory:save rain; reprise memory:save snow;"
LOOP = (
    "reprise executor:add brain --type mock --match kind=evaluate"
    " --with 'value={\"evaluations\":[{\"taskId\":\"task-1\",\"decision\":\"noop\"}]}';"
    "reprise heartbeat:tasks add Look;"
)
# Something with full permission is not resolved; what was approved has failed.
SENDING = (
    f"{LOOP} reprise heartbeat:tasks edit task-4 --intent write;"
    "reprise heartbeat:run-now --no-wait;"
    "reprise task:post subconscious t1 --status ok --iterate --value-inline"
    " '[{\"taskId\":\"task-4\",\"decision\":\"act\"}]';"
)
FAILED_CARD = (
    f"{LOOP} reprise heartbeat:run-now --no-wait;"
    "reprise task:post subconscious t1 --status ok --iterate --value-inline"
    " '[{\"taskId\":\"task-4\",\"decision\":\"escalate\"}]';"
    "reprise task:post subconscious t2 --status ok --iterate --value-inline"
    " '\"RECOMMENDED ACTION: tidy up\"';"
    "reprise approval:approve subconscious t3 --iterate;"
    "reprise task:post subconscious t4 --status error --iterate;"
)
BULLETIN = (
    "echo 'export function process(_, ctx) { ctx.emit(\"visor.bulletin.generated\","
    " {bulletinId: \"b1\", headline: \"quiet\", digest: \"Nothing goes on.\"}); }' > b.mjs;"
    "reprise run:create --entry b.mjs --run-id b; reprise run:iterate b;"
)
AGENT = "reprise agent:create scout;"
PROJECT = "reprise channel:create general; reprise project:create site;"
BOARD = (
    "reprise channel:create general; reprise project:create site --channel general;"
    "reprise board:add site 'write the news'; reprise board:add site idea"
    " --status pending_approval;"
)
SPACE = "reprise schedule:add --every 90m --command true --name space;"
PREPARATIONS = {
    "schedule:add": "reprise channel:create general;",
    **{f"schedule:{verb}": SPACE for verb in "show edit disable remove run-now log".split()},
    "schedule:enable": f"{SPACE} reprise schedule:disable space;",
    **{f"channel:{verb}": CHANNEL for verb in "create list show config stop hold release".split()},
    **{f"channel:{verb}": CHANNEL for verb in "recover delete allow deny".split()},
    **{f"message:{verb}": CHANNEL for verb in "interrupt list cancel reorder delay route".split()},
    "channel:close": "reprise channel:create general;",
    "message:post": f"{MODEL} {CHANNEL} echo hello > said.txt;",
    **{f"worker:{verb}": WORKER for verb in ("list", "show", "spawn", "cancel")},
    "worker:route": WAITS,
    **{f"branch:{verb}": BRANCH for verb in ("list", "show", "spawn")},
    **{f"artifact:{verb}": MADE for verb in ("list", "show")},
    **{f"memory:{verb}": MEMORIES for verb in ("show", "link", "forget", "export")},
    "bulletin:show": BULLETIN,
    "memory:import": f"{MEMORIES} reprise memory:export > memories.json;",
    **{f"agent:{verb}": AGENT for verb in ("list", "show", "config", "heartbeat")},
    "agent:create": "echo 'Be brief.' > rules.md;",
    "project:create": "reprise channel:create general;",
    **{f"project:{verb}": PROJECT for verb in ("list", "show", "link")},
    **{f"board:{verb}": BOARD for verb in "add list show move approve remove".split()},
    "board:assign": BOARD + "reprise agent:create coder;",
    **{f"approval:{verb}": ASK for verb in ("list", "show", "approve", "deny")},
    **{f"heartbeat:{verb}": LOOP for verb in "tasks log status run-now pause resume".split()},
    "heartbeat:abandon": SENDING,
    "approval:retry": FAILED_CARD,
    "run:create": "",
    "run:assign-process": "reprise run:create; cp notes.js fixed.js;",
    "run:retry": FAIL,
    "run:output": END,
    "run:wait": END,
    "run:start": "cp notes.js rel.mjs; printf 'all test:\\n\\ttrue\\n' > Makefile;",
    "run:archive": f"{START} reprise run:halt @last;",
    "run:delete": f"{START} reprise run:halt @last;",
    "run:repair-journal": START + BREAK,
    "executor:perform": "mkdir run; echo '{\"work\":{\"runDir\":\"'$PWD'/run\",\"effect\":\"t1\"},"
    "\"executor\":{\"type\":\"mock\"}}' > work.json;",
    "task:logs": f"{START} reprise task:exec @last t1 -- true;",
    "process:test": 'echo \'{"answers":[{"task":"make","ok":{}}]}\' > answers.json;',
    "task:extend": CLAIM,
    "task:release": CLAIM,
}


def blocks(text):
    """(language, text) of what is to be run; hidden lines are of the language "setup"."""
    skip = False
    for match in BLOCK.finditer(text):
        if match["mark"] == "setup":
            yield "setup", match["hidden"]
        elif match["mark"]:
            skip = True
        else:
            if not skip:
                yield match["language"], match["text"]
            skip = False


def transcript(text):
    """(command, expected lines) of a console block; a line that ends in \\ goes on."""
    steps = []
    for line in text.splitlines():
        goes_on = steps and not steps[-1][1] and steps[-1][0].endswith("\\")
        if goes_on:
            steps[-1][0] += "\n" + line
        elif line.startswith("$ "):
            steps.append([line[2:], []])
        else:
            steps[-1][1].append(line)
    return steps


class Examples(harness.Home):
    def setUp(self):
        super().setUp()
        del self.environment["REPRISE_HOME"]
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "reprise").symlink_to(harness.BINARY.resolve())
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"

    def shell(self, script):
        done = subprocess.run(
            ["bash", "-euc", script],
            env=self.environment,
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=harness.TIMEOUT_S,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{script}\n{done.stdout}")
        return done.stdout

    def as_printed(self, text):
        return TIME.sub("TIME", text.replace(str(self.folder), "~"))

    def run_block(self, language, text):
        name = FILE_NAME.match(text)
        if language in ("js", "mjs") and name:
            self.write(name[1], text)
        elif language in ("sh", "setup"):
            self.shell(text)
        elif language == "console":
            for command, expected in transcript(text):
                printed = self.as_printed(self.shell(command)).rstrip()
                if expected:
                    self.assertEqual(self.as_printed("\n".join(expected)), printed, command)
        else:
            return False
        return True


class Documents(Examples):
    def run_document(self, path):
        ran = [block for block in blocks(path.read_text()) if self.run_block(*block)]
        return len(ran)

    def test_readme(self):
        self.assertGreater(self.run_document(ROOT / "README.md"), 2)

    def test_processes(self):
        self.assertGreater(self.run_document(ROOT / "docs" / "processes.md"), 8)

    def test_every_member_of_ctx(self):
        pages = [path for path in DOCUMENTS if path.parent.name == "ctx"]
        ran = {page.name: self.run_document(page) for page in pages}
        without = [name for name, blocks_run in ran.items() if blocks_run == 0]
        self.assertEqual(without, [])
        self.assertGreater(len(ran), 10)

    def test_the_other_documents(self):
        for path in DOCUMENTS:
            if path.name in ("README.md", "processes.md") or path.parent.name == "ctx":
                continue
            with self.subTest(path.name):
                self.setUp()
                self.run_document(path)

    def test_a_wrong_example_is_found(self):
        for text in ("```sh\nfalse\n```", "```console\n$ echo a\nb\n```", "```sh\nls nothing\n```"):
            with self.subTest(text), self.assertRaises(AssertionError):
                for block in blocks(text):
                    self.run_block(*block)


class CommandReference(Examples):
    def setUp(self):
        super().setUp()
        self.environment["REPRISE_HOME"] = str(self.work / ".reprise")

    def test_every_example_of_every_command_works(self):
        sections = re.split(r"^### ", (ROOT / "docs" / "cli.md").read_text(), flags=re.MULTILINE)
        tried = 0
        for section in sections[1:]:
            command = section.split("\n", 1)[0]
            for _, text in blocks(section):
                for line in text.splitlines():
                    if not line.startswith("#"):
                        self.try_example(command, line)
                        tried += 1
        self.assertGreater(tried, 20)

    def try_example(self, command, line):
        with self.subTest(line):
            self.shell("rm -rf .reprise")
            for name in ("notes.js", "nightly.js"):
                self.write(name, SHELL_PROCESS)
            self.write("asks.js", ASKS)
            self.write("steps.json", {"steps": ["make", "make test"]})
            self.shell(PREPARATIONS.get(command, START))
            self.shell(line)


class ReleaseNotes(Examples):
    EXAMPLE = ROOT / "docs" / "examples" / "release-notes"
    REPOSITORY = """
      git init --quiet repo && cd repo
      git config user.name tester && git config user.email tester@example.org
      commit() { echo "$1" >> "$2"; git add "$2"; git commit --quiet --message "$1"; }
      commit 'cli: begin' cli.c; git tag v1
      commit 'cli: print "it'"'"'s done"' cli.c
      commit 'engine: go' engine.c
      commit 'no area' notes
    """

    def drive(self, *inputs):
        self.shell(self.REPOSITORY)
        words = " ".join(f"--input {word}" for word in inputs)
        entry = f"'{self.EXAMPLE}/release-notes.mjs'"
        self.shell(f"reprise run:create --run-id notes --entry {entry} --input repo=repo {words}")
        said = self.shell(f"'{self.EXAMPLE}/drive.sh' notes")
        return said, self.shell("reprise run:output notes --get /output/notes")

    def test_the_driver_takes_a_real_repository_to_its_notes(self):
        said, notes = self.drive("since=v1")
        self.assertIn("notes  completed", said)
        self.assertIn("# Changes since v1", notes)
        self.assertIn("## cli (1 files, +1 -0)", notes)
        self.assertIn('- print "it\'s done"', notes.replace("cli: ", ""))
        self.assertIn("## other (1 files, +1 -0)", notes)
        self.assertNotIn("begin", notes)

    def test_without_a_tag_all_commits_count(self):
        _, notes = self.drive()
        self.assertIn("# Changes since the beginning", notes)
        self.assertIn("cli: begin", notes)


class ChannelExample(Examples):
    CONVERSATION = ROOT / "docs" / "examples" / "channel" / "conversation.sh"

    def test_a_channel_from_its_first_message_to_its_compaction(self):
        said = self.shell(f"REPRISE_HOME=\"$PWD/talk\" '{self.CONVERSATION}'")
        answer, branch, worker, interrupt, compaction = said.split("\n== ")[1:]
        self.assertIn("Version 1.4 is ready.", answer)
        self.assertIn("b1  concluded", branch)
        self.assertIn("waiting_input", worker)
        self.assertIn("3 packages, 0 warnings", worker)
        rows = [line.split("  ")[-1].strip() for line in interrupt.splitlines()[1:]]
        self.assertEqual(rows[-4:], ["And about 1.3", "Please stop that",
                                     "I stopped. What instead?", "Noted."])
        self.assertIn("compactor.summary.applied", compaction)


if __name__ == "__main__":
    harness.main()
