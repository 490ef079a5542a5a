// Children of every kind, side by side; what becomes of a failing one is an answer.
export async function process(inputs, ctx) {
  const settled = await Promise.allSettled([
    ctx.run('./small.mjs', { name: 'good' }, { key: 'good' }),
    ctx.run('./small.mjs', { name: 'bad', how: 'throw' }, { key: 'bad' }),
    ctx.run('./small.mjs', { name: 'short', how: 'halt' }, { key: 'short' }),
    ctx.run('builtin:checklist', { steps: ['make', 'make test'] }, { label: 'the list' }),
    ctx.run('./family_of_one.mjs', {}, { key: 'grandchild', timeoutMs: 3600_000 }),
    ctx.run('./small.mjs', { name: 'apart' }, { key: 'apart', detached: true }),
  ]);
  return settled.map(({ status, value, reason }) => [status, value ?? reason.name]);
}
