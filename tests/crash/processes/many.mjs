// The same step again and again: what tests/bench/fill_run.cc can make a long history of.
import { defineTask } from 'reprise';

const step = defineTask('step', { kind: 'shell', title: 'Step', shell: { command: 'true' } });

export async function process({ steps }, ctx) {
  for (let i = 1; i <= steps; i++) await ctx.task(step, { i });
  return { steps };
}
