import { canonicalJson } from '../../../context/canonical-json.js';
import type { Json } from '../../../domain/content.js';
import { parseExact } from '../../dto/exact-json.js';
import { jsonFault } from '../../dto/json-value.js';
import type { GivenBlock, GivenToolCall } from '../../record-assistant-message/assistant-blocks.js';

export type Fields = { readonly [key: string]: Json };

export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Arguments as an object; the model's own text when it is none that is stored here. */
export function argumentsOf(given: Json): Pick<GivenToolCall, 'args' | 'argsText'> {
  if (isFields(given)) return { args: given };
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  try {
    const parsed = parseExact(text) as Json;
    return isFields(parsed) && jsonFault(parsed) === undefined
      ? { args: parsed }
      : { argsText: text };
  } catch {
    return { argsText: text };
  }
}

/**
 * A call, with the provider's own block beside it where that says more than `plain`, the block that
 * would be written for the call without it.
 */
export function toolCall(
  { providerCallId, ...call }: Omit<GivenToolCall, 'type' | 'block'>,
  block?: Fields,
  plain?: Fields,
): GivenToolCall {
  const saysMore = block !== undefined && canonicalJson(block) !== canonicalJson(plain);
  return {
    type: 'toolCall',
    ...call,
    ...(providerCallId === undefined ? {} : { providerCallId }),
    ...(saysMore ? { block } : {}),
  };
}

/**
 * A text, and before it what its block has beside the text (a signature, citations, a phase). So
 * the text stays readable for everybody, and the block can be put together again.
 */
export function textWithFields(
  text: string,
  fields: Fields,
  plain: readonly string[],
): GivenBlock[] {
  const said: GivenBlock = { type: 'text', text };
  const hasMore = Object.keys(fields).some((name) => !plain.includes(name));
  return hasMore ? [{ type: 'provider', block: fields }, said] : [said];
}

/** The fields that say something: not null, and no empty list or object. */
export function meaningful(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
