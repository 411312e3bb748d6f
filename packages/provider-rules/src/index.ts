export {
  PROVIDERS,
  VIOLATION_KINDS,
  type LeftOut,
  type ProviderName,
  type Repair,
  type RepairAction,
  type Violation,
  type ViolationKind,
} from './vocabulary.js';
export type {
  AiSdkOptions,
  AnthropicOptions,
  GeminiOptions,
  LangChainOptions,
  OpenAiChatOptions,
  OpenAiResponsesOptions,
  ProviderOptions,
} from './options.js';
export {
  FIXED_STRINGS,
  isErrorReason,
  isSyntheticText,
  SYNTHETIC_REASONS,
  SYNTHETIC_TEXTS,
  type SyntheticReason,
} from './texts.js';
export { validate } from './validate.js';
export {
  repair,
  repairWithReport,
  type OpenCall,
  type RepairContext,
  type RepairReport,
  type SyntheticResult,
} from './repair.js';
export { RULES, type Rule } from './rules.js';
export { assignIds, fnv1a, shortenId, type IdOwner, type IdRule } from './ids.js';
export { ID_RULES, legalIds } from './id-rules.js';
export { shortenToolName, TOOL_NAME_CHARACTERS_MAX } from './tool-names.js';
export { withoutAnnotations } from './annotations.js';
export { atomicGroups, legalCuts, type AtomicGroup } from './cuts.js';
export { prefixFingerprints } from './anthropic/bound-thinking.js';
