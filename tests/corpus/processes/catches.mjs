// A shell task that fails is an answer; another one that fails is thrown, and caught here.
import { job, shell } from './lib/tasks.mjs';

export async function process({ rethrow = false }, ctx) {
  const built = await ctx.task(shell, { command: 'make' });
  try {
    await ctx.task(job, { name: 'deploy' }, { label: 'to staging' });
  } catch (error) {
    if (rethrow) throw error;
    const after = await ctx.task(shell, { command: 'undo' });
    return { built: built.success, error: error.message, data: error.data, undone: after.exitCode };
  }
  return { built: built.success };
}
