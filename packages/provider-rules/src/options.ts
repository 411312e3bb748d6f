import { isObject } from './json.js';
import { PROVIDERS, type ProviderName } from './vocabulary.js';

export interface OpenAiChatOptions {
  /** Mistral-style server: ids of 9 letters and digits, no user message after a tool message. */
  readonly mistral?: boolean;
}

export interface OpenAiResponsesOptions {
  /** `false`: nothing is kept on the server, items must carry their content. */
  readonly store?: boolean;
  /** Account and model family of this request; compared with `_owner` of an item. */
  readonly encryptedOwner?: string;
  /** Item id → id of the reasoning item it was produced after. */
  readonly reasoningOf?: Readonly<Record<string, string>>;
  /** Call ids that live in `previous_response_id` or the conversation. */
  readonly serverKnownCallIds?: readonly string[];
  /** Item ids that the server conversation already has. */
  readonly serverKnownItemIds?: readonly string[];
  /** The server wants each output directly after its call. */
  readonly adjacentPairs?: boolean;
}

export interface AnthropicOptions {
  /** Server of 2024 or a strict clone: first message is user, roles alternate. */
  readonly strictAlternation?: boolean;
  /** `false`: the model refuses an assistant message at the end. Default true. */
  readonly prefill?: boolean;
  /** Thinking is on or off in this request; unset if unknown. */
  readonly thinking?: boolean;
  /** A tool loop must begin with thinking (manual thinking mode, 2025). */
  readonly thinkingRequired?: boolean;
  /** Model of this request; compared with `_model` of a thinking block. */
  readonly model?: string;
  /** `role: "system"` inside `messages` is accepted. */
  readonly midSystem?: boolean;
  /** Number of cache marks in tools and system. */
  readonly cacheControlElsewhere?: number;
  /** Thinking is bound to system, tools and earlier messages. */
  readonly boundPrefix?: boolean;
}

export interface GeminiOptions {
  /** Gemini 3: thought signatures are checked. */
  readonly gemini3?: boolean;
  /** Vertex: empty text is refused. */
  readonly vertex?: boolean;
}

export interface AiSdkOptions {
  /** Version 7 accepts system messages inside the list. */
  readonly allowSystemInMessages?: boolean;
}

/** No options. */
export type LangChainOptions = Readonly<Record<string, never>>;

export interface ProviderOptions {
  'openai-chat': OpenAiChatOptions;
  'openai-responses': OpenAiResponsesOptions;
  anthropic: AnthropicOptions;
  gemini: GeminiOptions;
  'ai-sdk': AiSdkOptions;
  langchain: LangChainOptions;
}

type OptionType = 'boolean' | 'text' | 'count' | 'list of text' | 'map of text';

const OPTION_TYPES: Readonly<Record<ProviderName, Readonly<Record<string, OptionType>>>> = {
  'openai-chat': { mistral: 'boolean' },
  'openai-responses': {
    store: 'boolean',
    encryptedOwner: 'text',
    reasoningOf: 'map of text',
    serverKnownCallIds: 'list of text',
    serverKnownItemIds: 'list of text',
    adjacentPairs: 'boolean',
  },
  anthropic: {
    strictAlternation: 'boolean',
    prefill: 'boolean',
    thinking: 'boolean',
    thinkingRequired: 'boolean',
    model: 'text',
    midSystem: 'boolean',
    cacheControlElsewhere: 'count',
    boundPrefix: 'boolean',
  },
  gemini: { gemini3: 'boolean', vertex: 'boolean' },
  'ai-sdk': { allowSystemInMessages: 'boolean' },
  langchain: {},
};

const isText = (value: unknown): boolean => typeof value === 'string';

const TYPE_CHECKS: Readonly<Record<OptionType, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  text: isText,
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'list of text': (value) => Array.isArray(value) && value.every(isText),
  'map of text': (value) => isObject(value) && Object.values(value).every(isText),
};

/** @throws TypeError that names the allowed providers */
export function checkProvider(provider: unknown): asserts provider is ProviderName {
  if (!(PROVIDERS as readonly unknown[]).includes(provider)) {
    throw new TypeError(
      `Unknown provider ${described(provider)}; allowed: ${PROVIDERS.join(', ')}.`,
    );
  }
}

/**
 * The options without unset entries (undefined or null).
 * @throws TypeError for an unknown option or a value of the wrong type
 */
export function checkedOptions<P extends ProviderName>(
  provider: P,
  options: unknown,
): ProviderOptions[P] {
  if (options === undefined || options === null) return {} as ProviderOptions[P];
  if (!isObject(options)) {
    throw new TypeError(`Options for ${provider} must be an object, got ${described(options)}.`);
  }
  const types = OPTION_TYPES[provider];
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(types, name)) {
      const allowed = Object.keys(types).join(', ') || 'none';
      throw new TypeError(`Unknown option "${name}" for ${provider}; allowed: ${allowed}.`);
    }
    const type = types[name]!;
    if (value !== undefined && value !== null && !TYPE_CHECKS[type](value)) {
      throw new TypeError(
        `Option "${name}" for ${provider} must be a ${type}, got ${described(value)}.`,
      );
    }
  }
  const set = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(set) as ProviderOptions[P];
}

function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
