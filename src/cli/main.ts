import { reportFailure } from './failure.js';
import { buildProgram } from './program.js';

// Whoever reads our output may stop reading (`| head`): then there is nothing more to say.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

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
