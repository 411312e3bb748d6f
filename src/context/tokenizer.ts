import { type TokenCounter, tokensOf } from './token-estimate.js';

/**
 * Counts a text as a model does. Whoever runs Holdfast brings one; without it texts are estimated.
 * The same text must always have the same count, or contexts would not be the same twice.
 */
export interface Tokenizer {
  /** Named in the report of a budget. */
  readonly name: string;
  /** Longer texts are estimated: some tokenizers need minutes for a row of equal letters. */
  readonly charactersMax?: number;
  /** @param model the model that the context is for, where the request names it. */
  countTokens(text: string, model?: string): number;
}

export const TOKENIZER_CHARACTERS_MAX = 100_000;
export const ESTIMATE = 'estimate';

/** How the tokens of a context were counted. */
export interface CountingReport {
  /** Name of the tokenizer, or `estimate`. */
  readonly by: string;
  /** Texts that were estimated all the same: too long for the tokenizer, or it failed. */
  readonly estimatedTexts: number;
  /** The provider's own count of the last request was the base; only what is new was counted. */
  readonly onReportedUsage: boolean;
}

/** Counts with the tokenizer where there is one, and keeps account of where there was none. */
export class Counting {
  private readonly counts = new Map<string, number>();
  private estimatedTexts = 0;

  constructor(
    private readonly tokenizer: Tokenizer | undefined,
    private readonly model: string | undefined,
  ) {}

  /** A text is counted once, however often it is asked for. */
  get count(): TokenCounter {
    const { tokenizer } = this;
    if (tokenizer === undefined) return tokensOf;
    return (text) => {
      const known = this.counts.get(text);
      if (known !== undefined) return known;
      const counted = this.counted(tokenizer, text);
      this.counts.set(text, counted);
      return counted;
    };
  }

  report(onReportedUsage: boolean): CountingReport {
    const by = this.tokenizer?.name ?? ESTIMATE;
    return { by, estimatedTexts: this.estimatedTexts, onReportedUsage };
  }

  private counted(tokenizer: Tokenizer, text: string): number {
    const { charactersMax = TOKENIZER_CHARACTERS_MAX } = tokenizer;
    const tokens = text.length > charactersMax ? undefined : this.tryCount(tokenizer, text);
    if (tokens !== undefined && Number.isFinite(tokens) && tokens >= 0) return tokens;
    this.estimatedTexts += 1;
    return tokensOf(text);
  }

  private tryCount(tokenizer: Tokenizer, text: string): number | undefined {
    try {
      return tokenizer.countTokens(text, this.model);
    } catch {
      return undefined;
    }
  }
}
