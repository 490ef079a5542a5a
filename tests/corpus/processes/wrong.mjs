// What process:check complains about.
import { defineTask } from 'reprise';

const lint = defineTask('lint', () => ({ title: 'Lint' }));

export async function process(inputs, ctx) {
  await ctx.task(lint, {});
}
