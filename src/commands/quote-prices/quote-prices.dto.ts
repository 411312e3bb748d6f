import type { Json } from '../../domain/content.js';
import { CheckedField, JsonField, TextField } from '../dto/fields.js';

export class QuotePricesBody {
  @JsonField({
    description: "A provider's response body as it is, or its usage object as {usage}.",
  })
  response: Json;

  @TextField({
    description: 'Provider: anthropic, openai, … Not given: the one that makes the model.',
    charactersMax: 64,
    optional: true,
  })
  provider?: string;

  @TextField({
    description: 'Shape of the body, when it cannot be seen: messages, chat, responses, …',
    charactersMax: 64,
    optional: true,
  })
  api?: string;

  @TextField({
    description: 'The model asked for; the one that the body names counts before it.',
    charactersMax: 128,
    optional: true,
  })
  model?: string;

  @TextField({
    description: 'The service tier asked for: batch, flex, … What the body names counts before it.',
    charactersMax: 64,
    optional: true,
  })
  tier?: string;

  @CheckedField({
    description: 'When the call started; prices are dated. Default: now.',
    schema: { type: 'string', format: 'date-time' },
    name: 'isInstant',
    faultOf: instantFault,
    optional: true,
  })
  at?: string;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time without a zone would mean another instant on every machine. */
export function instantFault(value: unknown): string | undefined {
  const isInstant =
    typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  return isInstant ? undefined : 'must be an instant with its zone, such as 2026-03-01T12:00:00Z';
}
