import { type ToolManifest, completeManifest } from '../../src/domain/tool-manifest.js';

/** Short windows and few attempts, so that a schedule comes to the end of each of them. */
const keyField = { header: 'Idempotency-Key' };
const COMMON = {
  timeoutMs: 20_000,
  maxFlightMs: 30_000,
  maxProbes: 4,
  escalationDueMs: 600_000,
  escalateTo: 'operator',
};

/** The target can be told to refuse the operation key; nothing else makes "not found" final. */
const FENCED: Pick<ToolManifest, 'httpProbe' | 'voidByKey'> = {
  httpProbe: {
    method: 'GET',
    urlTemplate: 'https://target.test/{opKey}',
    rules: [{ status: [200], answer: 'found' }],
  },
  voidByKey: {
    method: 'POST',
    urlTemplate: 'https://target.test/{opKey}/void',
    voidedStatus: [200],
  },
};

/** Undoes what another tool has done; only a person orders it. */
export const UNDO = completeManifest({
  ...COMMON,
  name: 'undo',
  effect: 'keyedWrite',
  keyField,
  keyWindowMs: 120_000,
});

/** One tool of every kind. All promises are true of the target in this world (`target.ts`). */
export const TOOLS: readonly ToolManifest[] = [
  completeManifest({ ...COMMON, name: 'read', effect: 'readOnly' }),
  completeManifest({
    ...COMMON,
    name: 'pay',
    effect: 'keyedWrite',
    keyField,
    keyWindowMs: 120_000,
  }),
  completeManifest({
    ...COMMON,
    name: 'book',
    effect: 'keyedWrite',
    keyField,
    keyWindowMs: 60_000,
    probe: true,
    notFoundIsFinalAfterMs: 40_000,
  }),
  completeManifest({
    ...COMMON,
    name: 'order',
    effect: 'queryableWrite',
    notFoundIsFinalAfterMs: 30_000,
  }),
  completeManifest({
    ...COMMON,
    name: 'ticket',
    effect: 'queryableWrite',
    maxProbes: 2,
    compensate: UNDO.name,
    compensateWhenRunFails: true,
  }),
  completeManifest({ ...COMMON, ...FENCED, name: 'reserve', effect: 'queryableWrite' }),
  completeManifest({
    ...COMMON,
    ...FENCED,
    name: 'transfer',
    effect: 'keyedWrite',
    keyField,
    keyWindowMs: 300_000,
  }),
  completeManifest({
    ...COMMON,
    name: 'deploy',
    effect: 'keyedWrite',
    keyField,
    keyWindowMs: 120_000,
    approval: 'operator',
  }),
  completeManifest({
    ...COMMON,
    name: 'mail',
    effect: 'opaqueWrite',
    onUnknown: 'hold',
    compensate: UNDO.name,
  }),
  completeManifest({ ...COMMON, name: 'shell', effect: 'opaqueWrite' }),
];

/** Those whose target can be told to refuse a key. */
export const FENCED_TOOLS = TOOLS.filter((tool) => tool.voidByKey !== undefined);

/** What may be done with a call of these depends on the time. */
export const TIMED_TOOLS = TOOLS.filter(({ name }) => ['pay', 'book', 'order'].includes(name));

export const TOOL_NAMED: ReadonlyMap<string, ToolManifest> = new Map(
  [...TOOLS, UNDO].map((tool) => [tool.name, tool]),
);
