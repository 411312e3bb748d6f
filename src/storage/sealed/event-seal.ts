import { DAMAGED_SEAL } from '../event-codec.js';
import { contentFieldsOf, contentPlaces } from './content-places.js';
import { type SessionKey, opened, sealed } from './session-secret.js';

const VERSION = '1';
/** Stands last in the data of an event, so that it is found without parsing. */
const SEAL = /,"sealed":"1\.([0-9a-f+]+)\.([A-Za-z0-9_-]+)"\}$/;
const SCHEMA_VERSION = 1;

/** Where an event stands: its ciphertext opens nowhere else. */
export interface SealedPlace {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
}

/**
 * The data with its contents in one ciphertext at the end; each leaves `null` where it stood. Data
 * without content stays as it is.
 */
export function sealData(data: string, place: SealedPlace, key: SessionKey): string {
  const found = contentsOf(data, place.type);
  if (found === undefined) return data;
  const values = found.places.map(({ holder, name }) => {
    const value = holder[name];
    holder[name] = null;
    return value;
  });
  const text = sealed(key.encryption, JSON.stringify(values), boundTo(place, key.keyId));
  const clear = JSON.stringify(found.data);
  return `${clear.slice(0, -1)},"sealed":"${VERSION}.${key.keyId}.${text}"}`;
}

/** The ids of the keys that open it; undefined when nothing in it is sealed. */
export function keyIdsIn(data: string): readonly string[] | undefined {
  return SEAL.exec(data)?.[1]?.split('+');
}

/** Undefined when this key does not open it, or it was changed. */
export function openData(data: string, place: SealedPlace, key: SessionKey): string | undefined {
  const seal = SEAL.exec(data);
  if (seal === null || seal[1] !== key.keyId) return undefined;
  const text = opened(key.encryption, seal[2]!, boundTo(place, key.keyId));
  if (text === undefined) return undefined;
  const found = contentsOf(withoutSeal(data, seal), place.type);
  const values = JSON.parse(text) as readonly unknown[];
  if (found === undefined || found.places.length !== values.length) return undefined;
  for (const [index, { holder, name }] of found.places.entries()) holder[name] = values[index];
  return JSON.stringify(found.data);
}

/** Its key is there and does not open it: no other key will. */
export function damagedData(data: string): string {
  return data.replace(SEAL, `,"sealed":"${DAMAGED_SEAL}"}`);
}

/** What is left when nobody can read the contents any more, sealed or not. */
export function eraseData(data: string, type: string): string {
  const seal = SEAL.exec(data);
  const found = contentsOf(seal === null ? data : withoutSeal(data, seal), type);
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
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const places = contentPlaces(parsed, fields);
  return places.length === 0 ? undefined : { data: parsed, places };
}

/** Damaged data is left as it is: whoever decodes it says so. */
function parsedOrUndefined(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function withoutSeal(data: string, seal: RegExpExecArray): string {
  return `${data.slice(0, seal.index)}}`;
}

function boundTo({ stream, revision, type }: SealedPlace, keyId: string): string {
  return JSON.stringify([stream, revision, type, SCHEMA_VERSION, keyId]);
}
