// Waits for a signal with a timer, then for another one: the first gives the timer up.
export async function process(inputs, ctx) {
  await ctx.signal('a', { timeoutMs: 1_000_000 });
  return await ctx.signal('b');
}
