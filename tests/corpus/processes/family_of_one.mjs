export async function process(inputs, ctx) {
  return await ctx.run('./small.mjs', { name: 'grandchild' });
}
