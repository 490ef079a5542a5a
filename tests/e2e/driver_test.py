"""A driver and a process as they were written for babysitter, unchanged, against reprise."""

import json
import subprocess

import harness

PROCESS = """
import { defineTask } from '@a5c-ai/babysitter-sdk';

export const planTask = defineTask('plan', (args, taskCtx) => ({
  kind: 'agent',
  title: `Plan ${args.feature}`,
  agent: { name: 'planner', prompt: { role: 'architect', task: args.feature } },
  io: {
    inputJsonPath: `tasks/${taskCtx.effectId}/input.json`,
    outputJsonPath: `tasks/${taskCtx.effectId}/output.json`,
  },
  labels: ['plan', args.feature],
}));

export const testTask = defineTask('test', (args) => ({
  kind: 'shell', title: 'Test', shell: { command: `make ${args.target}` },
}));

export async function process(inputs, ctx) {
  const start = ctx.now();
  const plan = await ctx.task(planTask, { feature: inputs.feature });
  const review = await ctx.breakpoint({
    question: 'Good plan?', title: 'Review', context: { runId: ctx.runId },
  });
  if (!review.approved) return { status: 'rejected' };
  const results = await ctx.parallel.all([
    () => ctx.task(testTask, { target: 'unit' }),
    () => ctx.task(testTask, { target: 'lint' }),
  ]);
  ctx.log('info', 'all done');
  return { status: 'done', plan, results, took: ctx.now() - start >= 0 };
}
"""

# Reads only fields that babysitter documents; --flags as its skill files use them.
DRIVER = r"""
set -eu
runDir=$("$CLI" run:create --process-id demo --entry "$ENTRY#process" --inputs "$INPUTS" \
  --prompt 'do it' --harness claude-code --process-revision r1 --json | jq -r .runDir)
while :; do
  step=$("$CLI" run:iterate "$runDir" --json --iteration 1)
  status=$(echo "$step" | jq -r .status)
  [ "$status" = waiting ] || break
  echo "$step" | jq -c '.nextActions[]' | while read -r action; do
    id=$(echo "$action" | jq -r .effectId)
    mkdir -p "$runDir/work"
    case $(echo "$action" | jq -r .kind) in
      agent) echo "$action" | jq '{planned: .taskDef.agent.prompt.task}' ;;
      breakpoint) echo '{"approved":true,"response":"fine"}' ;;
      shell) echo "$action" | jq '{ran: .taskDef.shell.command, success: true}' ;;
    esac > "$runDir/work/$id.json"
    "$CLI" task:post "$runDir" "$id" --status ok --value "work/$id.json" \
      --invocation-key "$(echo "$action" | jq -r .invocationKey)" --json > /dev/null
  done
done
echo "$runDir"
"""


class Driver(harness.Home):
    def test_a_babysitter_driver_takes_a_babysitter_process_to_its_end(self):
        environment = {
            **self.environment,
            "CLI": str(harness.BINARY),
            "ENTRY": str(self.write("demo.js", PROCESS)),
            "INPUTS": str(self.write("inputs.json", {"feature": "login"})),
        }
        driven = subprocess.run(
            ["bash", "-c", DRIVER],
            env=environment,
            cwd=self.work,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.assertEqual(driven.returncode, 0, driven.stderr)
        run_dir = driven.stdout.strip()
        output = self.ok("run:output", run_dir)["output"]
        self.assertEqual(output["status"], "done")
        self.assertEqual(output["plan"], {"planned": "login"})
        self.assertEqual([r["ran"] for r in output["results"]], ["make unit", "make lint"])
        labels = self.ok("run:status", run_dir)["labels"]
        self.assertEqual(labels["harness"], "claude-code")
        self.assertEqual(labels["prompt"], "do it")

    def test_a_failed_shell_task_is_a_value_and_a_failed_agent_an_exception(self):
        self.script(
            "const t = (id, kind) => ({ id, build: () => ({ kind }) });"
            "export async function process(i, ctx) {"
            " const shell = await ctx.task(t('s', 'shell'), {});"
            " try { await ctx.task(t('a', 'agent'), {}); } catch (e) {"
            "   return { shell, name: e.name, message: e.message, data: e.data }; } }"
        )
        error = json.dumps({"name": "Exit", "message": "code 2", "data": {"exitCode": 2}})
        posted = self.ok(
            "task:post", "r", "t1", "--status", "error", "--error-inline", error, "--iterate"
        )
        self.assertTrue(posted["normalizedShellFailure"])
        self.ok("task:post", "r", "t2", "--status", "error", "--error-inline", error, "--iterate")
        output = self.ok("run:output", "r")["output"]
        self.assertFalse(output["shell"]["success"])
        self.assertEqual(output["shell"]["exitCode"], 2)
        self.assertEqual((output["name"], output["message"]), ("Exit", "code 2"))
        self.assertEqual(output["data"], {"exitCode": 2})


if __name__ == "__main__":
    harness.main()
