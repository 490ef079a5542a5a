// N sequential steps on DBOS with PostgreSQL. Usage: dbos.mjs N URL [resume]
// Prints {"seconds","steps"}; with `resume` the run that a killed process left goes on.
import { DBOS } from '@dbos-inc/dbos-sdk';

const [steps, url, resume] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
let performed = 0;
async function perform() {
  if (performed++ === 0) console.log('"begun"');
  return { exitCode: 0 };
}
const flow = DBOS.registerWorkflow(
  async (n) => {
    for (let i = 0; i < n; i++) await DBOS.runStep(perform, { name: `step-${i}` });
    return n;
  },
  { name: 'steps' },
);
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, applicationVersion: '1', logLevel: 'error',
  runAdminServer: false });
const begun = performance.now();
await DBOS.launch();
const launched = performance.now();
if (resume) {
  await DBOS.retrieveWorkflow('bench-steps').getResult();
} else {
  await (await DBOS.startWorkflow(flow, { workflowID: 'bench-steps' })(steps)).getResult();
}
const end = performance.now();
const seconds = (end - (resume ? begun : launched)) / 1000;
console.log(JSON.stringify({ seconds, steps: performed }));
process.exit(0);
