/** Prefixes by which routers and clouds name a model, with the provider that they stand for. */
const routes: readonly (readonly [prefix: string, provider: string | undefined])[] = [
  ['litellm_proxy/', undefined],
  ['litellm/', undefined],
  ['models/', 'gcp.gen_ai'],
  ['publishers/google/models/', 'gcp.gen_ai'],
  ['publishers/anthropic/models/', 'gcp.gen_ai'],
  ['anthropic/', 'anthropic'],
  ['anthropic:', 'anthropic'],
  ['openai/', 'openai'],
  ['openai:', 'openai'],
  ['openrouter/', 'openrouter'],
  ['openrouter:', 'openrouter'],
  ['google/', 'gcp.gen_ai'],
  ['google:', 'gcp.gen_ai'],
  ['gemini/', 'gcp.gen_ai'],
  ['vertex_ai/', 'gcp.gen_ai'],
  ['vertex/', 'gcp.gen_ai'],
  ['azure/', 'azure.ai.openai'],
  ['azure_ai/', 'azure.ai.openai'],
  ['bedrock/', 'aws.bedrock'],
  ['bedrock:', 'aws.bedrock'],
  ['mistral/', 'mistral_ai'],
  ['mistralai/', 'mistral_ai'],
  ['deepseek/', 'deepseek'],
  ['xai/', 'x_ai'],
  ['x-ai/', 'x_ai'],
  ['groq/', 'groq'],
  ['cerebras/', 'cerebras'],
  ['cohere/', 'cohere'],
  ['perplexity/', 'perplexity'],
  ['moonshot/', 'moonshot_ai'],
  ['moonshotai/', 'moonshot_ai'],
  ['together_ai/', 'together'],
  ['fireworks_ai/', 'fireworks'],
  ['us.anthropic.', 'aws.bedrock'],
  ['eu.anthropic.', 'aws.bedrock'],
  ['apac.anthropic.', 'aws.bedrock'],
  ['au.anthropic.', 'aws.bedrock'],
  ['jp.anthropic.', 'aws.bedrock'],
  ['us-gov.anthropic.', 'aws.bedrock'],
  ['global.anthropic.', 'aws.bedrock'],
  ['anthropic.', 'aws.bedrock'],
  ['us.', 'aws.bedrock'],
  ['eu.', 'aws.bedrock'],
  ['apac.', 'aws.bedrock'],
  ['global.', 'aws.bedrock'],
];

const suffix = /(?:-v\d:\d|@latest|@default)$/;
const date = /(?:-20\d{2}-[01]\d-[0-3]\d|-20\d{2}[01]\d[0-3]\d|@20\d{2}[01]\d[0-3]\d)$/;

/** The id without the date of a snapshot; undefined if it has none. */
export function withoutDate(modelId: string): string | undefined {
  const base = modelId.replace(date, '');
  return base === modelId ? undefined : base;
}

export interface NormalisedId {
  readonly modelId: string;
  /** Whom the prefix that was taken off stands for. */
  readonly provider?: string;
}

/** An id without its routing prefix, its version suffix, or both. Only what changed. */
export function normalisedIds(modelId: string): readonly NormalisedId[] {
  const route = routes.find(([prefix]) => modelId.startsWith(prefix));
  const bare = route ? modelId.slice(route[0].length) : modelId;
  const forms = [bare, modelId.replace(suffix, ''), bare.replace(suffix, '')];
  const provider = route?.[1];
  return [...new Set(forms)]
    .filter((form) => form !== modelId && form !== '')
    .map((form) => (provider === undefined ? { modelId: form } : { modelId: form, provider }));
}
