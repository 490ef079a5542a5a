// Takes messages until one says bye. `other` is a signal that it never awaits.
export async function process(inputs, ctx) {
  const heard = [];
  for (;;) {
    const text = await ctx.signal('message');
    if (text === 'bye') return { heard };
    heard.push(text);
    ctx.emit('chat.heard', { text, at: ctx.now().toISOString() });
  }
}
