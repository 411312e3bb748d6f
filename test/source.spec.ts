import { describe, expect, it } from '@jest/globals';
import { projectFiles } from './architecture/project-files.js';
import { problemsIn, sourceRules } from './architecture/source-rules.js';
import { noTypeOnlyClasses } from './architecture/type-only-imports.js';

const rules = [...sourceRules, noTypeOnlyClasses];
const skip = ['sk', 'ip'].join('');
const later = ['TO', 'DO'].join('');
const outside = ['..', 'shared', 'notes.md'].join('/');

const wrong: Readonly<Record<string, { path: string; text: string }>> = {
  'a file has at most 300 lines': { path: 'src/long.ts', text: 'const a = 1;\n'.repeat(301) },
  'only the command line writes to the console': {
    path: 'src/api/session.controller.ts',
    text: "console.log('x');\n",
  },
  'only src/egress sends requests': {
    path: 'src/reconciliation/ask.ts',
    text: 'const answer = await fetch(url);',
  },
  'what a client names is looked up with own()': {
    path: 'src/commands/record-probe.ts',
    text: 'const call = state.calls[callId];',
  },
  'nothing is left to do': { path: 'src/domain/session.ts', text: `// ${later}: later\n` },
  'every test runs': { path: 'src/domain/session.spec.ts', text: `it.${skip}('x', f);\n` },
  'no file names the machine it was written on': {
    path: 'docs/start.md',
    text: `cd ${['', 'home', 'ada', 'holdfast'].join('/')}\n`,
  },
  'no file points outside the clone': { path: 'docs/start.md', text: `see ${outside}\n` },
  'a class that Nest needs at run time is imported as a value': {
    path: 'src/api/session.controller.ts',
    text: [
      "import type { StartSessionDto } from './start-session.dto.js';",
      'export class C { start(@Body() body: StartSessionDto) { return body; } }',
    ].join('\n'),
  },
};

describe('the source', () => {
  it('keeps its rules', async () => {
    const files = await projectFiles();
    expect(files.length).toBeGreaterThan(20);
    expect(problemsIn(files, rules)).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.name] as const))('would be found out: %s', (name) => {
    const file = wrong[name];
    expect(file).toBeDefined();
    const problems = file === undefined ? [] : problemsIn([file], rules);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
  });

  it('lets 300 lines, console output of the command line and API routes pass', () => {
    const files = [
      { path: 'src/whole.ts', text: 'const a = 1;\n'.repeat(300) },
      { path: 'src/cli/print.ts', text: "console.log('x');\n" },
      { path: 'docs/api.md', text: 'POST /v1/work/claim\n' },
    ];
    expect(problemsIn(files, rules)).toEqual([]);
  });

  it.each([
    [
      'a provider class in a constructor',
      "import type { Clock } from './clock.js';\n@Injectable()\nexport class A { constructor(private readonly clock: Clock) {} }",
      1,
    ],
    [
      'an inline type import',
      "import { type Clock } from './clock.js';\n@Injectable()\nexport class A { constructor(private readonly clock: Clock) {} }",
      1,
    ],
    [
      'a response, which is an interface',
      "import type { Reply } from 'fastify';\nexport class C { get(@Res() reply: Reply) { return reply; } }",
      0,
    ],
    [
      'an interface with a token',
      "import type { Clock } from './clock.js';\n@Injectable()\nexport class A { constructor(@Inject(CLOCK) private readonly clock: Clock) {} }",
      0,
    ],
    [
      'a class without decorators',
      "import type { Clock } from './clock.js';\nexport class A { constructor(private readonly clock: Clock) {} }",
      0,
    ],
    [
      'a class imported as a value',
      "import { Clock } from './clock.js';\n@Injectable()\nexport class A { constructor(private readonly clock: Clock) {} }",
      0,
    ],
  ])('knows %s', (_case, text, count) => {
    expect(problemsIn([{ path: 'src/app/a.ts', text }], [noTypeOnlyClasses])).toHaveLength(count);
  });
});
