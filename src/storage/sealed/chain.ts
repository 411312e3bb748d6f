import { hash } from 'node:crypto';
import type { EventToAppend, RecordedEvent } from '../event-store.js';

const LABEL = 'holdfast chain 1';
const LINK = /^\{"chain":"([0-9a-f]{64})"([,}])/;
const SEAL = /^"seal":(\{[^{}]*\}),?/;

/** What the first event of a session says beside its metadata. */
export interface StreamSeal {
  /** Names the session's secret. */
  readonly key?: string;
  /** Of a fork: the chain's value at the cut, in the stream that holds it. */
  readonly prefix?: string;
}

/** Metadata as they are stored, in their parts. */
export interface LinkedMetadata {
  /** The chain's value up to and with this event; undefined where it was written without. */
  readonly chain: string | undefined;
  readonly seal: StreamSeal | undefined;
  /** As the event's author wrote them. */
  readonly metadata: string;
}

type Linked = Pick<EventToAppend, 'eventId' | 'type' | 'recordedAtMs' | 'data' | 'metadata'>;

/** The chain's value before a stream's first event. */
export function chainSeed(stream: string): string {
  return hashOf(`${LABEL}\n${stream}`);
}

/**
 * The chain's value with one more event: SHA-256 over the value before, then, each with its length
 * in bytes, what the store keeps of the event beside its data, and the hash of the data as stored.
 * Over the texts themselves, which every store gives back byte by byte: a canonical form of them
 * would hide some changes.
 *
 * @param event its metadata without the chain.
 */
export function chainNext(before: string, event: Linked): string {
  const { eventId, type, recordedAtMs, metadata, data } = event;
  const envelope = JSON.stringify([eventId, type, recordedAtMs]);
  return hashOf(
    `${before}${Buffer.byteLength(envelope)}:${envelope}` +
      `${Buffer.byteLength(metadata)}:${metadata}${hashOf(data)}`,
  );
}

/** The value that a stored event should hold, whatever it says. */
export function chainOf(before: string, stored: RecordedEvent): string {
  const { eventId, type, recordedAtMs, data, metadata } = stored;
  return chainNext(before, { eventId, type, recordedAtMs, data, metadata: unlinked(metadata) });
}

export function withSeal(metadata: string, seal: StreamSeal | undefined): string {
  return seal === undefined ? metadata : spliced(`"seal":${JSON.stringify(seal)}`, metadata);
}

export function withChain(metadata: string, chain: string): string {
  return spliced(`"chain":"${chain}"`, metadata);
}

/** The chain's value that stored metadata hold. */
export function chainIn(stored: string): string | undefined {
  return LINK.exec(stored)?.[1];
}

export function partsOf(stored: string): LinkedMetadata {
  const chain = chainIn(stored);
  if (chain === undefined) return { chain, seal: undefined, metadata: stored };
  const metadata = unlinked(stored);
  const seal = metadata.startsWith('{"seal":') ? SEAL.exec(metadata.slice(1)) : null;
  if (seal === null) return { chain, seal: undefined, metadata };
  const text = seal[1]!;
  return {
    chain,
    seal: sealIn(text),
    metadata: `{${metadata.slice(1 + seal[0].length)}`,
  };
}

/** Undefined when it was damaged: then the chain does not fit, either. */
function sealIn(text: string): StreamSeal | undefined {
  try {
    return JSON.parse(text) as StreamSeal;
  } catch {
    return undefined;
  }
}

function unlinked(stored: string): string {
  const link = LINK.exec(stored);
  return link === null ? stored : `{${stored.slice(link[2] === ',' ? link[0].length : -1)}`;
}

/** In front, where it can be taken off again without parsing. */
function spliced(member: string, object: string): string {
  return object === '{}' ? `{${member}}` : `{${member},${object.slice(1)}`;
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex');
}
