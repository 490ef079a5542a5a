// Asks for steps one after the other, for two side by side, and a person at the end.
import { shell } from './lib/tasks.mjs';

export async function process({ steps = 2 }, ctx) {
  ctx.onCleanup(() => ctx.log('tidied up'));
  const done = [];
  for (let i = 1; i <= steps; i++) {
    const { exitCode } = await ctx.task(shell, { command: `step ${i} ${ctx.random()}` });
    ctx.log('step', i, exitCode, ctx.now().toISOString());
    done.push(exitCode);
  }
  ctx.emit('steps.done', { steps, ticket: ctx.uuid() });
  const ask = (command) => () => ctx.task(shell, { command });
  const sides = await ctx.parallel.all(['left', 'right'].map(ask));
  const answer = await ctx.breakpoint({ question: 'Enough?', options: ['yes', 'no'] });
  return { done, sides: sides.map((side) => side.stdout), answer };
}
