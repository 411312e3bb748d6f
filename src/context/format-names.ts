/** Formats of a model input, apart from how they are written: a command line starts without that. */
export const CONTEXT_FORMATS = [
  'neutral',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'langchain',
] as const;

export type ContextFormat = (typeof CONTEXT_FORMATS)[number];
