// Work with every rule that the author of a task can give.
import { job } from './lib/tasks.mjs';

const schema = { type: 'object', required: ['image'], properties: { image: { type: 'string' } } };

export async function process(inputs, ctx) {
  const retry = { maxAttempts: 3, backoffMs: 60_000, factor: 3, nonRetryable: ['SyntaxError'] };
  const asked = { maxAttempts: 2, backoffMs: 1000, onExhausted: 'ask' };
  const settled = await Promise.allSettled([
    ctx.task(job, { name: 'retried' }, { key: 'retried', retry }),
    ctx.task(job, { name: 'held' }, { key: 'held', retry: asked }),
    ctx.task(job, { name: 'timed' }, { key: 'timed', timeoutMs: 600_000, onLost: 'fail' }),
    ctx.task(job, { name: 'lost' }, { key: 'lost', onLost: 'ask' }),
    ctx.task(job, { name: 'shaped' }, { key: 'shaped', outputSchema: schema }),
    ctx.task(job, { name: 'plain' }, { key: 'plain' }),
  ]);
  return settled.map(({ status, value, reason }) => [status, value ?? reason.name]);
}
