// CommonJS, with a module of its own, as babysitter's processes may be.
const { defineTask } = require('@a5c-ai/babysitter-sdk');
const { join } = require('node:path');
const words = require('./lib/words.cjs');

const write = defineTask('write', (args) => ({
  kind: 'agent',
  title: words.title(args.topic),
  agent: { name: 'writer', prompt: { task: args.topic } },
}));

exports.process = async function process(inputs, ctx) {
  const text = await ctx.task(write, { topic: inputs.topic });
  ctx.log('wrote', join('notes', `${inputs.topic}.md`));
  const { approved } = await ctx.breakpoint({ question: `Print ${inputs.topic}?` });
  return { text, approved };
};
