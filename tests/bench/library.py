"""A library of process files as authors write them: ten agent tasks, ten phases with questions."""

TASK = """
export const task{task} = defineTask('area-{file}-step-{task}', (args, taskCtx) => ({{
  kind: 'agent',
  title: `Step {task} of ${{args.name}}`,
  agent: {{
    name: 'worker',
    prompt: {{
      role: 'an engineer',
      task: 'Do step {task}',
      context: args,
      instructions: ['Read the sources', 'Write the change', 'Run the tests', 'Say what was done'],
      outputFormat: 'JSON with success (boolean), files (array), notes (string)',
    }},
  }},
  io: {{ inputJsonPath: `tasks/${{taskCtx.effectId}}/input.json` }},
  labels: ['agent', 'step-{task}'],
}}));
"""
PHASE = """
  ctx.log('info', 'Phase {task}');
  const result{task} = await ctx.task(task{task}, {{ name, depth, known: results.length }});
  results.push(result{task});
  if (result{task}.success === false) {{
    await ctx.breakpoint({{ question: `Phase {task} failed for ${{name}}: go on?` }});
  }}
"""
FILE = """/**
 * @process library/process-{file}
 * @inputs {{ name: string, depth?: number, tags: string[] }}
 * @outputs {{ success: boolean, results: array }}
 */
import {{ defineTask }} from '@a5c-ai/babysitter-sdk';

export async function process(inputs, ctx) {{
  const {{ name, depth = 2, tags }} = inputs;
  const begun = ctx.now();
  const results = [];
{phases}
  return {{ success: true, results, tags: tags.map((tag) => tag.length), took: ctx.now() - begun }};
}}
{tasks}"""


def write(folder, count):
    """`count` files of about 8 KB in 20 folders below `folder`."""
    for file in range(count):
        path = folder / f"area{file % 20}" / f"process-{file}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILE.format(
            file=file,
            phases="".join(PHASE.format(task=task) for task in range(10)),
            tasks="".join(TASK.format(task=task, file=file) for task in range(10))))
