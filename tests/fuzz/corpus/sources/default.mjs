export default async function (inputs, { task, now }) { return `a${`b${1}`}` }
export const inputSchema = {};