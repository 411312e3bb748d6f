import { DAMAGED_SEAL } from '../event-codec.js';
import { valueOf } from '../event-value.js';
import { contentFieldsOf, contentPlaces, withoutContents } from './content-places.js';
import { type SessionKey, opened, sealed } from './session-secret.js';

const VERSION = '1';
/** Stands last in the data of an event, so that it is found without parsing. */
const SEAL = /,"sealed":"1\.([0-9a-f+]+)\.([A-Za-z0-9_-]+)"\}$/;
const SCHEMA_VERSION = 1;

type EventData = { readonly data: string };

/** Where an event stands: its ciphertext opens nowhere else. */
export interface SealedPlace {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
}

/**
 * The data's text with its contents in one ciphertext at the end; each leaves `null` where it
 * stood. Data without content stays as it is.
 */
export function sealData(event: EventData, place: SealedPlace, key: SessionKey): string {
  const fields = contentFieldsOf(place.type);
  const data = fields && (valueOf(event) ?? parsedOrUndefined(event.data));
  if (fields === undefined || data === undefined) return event.data;
  const { clear, contents } = withoutContents(data, fields);
  if (contents.length === 0) return event.data;
  const text = sealed(key.encryption, JSON.stringify(contents), boundTo(place, key.keyId));
  return `${JSON.stringify(clear).slice(0, -1)},"sealed":"${VERSION}.${key.keyId}.${text}"}`;
}

/** What is sealed in an event's data. */
export interface FoundSeal {
  readonly keyId: string;
  readonly text: string;
  /** The data beside it, as JSON. */
  readonly clear: string;
}

/** Undefined when nothing in it is sealed. */
export function sealIn(data: string): FoundSeal | undefined {
  const seal = SEAL.exec(data);
  if (seal === null) return undefined;
  return { keyId: seal[1]!, text: seal[2]!, clear: `${data.slice(0, seal.index)}}` };
}

/** The data as a value. Undefined when this key does not open it, or it was changed. */
export function openData(seal: FoundSeal, place: SealedPlace, key: SessionKey): object | undefined {
  if (seal.keyId !== key.keyId) return undefined;
  const text = opened(key.encryption, seal.text, boundTo(place, key.keyId));
  if (text === undefined) return undefined;
  const found = contentsOf(seal.clear, place.type);
  const values = JSON.parse(text) as readonly unknown[];
  if (found === undefined || found.places.length !== values.length) return undefined;
  for (const [index, { holder, name }] of found.places.entries()) holder[name] = values[index];
  return found.data;
}

/** Its key is there and does not open it: no other key will. */
export function damagedData(data: string): string {
  return data.replace(SEAL, `,"sealed":"${DAMAGED_SEAL}"}`);
}

/** What is left when nobody can read the contents any more, sealed or not. */
export function eraseData(data: string, type: string): string {
  const found = contentsOf(sealIn(data)?.clear ?? data, type);
  if (found === undefined) return data;
  for (const { holder, name, erased } of found.places) {
    if (erased === undefined) delete holder[name];
    else holder[name] = erased;
  }
  return JSON.stringify({ ...found.data, erased: true });
}

function contentsOf(data: string, type: string) {
  const fields = contentFieldsOf(type);
  if (fields === undefined) return undefined;
  const parsed = parsedOrUndefined(data);
  if (parsed === undefined) return undefined;
  const places = contentPlaces(parsed, fields);
  return places.length === 0 ? undefined : { data: parsed, places };
}

/** Damaged data is left as it is: whoever decodes it says so. */
function parsedOrUndefined(data: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function boundTo({ stream, revision, type }: SealedPlace, keyId: string): string {
  return JSON.stringify([stream, revision, type, SCHEMA_VERSION, keyId]);
}
