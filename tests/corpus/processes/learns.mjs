// Saves memories and recalls them in the same iteration.
export async function process({ told }, ctx) {
  const scope = { type: 'project', id: 'site' };
  const id = ctx.memory.save(told, { kind: 'preference', scope, importance: 0.9 });
  const { memories } = await ctx.memory.recall(told, { limit: 3 });
  await ctx.signal('again');
  const later = await ctx.memory.recall('answers', { scopes: [scope] });
  return { id, now: memories.map((one) => one.id), later: later.memories.map((one) => one.note) };
}
