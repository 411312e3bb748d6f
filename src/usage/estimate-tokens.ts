/**
 * A rough number of tokens in a text, without a tokenizer: a quarter of its ASCII characters plus
 * one for every other character (provider-rules 12).
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (const character of text) {
    if (character <= '\u007f') ascii += 1;
    else other += 1;
  }
  return Math.ceil(ascii / 4) + other;
}

/** Names the estimate in `Usage.method`. */
export const estimateMethod = 'ascii-quarter';
