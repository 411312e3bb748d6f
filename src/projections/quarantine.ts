import type { ReadModelStore } from '../storage/read-model-store.js';
import { type Generation, QUARANTINE } from './generation.js';

/** A session whose events this projection cannot apply from `revision` on. */
export interface QuarantinedStream {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly error: string;
}

export async function readQuarantine(
  store: ReadModelStore,
  generation: Generation,
): Promise<QuarantinedStream[]> {
  const found: QuarantinedStream[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.find(generation.collection(QUARANTINE), {
      filters: [],
      sort: { field: 'stream', direction: 'ascending' },
      limit: 200,
      cursor,
    });
    found.push(...page.documents.map(({ document }) => document as unknown as QuarantinedStream));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
