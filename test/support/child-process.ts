import { type ChildProcess, spawn } from 'node:child_process';

export interface RunningChild {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  printed(): string;
  /** Resolves when it has ended, with all that it printed. */
  readonly ended: Promise<EndedChild>;
}

export interface EndedChild {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

export function startChild(
  command: string,
  parameters: readonly string[],
  environment: Environment = {},
): RunningChild {
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  const child = spawn(command, parameters, { env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<EndedChild>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
  });
  return { process: child, printed: () => stdout, ended };
}

export function startNode(
  script: string,
  parameters: readonly string[],
  environment: Environment = {},
): RunningChild {
  return startChild(process.execPath, [script, ...parameters], environment);
}
