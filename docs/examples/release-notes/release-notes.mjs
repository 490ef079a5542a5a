// Release notes from the commits since a tag: collect them, look at each group side by side, let a
// person approve. A process only decides. What touches the world is a task: somebody performs it
// and posts the result.
import { defineTask } from 'reprise';

const quote = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

const listCommits = defineTask('list-commits', ({ repo, since }) => ({
  kind: 'shell',
  title: `Commits since ${since ?? 'the first one'}`,
  shell: {
    command:
      `git -C ${quote(repo)} log --no-merges --format='%h %s'` +
      ` ${since ? quote(`${since}..HEAD`) : 'HEAD'}`,
  },
}));

const measureGroup = defineTask('measure-group', ({ repo, group, commits }) => ({
  kind: 'shell',
  title: `What changed in ${group}`,
  shell: {
    command:
      `git -C ${quote(repo)} show --numstat --format=` +
      ` ${commits.map((commit) => quote(commit.hash)).join(' ')}` +
      ` | awk 'NF > 2 { added += $1; removed += $2; files[$3] }` +
      ` END { print length(files), added + 0, removed + 0 }'`,
  },
}));

/** "area: what was done" belongs to the group "area". */
function groupByArea(log) {
  const groups = new Map();
  for (const line of log.split('\n').filter(Boolean)) {
    const [hash, ...words] = line.split(' ');
    const subject = words.join(' ');
    const area = /^([\w/.-]+): /.exec(subject)?.[1] ?? 'other';
    groups.set(area, [...(groups.get(area) ?? []), { hash, subject }]);
  }
  return [...groups].map(([group, commits]) => ({ group, commits }));
}

function draft(since, groups) {
  const lines = [`# Changes since ${since ?? 'the beginning'}`];
  for (const { group, commits, files, added, removed } of groups) {
    lines.push('', `## ${group} (${files} files, +${added} -${removed})`, '');
    for (const { hash, subject } of commits) lines.push(`- ${subject} (${hash})`);
  }
  return lines.join('\n') + '\n';
}

export async function process({ repo = '.', since }, ctx) {
  const log = await ctx.task(listCommits, { repo, since });
  if (!log.success) throw new Error(`git log failed: ${log.stderr}`);

  const groups = await ctx.parallel.map(groupByArea(log.stdout), async ({ group, commits }) => {
    const measured = await ctx.task(measureGroup, { repo, group, commits });
    const [files, added, removed] = measured.stdout.trim().split(' ').map(Number);
    return { group, commits, files, added, removed };
  });

  const notes = draft(since, groups);
  const answer = await ctx.breakpoint(
    { title: 'Publish these release notes?', context: { notes } },
    { label: 'approve the notes' },
  );
  if (!answer.approved) ctx.halt('the draft was rejected', { feedback: answer.feedback });
  return { notes, groups: groups.length, approvedBy: answer.respondedBy ?? 'somebody' };
}
