import { describe, expect, it } from '@jest/globals';
import type { Replay, ReplayStep } from '../../audit/replay-session.js';
import type { SessionEvent, SessionEventRecord } from '../../domain/events.js';
import { stepThrough } from './step-through.js';

const EVENTS: readonly SessionEvent[] = [
  event('InputAccepted', { inputId: 'one', content: [{ type: 'text', text: 'Pay it.' }] }),
  event('RunClaimed', { runId: 'run-1', workerId: 'worker' }),
  event('RunCompleted', { runId: 'run-1', note: '\u001b[2Jgone' }),
];

function event(type: SessionEvent['type'], data: object): SessionEvent {
  return { type, data } as SessionEvent;
}

function recordOf(version: number): SessionEventRecord {
  return {
    sessionId: 's1',
    revision: version,
    position: BigInt(version),
    eventId: `event-${version}`,
    recordedAt: '2026-01-31T12:00:00.000Z',
    metadata: { tenantId: 'acme', actor: 'jane', commandType: 'Do', commandId: `${version}` },
    event: EVENTS[version]!,
  };
}

const REPLAY: Replay = {
  newest: 2,
  step: (version): Promise<ReplayStep> =>
    Promise.resolve({
      version,
      record: recordOf(version),
      status: 'idle',
      calls: [{ tool: 'refund', state: 'unknown' }],
      pendingInputs: 1,
      context: {
        messages: [{ role: 'user', content: 'Pay it.' }],
        estimatedTokens: 7,
        repairs: [],
      },
    }),
  async *events(from) {
    for (let version = from; version < EVENTS.length; version += 1) {
      yield await Promise.resolve(recordOf(version));
    }
  },
};

/** The screens that the keys lead to. */
async function screens(...typed: readonly string[]): Promise<readonly string[]> {
  const written: string[] = [];
  const keys = (async function* () {
    for (const key of typed) yield await Promise.resolve(key);
  })();
  const size = () => ({ columns: 100, rows: 12 });
  await stepThrough(REPLAY, 0, { keys, size, write: (text) => void written.push(text) });
  return written.slice(1, -1).map((text) => text.split('\u001b[2J')[1]!);
}

const versionOn = (screen: string | undefined) => /Version (\d+) of 2/.exec(screen ?? '')?.[1];

describe('stepping through a session', () => {
  it('shows the event, how the session stands, its model input and its cost', async () => {
    const [first, input] = await screens('c');
    expect(first).toContain('#0 2026-01-31 12:00:00 jane Do → InputAccepted');
    expect(first).toContain('inputId: one');
    expect(first).toContain('calls: refund (unknown) · input: 1 message, about 7 tokens · cost: 0');
    expect(input).toContain('"content": "Pay it."');
  });

  it('goes on, back, and no further than the ends', async () => {
    const shown = await screens('n', 'n', 'n', 'b', '\u001b[D', 'b');
    expect(shown.map(versionOn)).toEqual(['0', '1', '2', '2', '1', '0', '0']);
    expect(shown[3]).toContain('this is the newest version');
    expect(shown[6]).toContain('this is the first version');
  });

  it('jumps to a version, and says which ones there are', async () => {
    const shown = await screens('g', '2', '\r', 'g', '7', '\r');
    expect(versionOn(shown[3])).toBe('2');
    expect(shown[6]).toContain('there are versions 0 to 2, no "7"');
  });

  it('finds a text, the next one, and goes on from the beginning', async () => {
    const shown = await screens('/', 'r', 'u', 'n', '-', '1', '\r', 'N', 'N');
    expect(shown.slice(-3).map(versionOn)).toEqual(['1', '2', '1']);
    expect(shown.at(-1)).toContain('went on from the beginning');
    expect((await screens('/', 'z', 'z', '\r')).at(-1)).toContain('"zz" stands nowhere');
  });

  it('lets no recorded text steer the terminal, and ends at q', async () => {
    const shown = await screens('n', 'n', 'q', 'n');
    expect(shown).toHaveLength(3);
    expect(shown[2]).toContain('note: ·[2Jgone');
    for (const line of shown[2]!.split('\r\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
