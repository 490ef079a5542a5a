// Tasks that several processes ask for.
import { defineTask } from 'reprise';

export const shell = defineTask('shell', ({ command }) => ({
  kind: 'shell', title: command, shell: { command },
}));
export const job = defineTask('job', (args) => ({
  kind: 'ci-job', title: `Job ${args.name}`, ...args,
}));
