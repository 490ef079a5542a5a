// The service of N sequential steps that Restate calls. Usage: restate.mjs PORT
import * as restate from '@restatedev/restate-sdk';

const steps = restate.service({
  name: 'steps',
  handlers: {
    run: async (ctx, { n }) => {
      for (let i = 0; i < n; i++) await ctx.run(`step-${i}`, async () => ({ exitCode: 0 }));
      return n;
    },
  },
});
await restate.serve({ services: [steps], port: Number(process.argv[2]) });
