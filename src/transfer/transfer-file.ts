import type { ArtifactOwner } from '../storage/artifact-store.js';
import type { EventToAppend } from '../storage/event-store.js';

/**
 * An export is a folder: `events.ndjson` with a line for each record in the order of the log, and
 * `artifacts/<hash>` with the bytes of each artifact, which stands before the event that names it.
 */
export const EVENTS_FILE = 'events.ndjson';
export const ARTIFACTS_FOLDER = 'artifacts';
export const EXPORT_VERSION = 1;

export interface ExportedEvent extends EventToAppend {
  readonly stream: string;
  readonly revision: number;
}

export interface ExportedArtifact extends ArtifactOwner {
  readonly hash: string;
  readonly sizeBytes: number;
}

export interface TransferCounts {
  readonly events: number;
  readonly streams: number;
  readonly artifacts: number;
}

export type TransferLine =
  | {
      readonly export: {
        readonly version: number;
        /** Of the event store that was read. */
        readonly storeId: string;
        /** A hash by the installation's keys, which are not in the export. */
        readonly keyCheck: string;
        readonly exportedAt: string;
      };
    }
  | { readonly artifact: ExportedArtifact }
  | { readonly event: ExportedEvent }
  | { readonly end: TransferCounts };

/** A transfer that cannot begin or go on: what, where, and what to do. */
export class TransferError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransferError';
  }
}

/** What the installation's keys make of a text that everybody knows. */
export function keyCheckOf(
  hasher: (tenantId: string, sessionId: string, content: string) => string,
): string {
  return hasher('export', 'export', 'the keys of this installation');
}
