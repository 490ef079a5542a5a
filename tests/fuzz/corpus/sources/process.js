import { defineTask } from 'reprise';
import './lib/a.js';
export * from './lib/b.mjs';
/** @inputs { name: string, depth?: number } */
const work = defineTask('work', (args) => ({ kind: 'shell', shell: { command: `echo ${args.a / 2} ${'`'}` } }));
const other = defineTask({ id: 'other', run: /[/"]x/g });
export async function process(inputs, ctx) {
  if (ctx.emit) ctx.emit('x', {});
  const r = await ctx.task(work, { a: 1 }); // "quote
  await import('./lib/c.js');
  return ctx.hook?.('x') ?? r;
}
