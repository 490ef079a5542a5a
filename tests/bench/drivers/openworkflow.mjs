// N sequential steps on openworkflow with SQLite. Usage: openworkflow.mjs N FILE [resume]
// Prints {"seconds","steps"}; with `resume` the run that a killed process left goes on.
import { OpenWorkflow, Worker, defineWorkflow } from 'openworkflow';
import { BackendSqlite } from 'openworkflow/sqlite';

const [steps, file, resume] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const backend = BackendSqlite.connect(file);
let performed = 0;
const flow = defineWorkflow({ name: 'steps' }, async ({ input, step }) => {
  for (let i = 0; i < input.n; i++) {
    await step.run({ name: `step-${i}` }, async () => {
      if (performed++ === 0) console.log('"begun"');
      return { exitCode: 0 };
    });
  }
  return input.n;
});
const client = new OpenWorkflow({ backend });
client.implementWorkflow?.(flow.spec, flow.fn);
const worker = new Worker({ backend, workflows: [flow] });
const begun = performance.now();
if (resume) {
  await worker.start();
  let left = 1;
  while (left > 0) {
    await new Promise((done) => setTimeout(done, 5));
    const counts = await backend.countWorkflowRuns();
    left = (counts.pending ?? 0) + (counts.running ?? 0) + (counts.sleeping ?? 0);
  }
} else {
  const handle = await client.runWorkflow(flow.spec, { n: steps });
  await worker.start();
  await handle.result({ timeoutMs: 3600e3 });
}
const seconds = (performance.now() - begun) / 1000;
console.log(JSON.stringify({ seconds, steps: performed }));
process.exit(0);
