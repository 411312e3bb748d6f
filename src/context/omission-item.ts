import type { OmissionKind } from '../domain/events/compaction-events.js';

/** Something in a text that a summary can lose. */
export interface FoundItem {
  readonly kind: OmissionKind;
  /** As it stands in the text, without quotes. */
  readonly text: string;
  /** Normal forms; two items are the same if they share one. */
  readonly keys: readonly string[];
  readonly start: number;
  /** Worth a line only where a user said it: code names, counts of things. */
  readonly isMinor?: boolean;
}

/** One text while it is searched: what an earlier search took, a later one leaves alone. */
export class SearchedText {
  readonly found: FoundItem[] = [];
  private readonly taken: Uint8Array;

  constructor(readonly text: string) {
    this.taken = new Uint8Array(text.length);
  }

  /** Every match of a global expression that lies in no place taken before. */
  *matches(expression: RegExp): Iterable<RegExpExecArray> {
    for (const match of this.text.matchAll(expression)) {
      if (!this.isTaken(match.index, match[0].length)) yield match;
    }
  }

  add(item: FoundItem): void {
    this.found.push(item);
    this.taken.fill(1, item.start, item.start + item.text.length);
  }

  private isTaken(start: number, length: number): boolean {
    for (let index = start; index < start + length; index += 1) {
      if (this.taken[index] === 1) return true;
    }
    return false;
  }
}

/** Full-width digits, letters and signs as their usual forms; no character changes its place. */
export function halfWidth(text: string): string {
  return text.replace(/[０-９Ａ-Ｚａ-ｚ％＄．－￥]/g, (sign) =>
    sign === '￥' ? '¥' : String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );
}
