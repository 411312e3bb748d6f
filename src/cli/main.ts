import { reportFailure } from './failure.js';
import { buildProgram } from './program.js';

async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error);
  }
}

process.exitCode = await main(process.argv.slice(2));
