import { ConsoleLogger, type LogLevel as NestLogLevel } from '@nestjs/common';
import type { LogLevel } from '../config/configuration-variables.js';

const LEVELS: Readonly<Record<LogLevel, NestLogLevel[]>> = {
  silent: [],
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/** Contexts that only tell how the framework put itself together. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'NestFactory',
  'NestApplication',
  'RoutesResolver',
  'RouterExplorer',
]);

/** One JSON line an entry, on stderr: stdout belongs to the program's own answers. */
export class ProcessLogger extends ConsoleLogger {
  constructor(level: LogLevel) {
    super({ json: true, colors: false, forceConsole: false, logLevels: LEVELS[level] });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (FRAMEWORK.has(String(rest.at(-1)))) return;
    super.log(message, ...rest);
  }

  /** Whoever asked to listen gets the error and says it once, in words. */
  override error(message: unknown, ...rest: unknown[]): void {
    if (/\blisten E[A-Z]+/.test(String(message))) return;
    super.error(message, ...rest);
  }

  protected override printAsJson(
    message: unknown,
    options: Parameters<ConsoleLogger['printAsJson']>[1],
  ): void {
    const { logLevel, context } = options;
    const time = new Date().toISOString();
    const entry = { time, level: logLevel, context, message: String(message), pid: process.pid };
    process.stderr.write(`${JSON.stringify(entry)}\n`);
  }
}
