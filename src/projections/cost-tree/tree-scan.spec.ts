import { describe, expect, it } from '@jest/globals';
import type { FindPage, FindQuery } from '../../storage/read-model-store.js';
import type { ProjectionReader } from '../read-models.js';
import { COST_NODES } from './cost-chain.js';
import type { CostNodeDocument } from './cost-node.js';
import { ALL_EDGES } from './figures.js';
import {
  SCANNED_ENTRIES_MAX,
  SCANNED_SESSIONS_MAX,
  type ScannedSession,
  entriesOf,
  sessionsBelow,
} from './tree-scan.js';

const root: ScannedSession = { id: 'acme.s0', node: node(0), path: '' };

function node(index: number): CostNodeDocument {
  return {
    tenantId: 'acme',
    sessionId: `s${index}`,
    known: true,
    parentNode: 'acme.s0',
    edge: 'subagent',
    cells: {},
  };
}

/** A root with so many children, each without any of its own, and so many entries of the root. */
function readerOf(count: number): ProjectionReader {
  const find = (collection: string, { filters, limit, cursor = '0' }: FindQuery): FindPage => {
    const first = filters[0] as { readonly in: readonly string[] };
    const from = Number(cursor);
    const size = first.in.includes('acme.s0') ? Math.min(limit, count - from) : 0;
    const documents = Array.from({ length: size }, (_, index) => ({
      id: `acme.s${from + index + 1}`,
      document:
        collection === COST_NODES
          ? (node(from + index + 1) as unknown as Record<string, unknown>)
          : { node: 'acme.s0', position: '1', recordedAt: '' },
    }));
    return { documents, cursor: from + size < count && size > 0 ? `${from + size}` : undefined };
  };
  return { find: async (...query: Parameters<typeof find>) => find(...query) } as ProjectionReader;
}

async function entryCount(count: number): Promise<number> {
  let seen = 0;
  for await (const _ of entriesOf(readerOf(count), [root], undefined)) seen += 1;
  return seen;
}

describe('a report that is added up from single calls', () => {
  it('reads a tree up to its limits', async () => {
    const sessions = await sessionsBelow(readerOf(SCANNED_SESSIONS_MAX - 1), root, {
      edges: ALL_EDGES,
    });
    expect(sessions).toHaveLength(SCANNED_SESSIONS_MAX);
    expect(await entryCount(SCANNED_ENTRIES_MAX)).toBe(SCANNED_ENTRIES_MAX);
  });

  it('is refused beyond them, and says what to ask for instead', async () => {
    const tooMany = sessionsBelow(readerOf(SCANNED_SESSIONS_MAX), root, { edges: ALL_EDGES });
    await expect(tooMany).rejects.toMatchObject({
      code: 'limit_exceeded',
      facts: { limit: 'scannedSessionsMax', max: 10_000 },
    });
    await expect(entryCount(SCANNED_ENTRIES_MAX + 1)).rejects.toMatchObject({
      code: 'limit_exceeded',
      facts: { limit: 'scannedCallsMax', max: 100_000 },
    });
  });
});
