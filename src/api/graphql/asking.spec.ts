import { describe, expect, it } from '@jest/globals';
import { Asking } from './asking.js';
import type { Feeds } from './feeds.js';
import type { RestOperation } from './rest-operations.js';
import type { SessionLoader } from './session-loader.js';

const REQUEST = { params: {}, query: {}, headers: {} };
const sender = {
  principal: { tenantId: 'acme', actor: 'local', scopes: new Set<never>() },
  ip: '127.0.0.1',
};

const operation = (kind: 'query' | 'mutation'): RestOperation => ({
  id: 'costs.cost',
  path: '/v1/cost',
  summary: '',
  offer: { kind, field: 'cost' },
  parameters: [],
  scopes: [],
  problems: [],
});

/** Operations that answer when they are told to. */
function slow() {
  const started: ((answer: string) => void)[] = [];
  const timeout = new AbortController();
  const dispatch = () => new Promise<string>((resolve) => started.push(resolve));
  const none = {} as SessionLoader & Feeds;
  return { started, timeout, asking: new Asking(dispatch, sender, none, none, timeout.signal) };
}

describe('a request whose time is over', () => {
  it('gets no answer of a query that is under way, and begins no other', async () => {
    const { started, timeout, asking } = slow();
    const underWay = asking.ask(operation('query'), REQUEST);
    timeout.abort();
    await expect(underWay).rejects.toMatchObject({ code: 'request_timeout' });
    for (const kind of ['query', 'mutation'] as const) {
      const later = asking.ask(operation(kind), REQUEST);
      await expect(later).rejects.toMatchObject({ code: 'request_timeout' });
    }
    expect(started).toHaveLength(1);
  });

  it('learns what became of a mutation that is under way', async () => {
    const { started, timeout, asking } = slow();
    const underWay = asking.ask(operation('mutation'), REQUEST);
    timeout.abort();
    started[0]!('written');
    expect(await underWay).toBe('written');
  });
});
