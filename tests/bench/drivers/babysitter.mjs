// Takes a babysitter run on by so many effects, in this one process, as its commands would.
//
// Usage: node babysitter.mjs SDK_INDEX RUN_DIR EFFECTS
const [sdk, runDir, effects] = process.argv.slice(2);
const { orchestrateIteration, commitEffectResult } = await import(sdk);
const logger = () => {};

for (let i = 0; i < Number(effects); i++) {
  const iteration = await orchestrateIteration({ runDir, logger });
  if (iteration.status !== 'waiting') throw new Error(`the run is ${iteration.status}`);
  await commitEffectResult({
    runDir,
    logger,
    effectId: iteration.nextActions[0].effectId,
    result: { status: 'ok', value: { exitCode: 0, stdout: 'ok' } },
  });
}
