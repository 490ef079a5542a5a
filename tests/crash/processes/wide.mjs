// Asks for `width` steps side by side, `rounds` times.
import { step } from './lib/tasks.mjs';

export async function process({ width, rounds }, ctx) {
  const done = [];
  for (let round = 0; round < rounds; round++) {
    const asked = Array.from({ length: width }, (_, i) => () => ctx.task(step, { round, i }));
    done.push(await ctx.parallel.all(asked));
  }
  return done;
}
