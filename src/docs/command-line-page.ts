import { buildProgram } from '../cli/program.js';

/** What `--help` says, command by command. */
export function renderCommandLinePage(): string {
  const program = buildProgram(() => undefined);
  const parts = program.commands.flatMap((command) => [
    `## ${command.name()}\n\n${fenced(command.helpInformation())}`,
    ...command.commands.map(
      (part) => `### ${command.name()} ${part.name()}\n\n${fenced(part.helpInformation())}`,
    ),
  ]);
  return [
    '# The command line',
    '',
    'From a clone: `npx holdfast …`. It works on the data folder itself (`HOLDFAST_DATA_DIR`), also',
    'while a server does. Generated from the program by `npm run generate`.',
    '',
    fenced(program.helpInformation()),
    '',
    parts.join('\n\n'),
    '',
  ].join('\n');
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trim()}\n\`\`\``;
}
