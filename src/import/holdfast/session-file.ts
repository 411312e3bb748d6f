import type { ArtifactLink } from '../../domain/content.js';
import type { EventMetadata, SessionEvent } from '../../domain/events.js';

/**
 * A session, and what hangs under it, as a folder: `session.jsonl` with the header, each event with
 * its contents, parents before their children, and the end; `artifacts/<sha256>` with the bytes that
 * events point to. The same sessions at the same revisions give the same bytes.
 */
export const SESSION_FILE = 'session.jsonl';
export const SESSION_ARTIFACTS_FOLDER = 'artifacts';
export const SESSION_FILE_VERSION = 1;

export interface SessionFileHeader {
  readonly version: number;
  readonly tenantId: string;
  /** The one that was asked for. */
  readonly sessionId: string;
  readonly children: boolean;
}

/** Stands before the first event that points to it. */
export interface FileArtifact extends ArtifactLink {
  readonly sessionId: string;
  /** Of its bytes, hex: the name of its file. `hash` is keyed, as events have it. */
  readonly sha256: string;
}

export type FileEvent = SessionEvent & {
  readonly sessionId: string;
  readonly revision: number;
  readonly eventId: string;
  readonly recordedAt: string;
  readonly metadata: EventMetadata;
};

export interface SessionFileCounts {
  readonly sessions: number;
  readonly events: number;
  readonly artifacts: number;
}

export type SessionFileLine =
  | { readonly holdfast: SessionFileHeader }
  | { readonly artifact: FileArtifact }
  | { readonly event: FileEvent }
  /** `sha256` of all bytes before this line, hex. */
  | { readonly end: SessionFileCounts & { readonly sha256: string } };

const KEYED_HASH = /^[0-9a-f]{64}$/;

/** Every place of an event's data that points to an artifact of its session. */
export function artifactLinksIn(value: unknown): readonly ArtifactLink[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isArtifactLink(value)) return [value];
  return Object.values(value).flatMap(artifactLinksIn);
}

export function isArtifactLink(value: object): value is ArtifactLink {
  const { hash, sizeBytes, mediaType } = value as Partial<Record<keyof ArtifactLink, unknown>>;
  const isHash = typeof hash === 'string' && KEYED_HASH.test(hash);
  return isHash && typeof sizeBytes === 'number' && typeof mediaType === 'string';
}
