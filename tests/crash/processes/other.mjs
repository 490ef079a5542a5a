// What steps.mjs becomes: a look around before anything else.
import { measure, step } from './lib/tasks.mjs';

export async function process({ steps }, ctx) {
  const before = await ctx.task(measure, { side: 'before' });
  const done = [];
  for (let i = 1; i <= steps; i++) done.push(await ctx.task(step, { i, nonce: ctx.random() }));
  return { before, done };
}
