import { isNativeError } from 'node:util/types';
import { CommanderError } from 'commander';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  store: 5,
  partly: 6,
} as const;

/** An error whose message is for people and already says what to do. */
export class CommandLineError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
    this.name = 'CommandLineError';
  }
}

const BY_NAME: Readonly<Record<string, number>> = {
  ConfigurationError: EXIT.usage,
  TokenizerError: EXIT.usage,
  StorageOpenError: EXIT.store,
  StoreUnavailableError: EXIT.store,
  AppendUnknownError: EXIT.store,
  ContextProblemError: EXIT.refused,
  ContextLostError: EXIT.refused,
  ArtifactDamagedError: EXIT.store,
  VersionConflictError: EXIT.refused,
  UnknownProjectionError: EXIT.usage,
  RebuildRefusedError: EXIT.refused,
  ImportError: EXIT.usage,
  ImportCollisionError: EXIT.refused,
  TransferError: EXIT.failed,
};

/** One sentence on stderr, never a stack; the exit code says which kind of failure it was. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.code === 'commander.helpDisplayed' || error.code === 'commander.version'
      ? EXIT.done
      : error.exitCode === 0
        ? EXIT.done
        : EXIT.usage;
  }
  process.stderr.write(`holdfast: ${textOf(error)}\n`);
  return exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandLineError) return error.exitCode;
  if (!isNativeError(error)) return EXIT.failed;
  if (error.name === 'Rejection') {
    const { code } = error as Error & { code?: string };
    if (code === 'not_found') return EXIT.notFound;
    return code === 'invalid_request' ? EXIT.usage : EXIT.refused;
  }
  return BY_NAME[error.name] ?? EXIT.failed;
}

function textOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const isKnown =
    error.name in BY_NAME || error.name === 'Rejection' || error.name === 'CommandLineError';
  if (isKnown) return error.message;
  const file = fileFault(error);
  if (file !== undefined) return file;
  return `${error.name}: ${error.message}`;
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'a part of this path is no folder',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EEXIST: 'it exists already',
};

/** What Node says of a file that an argument named, in words. */
function fileFault(error: Error): string | undefined {
  const { code, path } = error as Error & { code?: unknown; path?: unknown };
  const reason = typeof code === 'string' ? FILE_FAULTS[code] : undefined;
  return reason === undefined || typeof path !== 'string' ? undefined : `${path}: ${reason}`;
}
