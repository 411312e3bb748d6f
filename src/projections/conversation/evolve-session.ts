import type { EventOf } from '../../domain/events.js';
import type { Shown } from '../../domain/events/positions.js';
import { previewOf } from '../preview.js';
import type { ConversationChange, ConversationView } from './conversation-change.js';
import type { FactEntry } from './conversation-document.js';

type SessionChangeEvent =
  | EventOf<'Forked'>
  | EventOf<'FactsRecorded'>
  | EventOf<'Reverted'>
  | EventOf<'RevertCleared'>
  | EventOf<'Compacted'>;

export function sessionChange(
  view: ConversationView,
  event: SessionChangeEvent,
  revision: number,
): ConversationChange {
  switch (event.type) {
    case 'Forked':
      return forked(event.data);
    case 'FactsRecorded':
      return factsRecorded(view, event.data, revision);
    case 'Reverted':
      return reverted(view, event.data, revision);
    case 'RevertCleared':
      return revertCleared(view, event.data, revision);
    case 'Compacted':
      return compacted(view, event.data, revision);
  }
}

function forked(data: EventOf<'Forked'>['data']): ConversationChange {
  return {
    header: {
      ...shown(data),
      segments: data.segments,
      inheritedCalls: data.inherited.map(({ callId, originSessionId, tool, stateAtCut }) => ({
        callId,
        originSessionId,
        tool,
        stateAtCut,
      })),
    },
  };
}

function factsRecorded(
  { header }: ConversationView,
  { facts }: EventOf<'FactsRecorded'>['data'],
  revision: number,
): ConversationChange {
  const at = { sessionId: header.sessionId, revision };
  const entries = facts.map(({ factId, version, retired }): [string, FactEntry] => [
    factId,
    retired ? { version, at, retired } : { version, at },
  ]);
  const item = {
    kind: 'facts' as const,
    revision,
    factIds: facts.map(({ factId }) => factId),
    bytes: facts.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0),
    preview: previewOf(facts[0]?.text ?? ''),
  };
  return {
    header: { facts: { ...header.facts, ...Object.fromEntries(entries) } },
    items: [[header.items, item]],
  };
}

function reverted(
  { header }: ConversationView,
  data: EventOf<'Reverted'>['data'],
  revision: number,
): ConversationChange {
  const { to } = data;
  const item = { kind: 'revert' as const, revision, to, bytes: 0, preview: '' };
  return { header: shown(data), items: [[header.items, item]] };
}

function revertCleared(
  { header }: ConversationView,
  data: EventOf<'RevertCleared'>['data'],
  revision: number,
): ConversationChange {
  const { revertedAt } = data;
  const item = { kind: 'revertCleared' as const, revision, revertedAt, bytes: 0, preview: '' };
  return { header: shown(data), items: [[header.items, item]] };
}

function shown({ watermark, hidden, facts }: Shown) {
  const entries = facts.map(({ factId, ...entry }): [string, FactEntry] => [factId, entry]);
  return { watermark, hidden, facts: Object.fromEntries(entries) };
}

function compacted(
  { header }: ConversationView,
  { compactionId, keptFrom, trigger, summary }: EventOf<'Compacted'>['data'],
  revision: number,
): ConversationChange {
  const item = {
    kind: 'compaction' as const,
    revision,
    compactionId,
    keptFrom,
    trigger,
    bytes: Buffer.byteLength(summary),
    preview: previewOf(summary),
  };
  const at = { sessionId: header.sessionId, revision };
  return {
    header: { watermark: { compactionId, at, keptFrom } },
    items: [[header.items, item]],
  };
}
