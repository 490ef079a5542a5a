// Questions of every kind.
export async function process({ hours = 24 }, ctx) {
  const expires = ctx.now().getTime() + hours * 3600_000;
  const all = ['ada', 'bob', 'cy'];
  return ctx.parallel.all([
    () => ctx.breakpoint({ question: 'Plain?', context: { risk: 'low' } }, { key: 'plain' }),
    () => ctx.breakpoint({ question: 'Which?', options: ['now', { id: 'later', label: 'Later' }] },
      { key: 'which' }),
    () => ctx.breakpoint({ question: 'Two?' }, { key: 'quorum', approvers: all, quorum: 2 }),
    () => ctx.breakpoint({ question: 'In time?' }, { key: 'timely', expires }),
    () => ctx.breakpoint({ question: 'A number?' },
      { key: 'shaped', outputSchema: { type: 'object', required: ['response'] } }),
  ]);
}
