import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { TrailEvent, TrailEventType } from '../../src/domain/audit/trail-events.js';
import type { EventMetadata } from '../../src/domain/events.js';
import { auditStream } from '../../src/identity/derived-ids.js';
import { decodeTrailEvent, encodeTrailEvent } from '../../src/storage/trail-event-codec.js';

/** Every event of the trail that there is: a new one is missing here until it has its file. */
const CURRENT: Readonly<Record<TrailEventType, true>> = {
  AccessDenied: true,
  AuditExportStarted: true,
  AuditExported: true,
  ConfigurationChanged: true,
  StoreExported: true,
};

interface Golden {
  readonly type: string;
  readonly data: TrailEvent['data'];
  readonly metadata: EventMetadata;
}

const folder = new URL('./audit/', import.meta.url);

function golden(storedName: string): Golden {
  return JSON.parse(readFileSync(new URL(`${storedName}.json`, folder), 'utf8')) as Golden;
}

describe("stored events of a tenant's audit trail", () => {
  it('are all here, each under the name of its file', () => {
    const stored = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
    expect(stored).toEqual(expect.arrayContaining(Object.keys(CURRENT)));
    for (const name of stored) expect(golden(name).type).toBe(name);
  });

  it.each(Object.keys(CURRENT))('%s is read and written with the same bytes', (name) => {
    const { type, data, metadata } = golden(name);
    const eventId = '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c02';
    const recordedAtMs = Date.parse('2026-01-05T09:00:00.000Z');
    const stored = {
      eventId,
      type,
      recordedAtMs,
      stream: auditStream('acme'),
      revision: 0,
      position: 7n,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    };
    const event = decodeTrailEvent(stored);
    expect(encodeTrailEvent({ eventId, event, metadata, recordedAtMs })).toMatchObject({
      type,
      data: stored.data,
      metadata: stored.metadata,
    });
  });
});
