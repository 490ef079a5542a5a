// A race, a map with a bound, requests that nobody waits for, work for whoever drives.
import { job } from './lib/tasks.mjs';

export async function process({ items }, ctx) {
  const first = await Promise.race([
    ctx.task(job, { name: 'hare' }), ctx.task(job, { name: 'tortoise' }),
  ]);
  void ctx.task(job, { name: 'unheeded' });
  const mapped = await ctx.parallel.map(items, (name) => ctx.task(job, { name }), {
    maxConcurrency: 2,
  });
  const hooked = await ctx.hook('on-release', { version: '1.2' });
  const planned = await ctx.orchestratorTask({ do: 'plan' }, { label: 'Plan' });
  return { first, mapped, hooked, planned };
}
