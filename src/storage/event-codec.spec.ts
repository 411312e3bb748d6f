import { describe, expect, it } from '@jest/globals';
import { at } from '../../test/support/commands.js';
import { callIn, resultRecorded, sessionStarted } from '../../test/support/events.js';
import { SESSION, SessionLog, TENANT } from '../../test/support/session-log.js';
import { stored } from '../../test/support/stored.js';
import type { SessionEvent } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { initialState } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import { EventCodec, UnreadableEventError } from './event-codec.js';
import type { RecordedEvent } from './event-store.js';
import { defineUpcasters } from './upcasters.js';

function recorded(given: Partial<RecordedEvent>): RecordedEvent {
  return {
    eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c01',
    stream: sessionStream(TENANT, SESSION),
    revision: 7,
    position: 70n,
    type: 'InputWithdrawn',
    data: '{"inputId":"input-1"}',
    metadata: '{"tenantId":"acme"}',
    recordedAtMs: Date.parse(at(0)),
    ...given,
  };
}

/** A shape as it might once have been stored: no place for who wrote, then no delivery. */
const UPCASTERS = defineUpcasters({
  'InputAccepted.v0': {
    to: 'InputAccepted.v1',
    upcast: (data) => ({ ...(data as object), author: 'unknown' }),
  },
  'InputAccepted.v1': {
    to: 'InputAccepted',
    upcast: (data) => {
      const { text, ...rest } = data as { readonly text: string };
      return { ...rest, delivery: 'queue', content: [{ type: 'text', text: text.trim() }] };
    },
  },
});

describe('the event codec', () => {
  it('gives back what it was given, with its place and time', () => {
    const codec = new EventCodec();
    const log = new SessionLog(SESSION);
    log.append({ type: 'Test', commandId: 'command-1', now: at(5), payloadHash: 'aa' }, [
      sessionStarted({ title: 'Ünïcödé \u2028 and \ud83e\uddfe' }),
      ...callIn('running', 'opaqueWrite').slice(1),
      resultRecorded({ externalRef: undefined, durationMs: 0 }),
    ]);
    const read = log.records.map((record) => codec.decode(stored(record, codec)));
    expect(read).toEqual(log.records);
    expect(read[0]).toMatchObject({ revision: 0, position: 1n, recordedAt: at(5) });
  });

  it('gives the store the keys under which it finds an event again', () => {
    const metadata = {
      tenantId: 'acme',
      actor: 'ada',
      commandType: 'RecordToolResult',
      commandId: 'result-1',
    };
    const event = { eventId: 'e', event: resultRecorded(), recordedAtMs: 0 };
    const codec = new EventCodec();
    expect(codec.encode({ ...event, metadata }).keys).toEqual(['call:call-1']);
    const first = { ...metadata, commandEvents: 1 };
    expect(codec.encode({ ...event, metadata: first }).keys).toEqual([
      'call:call-1',
      'cmd:RecordToolResult:result-1',
    ]);
  });

  it.each<[string, Partial<RecordedEvent>, string]>([
    ['no JSON', { data: '{"inputId":' }, 'it is not JSON'],
    ['nothing', { data: '' }, 'it is not JSON'],
    ['no object', { data: 'null' }, 'it is not a JSON object'],
    ['a list', { data: '[]' }, 'it is not a JSON object'],
    ['damaged metadata', { metadata: '\u0000' }, 'it is not JSON'],
    ['no session', { stream: 'tenant-acme' }, 'its stream is not a session'],
  ])('says which event it cannot read: %s', (_, damage, reason) => {
    const damaged = recorded(damage);
    const read = () => new EventCodec().decode(damaged);
    expect(read).toThrow(UnreadableEventError);
    expect(read).toThrow(`event 7 of ${damaged.stream} cannot be read: ${reason}`);
  });

  it('reads an event of a type that it does not know, which changes nothing but the revision', () => {
    const { event } = new EventCodec().decode(recorded({ type: 'SessionPolished', data: '{}' }));
    expect(event).toEqual({ type: 'SessionPolished', data: {} });
    expect(evolve(initialState, event)).toEqual({ ...initialState, revision: 0 });
    const odd = new EventCodec().decode(recorded({ type: 'constructor', data: '{}' }));
    expect(odd.event.type).toBe('constructor');
  });

  it('shows one that it does not know and must not pass over, and folds nothing with it', () => {
    const required = '{"tenantId":"acme","required":true}';
    const unknown = recorded({ type: 'SessionFrozen', data: '{}', metadata: required });
    const read = () => new EventCodec().eventOf(unknown);
    expect(read).toThrow(UnreadableEventError);
    expect(read).toThrow('does not know SessionFrozen, which must not be passed over');
    expect(new EventCodec().decode(unknown).event.type).toBe('SessionFrozen');
    const known = new EventCodec().eventOf(recorded({ metadata: required }));
    expect(known.type).toBe('InputWithdrawn');
  });
});

describe('upcasting', () => {
  const codec = new EventCodec(UPCASTERS);
  const oldest = recorded({
    type: 'InputAccepted.v0',
    data: '{"inputId":"input-1","resume":true,"text":" Pay. "}',
  });
  const current: SessionEvent = {
    type: 'InputAccepted',
    data: {
      inputId: 'input-1',
      resume: true,
      author: 'unknown',
      delivery: 'queue',
      content: [{ type: 'text', text: 'Pay.' }],
    },
  };

  it('makes an old shape a current one, through every shape between', () => {
    expect(codec.decode(oldest).event).toEqual(current);
    expect(codec.typeOf('InputAccepted.v0')).toBe('InputAccepted');
    expect(codec.typeOf('InputAccepted')).toBe('InputAccepted');
  });

  it('leaves current shapes and those of others as they are', () => {
    expect(codec.decode(recorded({})).event).toEqual({
      type: 'InputWithdrawn',
      data: { inputId: 'input-1' },
    });
  });

  it('names the event whose old shape is damaged', () => {
    const damaged = { ...oldest, data: '{"inputId":"input-1"}' };
    expect(() => codec.decode(damaged)).toThrow(UnreadableEventError);
    expect(() => codec.decode(damaged)).toThrow('event 7 of');
  });

  it('refuses an upcaster that keeps its name, and a circle of them', () => {
    const same = (data: unknown) => data;
    expect(() => defineUpcasters({ A: { to: 'A', upcast: same } })).toThrow(
      'the upcaster of A leads back to A',
    );
    const circle = {
      A: { to: 'B', upcast: same },
      B: { to: 'C', upcast: same },
      C: { to: 'B', upcast: same },
    };
    expect(() => defineUpcasters(circle)).toThrow('leads back to B');
  });
});
