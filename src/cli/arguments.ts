import { SESSION_STATUSES, type SessionStatus } from '../domain/state.js';
import { CommandLineError, EXIT } from './failure.js';

export function checkedCount(name: string, text: string, max: number, min = 1): number {
  const count = text.trim() === '' ? NaN : Number(text);
  if (!Number.isSafeInteger(count) || count < min || count > max) {
    throw new CommandLineError(
      `${name} must be a whole number from ${min} to ${max}, not "${text}"`,
      EXIT.usage,
    );
  }
  return count;
}

export function checkedRevision(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) || revision < 0) {
    throw new CommandLineError(
      `${name} must be a revision (0, 1, 2, …), not "${text}"`,
      EXIT.usage,
    );
  }
  return revision;
}

export function checkedStatus(text: string | undefined): SessionStatus | undefined {
  if (text === undefined || SESSION_STATUSES.includes(text as SessionStatus)) {
    return text as SessionStatus | undefined;
  }
  throw new CommandLineError(
    `--status must be one of ${SESSION_STATUSES.join(', ')}, not "${text}"`,
    EXIT.usage,
  );
}

const COLLISIONS = ['merge', 'newIds', 'fail'] as const;

export function checkedCollision(text: string): (typeof COLLISIONS)[number] {
  const known = COLLISIONS.find((how) => how === text);
  if (known !== undefined) return known;
  throw new CommandLineError(
    `--on-collision must be one of ${COLLISIONS.join(', ')}, not "${text}"`,
    EXIT.usage,
  );
}

export function checkedFormat(text: string, known: readonly string[]): void {
  if (text === 'auto' || known.includes(text)) return;
  throw new CommandLineError(
    `there is no importer for the format "${text}": holdfast import takes ${known.join(', ')}, or ` +
      'auto, which recognises a log by its content',
    EXIT.usage,
  );
}

export function checkedSide(text: string | undefined): 'before' | 'through' | undefined {
  if (text === undefined || text === 'before' || text === 'through') return text;
  throw new CommandLineError('--side must be before or through', EXIT.usage);
}
