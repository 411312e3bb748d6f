import { isWrittenByHand, type ProjectFile } from './project-files.js';

/** A rule on one file's text. Returns what is wrong, one sentence each. */
export interface SourceRule {
  readonly name: string;
  readonly appliesTo: (file: ProjectFile) => boolean;
  readonly problems: (file: ProjectFile) => string[];
}

const linesMax = 300;
const recordedData = /\.(jsonl?|ndjson|txt)$/;

function forbidText(
  name: string,
  appliesTo: (file: ProjectFile) => boolean,
  pattern: RegExp,
  reason: string,
): SourceRule {
  return {
    name,
    appliesTo,
    problems: ({ text }) =>
      text.split('\n').flatMap((line, index) => {
        const found = pattern.exec(line);
        return found === null ? [] : [`line ${index + 1}: ${found[0].trim()}: ${reason}`];
      }),
  };
}

/** The patterns are written so that this file does not match itself. */
export const sourceRules: readonly SourceRule[] = [
  {
    name: 'a file has at most 300 lines',
    appliesTo: isWrittenByHand,
    problems: ({ text }) => {
      const lines = text.replace(/\n$/, '').split('\n').length;
      return lines > linesMax ? [`${lines} lines: split it where its subject splits`] : [];
    },
  },
  forbidText(
    'only the command line writes to the console',
    ({ path }) =>
      /^(src|packages\/[^/]+\/src)\/.*\.ts$/.test(path) &&
      !path.startsWith('src/cli/') &&
      !path.endsWith('.spec.ts'),
    /\bconsole\.\w+\(/,
    'use the logger',
  ),
  forbidText(
    'only src/egress sends requests',
    ({ path }) => /^src\/(?!cli\/|egress\/).*\.ts$/.test(path) && !path.endsWith('.spec.ts'),
    /(?<![\w.])fetch\(/,
    'it would go past the checks of src/egress',
  ),
  forbidText(
    'what a client names is looked up with own()',
    ({ path }) => path.startsWith('src/') && !path.endsWith('.spec.ts'),
    /\.(calls|inheritedCalls|facts|underestimates|held|tools|labels)(\?\.|!)?\[[a-zA-Z]/,
    'a bare index finds what every object inherits, such as toString',
  ),
  forbidText(
    'nothing is left to do',
    (file) => isWrittenByHand(file) || file.path.endsWith('.md'),
    /\b(TO[D]O|FIX[M]E)\b/,
    'do it, or open an issue',
  ),
  forbidText(
    'every test runs',
    isWrittenByHand,
    /\b(describe|it|test)\.(skip|only|todo)\b|\b(xit|xdescribe|xtest|fit|fdescribe)\(/,
    'a skipped test proves nothing, a focused one hides the others',
  ),
  forbidText(
    'no file names the machine it was written on',
    ({ path }) => !recordedData.test(path) && !/(^|\/)(fixtures|samples|cases)\//.test(path),
    /(?<![\w}.*)-])\/(work\/\w|home\/\w|Users\/\w|tmp\/[f]arm)/,
    'a clone has other folders',
  ),
  forbidText(
    'no file points outside the clone',
    () => true,
    /\.\.\/[s]hared\b|(^|[^\w])\.[l]ibrary\//,
    'copy what is needed into the project',
  ),
];

export function problemsIn(
  files: readonly ProjectFile[],
  rules: readonly SourceRule[] = sourceRules,
): string[] {
  return files.flatMap((file) =>
    rules
      .filter((rule) => rule.appliesTo(file))
      .flatMap((rule) =>
        rule.problems(file).map((found) => `${file.path}: ${rule.name}: ${found}`),
      ),
  );
}
