// Has a child run, and waits for its end.
export async function process({ steps }, ctx) {
  return await ctx.run('./steps.mjs', { steps, brief: true });
}
