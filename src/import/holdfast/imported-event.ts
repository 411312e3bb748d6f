import type { ArtifactLink } from '../../domain/content.js';
import type { EventOf, SessionEvent } from '../../domain/events.js';
import type { Shown, StreamPosition } from '../../domain/events/positions.js';
import { IMPORTED_EPOCH } from '../imported-epoch.js';
import { isArtifactLink } from './session-file.js';

type Started = EventOf<'SessionStarted'>['data'];

export interface ImportedAs {
  /** The id that a session of the file gets here; of any other one: its own. */
  readonly idOf: (sessionId: string) => string;
  /** Artifacts of its session by the hash that they had there. */
  readonly links: ReadonlyMap<string, ArtifactLink>;
  /** Kept of what was imported before it was exported. */
  readonly origin: NonNullable<Started['origin']>;
  /** Inputs that nobody had read yet: they wait, and wake nobody. */
  readonly waiting: ReadonlySet<string>;
}

/**
 * The event as it is appended here. Owners and their epochs, budgets and receipts were those of
 * another place; operation keys stay, since targets know them.
 */
export function importedEvent(event: SessionEvent, as: ImportedAs): SessionEvent {
  const linked = withLinks(event, as.links) as SessionEvent;
  return withoutOwner(withIds(linked, as));
}

function withLinks(value: unknown, links: ReadonlyMap<string, ArtifactLink>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withLinks(item, links));
  if (isArtifactLink(value)) return links.get(value.hash) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withLinks(field, links)]),
  );
}

function withIds(event: SessionEvent, as: ImportedAs): SessionEvent {
  const at = (place: StreamPosition) => positionAt(place, as.idOf);
  switch (event.type) {
    case 'SessionStarted':
      return { ...event, data: started(event.data, as) };
    case 'CompactionStarted':
    case 'Compacted': {
      const { coveredFrom, coveredTo, keptFrom } = event.data;
      const places = {
        coveredFrom: at(coveredFrom),
        coveredTo: at(coveredTo),
        keptFrom: at(keptFrom),
      };
      return { ...event, data: { ...event.data, ...places } } as SessionEvent;
    }
    case 'Reverted':
      return { ...event, data: { ...shown(event.data, as.idOf), to: at(event.data.to) } };
    case 'RevertCleared':
      return { ...event, data: shown(event.data, as.idOf) };
    case 'InputAccepted':
      return as.waiting.has(event.data.inputId)
        ? { ...event, data: { ...event.data, resume: false } }
        : event;
    default:
      return event;
  }
}

function started(data: Started, { idOf, origin }: ImportedAs): Started {
  const { parent } = data;
  return {
    ...data,
    sessionId: idOf(data.sessionId),
    ...(parent === undefined ? {} : { parent: { ...parent, sessionId: idOf(parent.sessionId) } }),
    ancestors: data.ancestors.map(idOf),
    recoveryMode: 'manual',
    origin: data.origin ?? origin,
  };
}

function shown<Data extends Shown>(data: Data, idOf: ImportedAs['idOf']): Data {
  const { watermark, facts, hidden } = data;
  const at = (place: StreamPosition) => positionAt(place, idOf);
  return {
    ...data,
    ...(watermark === undefined
      ? {}
      : { watermark: { ...watermark, at: at(watermark.at), keptFrom: at(watermark.keptFrom) } }),
    facts: facts.map((fact) => ({ ...fact, at: at(fact.at) })),
    hidden: hidden.map((range) => ({ ...range, sessionId: idOf(range.sessionId) })),
  };
}

function positionAt(place: StreamPosition, idOf: ImportedAs['idOf']): StreamPosition {
  return { ...place, sessionId: idOf(place.sessionId) };
}

function withoutOwner(event: SessionEvent): SessionEvent {
  const { data } = event;
  const change: Record<string, unknown> = {};
  if ('epoch' in data) change['epoch'] = IMPORTED_EPOCH;
  if ('reservation' in data) change['reservation'] = undefined;
  if (event.type === 'ToolLateResultReceived') change['claimedEpoch'] = IMPORTED_EPOCH;
  if (event.type === 'RunClaimed') {
    const { toolSetHash: _keyed, ...setup } = event.data.setup ?? {};
    change['claimTokenHash'] = '';
    if (event.data.setup !== undefined) change['setup'] = setup;
  }
  if ('usage' in data && data.usage !== undefined) {
    change['usage'] = { ...data.usage, source: 'imported' };
  }
  return { ...event, data: { ...data, ...change } } as SessionEvent;
}
