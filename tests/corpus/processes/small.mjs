// One job; `how` says what becomes of a result that is not liked.
import { job } from './lib/tasks.mjs';

export async function process({ name, how = 'return' }, ctx) {
  const result = await ctx.task(job, { name });
  if (how === 'throw') throw new RangeError(`${name} is out of range`);
  if (how === 'halt') ctx.halt(`${name} is enough`, { result });
  return { name, result };
}
