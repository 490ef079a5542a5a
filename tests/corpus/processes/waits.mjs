// Waits for each thing that a run can wait for, one after the other: `from` says where it begins.
import { job, shell } from './lib/tasks.mjs';

const HOUR = 3600_000;

export async function process({ from = 0, until = 6 }, ctx) {
  const waits = [
    () => ctx.task(shell, { command: 'make' }, { key: 'make', label: 'the build' }),
    () => ctx.breakpoint({ question: 'Go on?' }, { key: 'ask' }),
    () => ctx.sleepUntil(ctx.now().getTime() + 24 * HOUR).then(() => ctx.now().toISOString()),
    () => ctx.signal('news'),
    () => ctx.signal('rare', { timeoutMs: HOUR }).catch((error) => error.name),
    () => ctx.task(job, { name: 'slow' }, { timeoutMs: HOUR }).catch((error) => error.name),
    () => ctx.run('./small.mjs', { name: 'child' }, { key: 'child', labels: { of: 'waits' } }),
  ];
  const got = [];
  for (const wait of waits.slice(from, until + 1)) got.push(await wait());
  return got;
}
