// Cleans up when it is cancelled.
import { job } from './lib/tasks.mjs';

export async function process(inputs, ctx) {
  ctx.onCleanup(() => ctx.log('left the room'));
  try {
    return await ctx.task(job, { name: 'long' });
  } catch (error) {
    await ctx.task(job, { name: 'clean' });
    throw error;
  }
}
