import type { ContextRequest } from '../../context/build-context.js';
import type { CacheRequest } from '../../context/cache-marks.js';
import { CONTEXT_FORMATS, type ContextFormat } from '../../context/format-names.js';
import type { Json } from '../../domain/content.js';
import { CheckedField, ChoiceField, JsonField, NumberField, TextField } from './fields.js';
import { jsonFault } from './json-value.js';

const INSTRUCTIONS_CHARACTERS_MAX = 500_000;
const BUDGET_TOKENS_MAX = 100_000_000;

/** Most providers take a list, some an object by name. */
export const TOOL_DEFINITIONS = [{ type: 'array', items: { type: 'object' } }, { type: 'object' }];

/** What a model input is rendered with: always the current instructions, never stored ones. */
export class ContextBody {
  @ChoiceField({ description: 'Whose shape.', choices: CONTEXT_FORMATS, optional: true })
  format: ContextFormat = 'neutral';

  @TextField({
    description: 'System instructions, as they are now.',
    charactersMax: INSTRUCTIONS_CHARACTERS_MAX,
    optional: true,
  })
  instructions?: string;

  @CheckedField({
    description: "Tool definitions in the provider's shape; passed on and counted.",
    schema: { anyOf: TOOL_DEFINITIONS },
    name: 'areToolDefinitions',
    faultOf: toolsFault,
    optional: true,
  })
  tools?: Json;

  @TextField({
    description: 'What is called now; stands once, at the tail. Default: nothing.',
    charactersMax: 128,
    optional: true,
  })
  now?: string;

  @TextField({ description: 'Provider that will get it.', charactersMax: 64, optional: true })
  provider?: string;

  @TextField({ description: 'Model that will get it.', charactersMax: 128, optional: true })
  model?: string;

  @NumberField({
    description: 'Most input tokens. Absent: nothing is cut.',
    min: 1,
    max: BUDGET_TOKENS_MAX,
    optional: true,
  })
  budgetTokens?: number;

  @JsonField({
    description: 'Quirks of server and model, as the provider rules name them.',
    optional: true,
  })
  options?: Json;

  @CheckedField({
    description:
      'Marks for the prompt cache, at most four, behind tools and system, facts and summary, and ' +
      'the newest stable messages; for anthropic, other formats have none. `ttl`: 5m or 1h.',
    schema: {
      type: 'object',
      properties: { ttl: { type: 'string', enum: ['5m', '1h'] } },
      additionalProperties: false,
    },
    name: 'isCacheRequest',
    faultOf: cacheFault,
    optional: true,
  })
  cache?: CacheRequest;
}

function toolsFault(value: unknown): string | undefined {
  const tools: readonly unknown[] = Array.isArray(value) ? value : [value];
  return tools.every(isObject)
    ? jsonFault(value)
    : 'must be a list of tool definitions, each an object, or an object with them';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cacheFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object such as {} or {"ttl": "1h"}';
  const { ttl, ...others } = value as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has an unknown key "${unknown}"; it can have "ttl"`;
  return ttl === undefined || ttl === '5m' || ttl === '1h'
    ? undefined
    : 'must have a ttl of 5m or 1h';
}

export function contextRequest(body: ContextBody): ContextRequest {
  const { format, instructions, tools, now, provider, model, budgetTokens, options, cache } = body;
  return {
    format,
    instructions,
    tools,
    now,
    provider,
    model,
    budgetTokens,
    options: options as ContextRequest['options'],
    cache,
  };
}
