import { beginningOf } from '../../domain/content-preview.js';
import { CONTENT_BYTES_MAX, jsonBytes } from '../session-content.js';
import { boundedKey, digestOf } from '../source-reference.js';
import { type CallNames, type NamedCall, answerKey, isSynthetic } from './assistant-line.js';
import { isOversize, withShortTexts } from './line-content.js';
import {
  type JsonObject,
  type LogLine,
  type RecordIdentity,
  blocksOf,
  isObject,
  textOf,
  typeName,
} from './log-line.js';
import { isDenied, plainText, readUserLine, resultText } from './user-line.js';

interface UnitBase {
  /** Names the unit in its session: the same record gives the same keys, whatever file it is in. */
  readonly key: string;
  readonly digest: string;
}

/** A part of a record whose events are appended together or not at all. */
export type LineUnit = UnitBase &
  (
    | { readonly kind: 'input'; readonly content: readonly JsonObject[] }
    | { readonly kind: 'interrupt' }
    | { readonly kind: 'summary'; readonly text: string }
    | { readonly kind: 'boundary' }
    | {
        readonly kind: 'result';
        readonly block: JsonObject;
        readonly providerId: string;
        readonly denied: boolean;
      }
    | {
        readonly kind: 'answer';
        readonly answer: string;
        readonly blocks: readonly JsonObject[];
        readonly calls: ReadonlyMap<JsonObject, NamedCall>;
        readonly isLastOfLine: boolean;
      }
    | { readonly kind: 'audit'; readonly what: string; readonly excerpt?: string }
  );

const BLOCKS_PER_UNIT = 24;
const EXCERPT_CHARACTERS = 500;
const MARKS_CHARACTERS = 8_000;

export function resultKey(providerId: string): string {
  return boundedKey(`result:${providerId}`);
}

export function unitsOfLine(
  line: LogLine,
  identity: RecordIdentity,
  names: CallNames,
): readonly LineUnit[] {
  if (line.type === 'user') return userUnits(line, identity);
  if (line.type === 'assistant' && !isSynthetic(line)) return answerUnits(line, identity, names);
  const { key, digest } = identity;
  if (line.type === 'system' && line.subtype === 'compact_boundary') {
    return [{ kind: 'boundary', key, digest }];
  }
  const what = line.type === 'assistant' ? 'syntheticMessage' : typeName(line);
  return [{ kind: 'audit', key, digest, what, ...excerptOf(line) }];
}

function excerptOf(line: LogLine): { readonly excerpt?: string } {
  const marks = line.value['microcompactMetadata'];
  if (isObject(marks)) return { excerpt: beginningOf(JSON.stringify(marks), MARKS_CHARACTERS) };
  const text =
    line.message === undefined
      ? (textOf(line.value['content']) ?? textOf(line.value['summary']))
      : textOf(plainText(blocksOf(line.message)));
  return text === undefined ? {} : { excerpt: beginningOf(text, EXCERPT_CHARACTERS) };
}

function userUnits(line: LogLine, { key, digest }: RecordIdentity): readonly LineUnit[] {
  const { kind, results, content, injected } = readUserLine(line);
  const units: LineUnit[] = results.map((block, place) => {
    const given = textOf(block['tool_use_id']);
    const providerId = given === undefined ? undefined : boundedKey(given);
    return {
      kind: 'result',
      key: providerId === undefined ? `${key}/result${place}` : resultKey(providerId),
      digest: digestOf(JSON.stringify(block)),
      block,
      providerId: providerId ?? '',
      denied: isDenied(block, line),
    };
  });
  if (kind === 'typed') units.push({ kind: 'input', key, digest, content });
  if (kind === 'interrupt') units.push({ kind: 'interrupt', key, digest });
  if (kind === 'summary') units.push({ kind: 'summary', key, digest, text: plainText(content) });
  if (kind === 'program') {
    const excerpt = beginningOf(plainText([...content, ...injected]), EXCERPT_CHARACTERS);
    units.push({ kind: 'audit', key, digest, what: 'programMessage', excerpt });
  } else if (injected.length > 0) {
    const excerpt = beginningOf(plainText(injected), EXCERPT_CHARACTERS);
    units.push({ kind: 'audit', key: `${key}/injected`, digest, what: 'reminder', excerpt });
  }
  if (units.length === 0) units.push({ kind: 'audit', key, digest, what: 'emptyMessage' });
  return units;
}

/** A line with many or large blocks is cut into units that fit into one append each. */
function answerUnits(
  line: LogLine,
  { key, digest }: RecordIdentity,
  names: CallNames,
): readonly LineUnit[] {
  const answer = answerKey(line, key);
  const calls = names.name(line, answer);
  const blocks = blocksOf(line.message);
  const groups = groupsOf(blocks.filter((block) => !isOversize(block)).flatMap(withShortTexts));
  const units: LineUnit[] = groups.map((group, place) => ({
    kind: 'answer',
    key: place === 0 ? key : `${key}/part${place}`,
    digest,
    answer,
    blocks: group,
    calls,
    isLastOfLine: place === groups.length - 1,
  }));
  for (const [place, block] of blocks.filter(isOversize).entries()) {
    const excerpt = `${String(block['type'])}: ${jsonBytes(block)} bytes`;
    units.push({
      kind: 'audit',
      key: `${key}/oversize${place}`,
      digest,
      what: 'oversizeBlock',
      excerpt,
    });
  }
  return units;
}

function groupsOf(blocks: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const groups: JsonObject[][] = [[]];
  let bytes = 0;
  for (const block of blocks) {
    // A block over the limit is shortened later; as a group of its own it still fits.
    const size = Math.min(jsonBytes(block), CONTENT_BYTES_MAX);
    const group = groups.at(-1)!;
    if (group.length > 0 && (group.length >= BLOCKS_PER_UNIT || bytes + size > CONTENT_BYTES_MAX)) {
      groups.push([block]);
      bytes = size;
    } else {
      group.push(block);
      bytes += size;
    }
  }
  return groups;
}

/** The text of a result that nobody asked for, for the audit. */
export function resultExcerpt(block: JsonObject): string {
  return beginningOf(resultText(block), EXCERPT_CHARACTERS);
}
