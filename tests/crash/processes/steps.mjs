// Asks for `steps` steps one after the other, then, unless `brief`, for two side by side and for an
// answer. `random` puts a number of the run's own random stream into the arguments.
import { measure, step } from './lib/tasks.mjs';

export async function process({ steps, random = false, brief = false }, ctx) {
  const done = [];
  for (let i = 1; i <= steps; i++) {
    done.push(await ctx.task(step, random ? { i, nonce: ctx.random() } : { i }));
  }
  if (brief) return { done };
  const ask = (side) => () => ctx.task(measure, { side });
  const sides = await ctx.parallel.all(['left', 'right'].map(ask));
  const answer = await ctx.breakpoint({ title: 'Enough?' });
  return { done, sides, answer };
}
