import { defineTask } from 'reprise';

export const step = defineTask('step', ({ i }) => ({ kind: 'agent', title: `Step ${i}` }));
export const measure = defineTask('measure', ({ side }) => ({ kind: 'agent', title: side }));
