import { shorterDateKeys } from './omission-dates.js';
import { type FoundItem, halfWidth } from './omission-item.js';
import { wordKeys, wordsIn } from './omission-names.js';
import { NegatedSentences } from './omission-negations.js';
import { itemsIn } from './omission-search.js';

/** What a compaction leaves in the model's context: the summary and the recorded facts. */
export class KeptText {
  private readonly keys = new Set<string>();
  private readonly pathEnds = new Set<string>();
  private readonly literal: string;
  private readonly negated: NegatedSentences;

  constructor(texts: readonly string[]) {
    const text = halfWidth(texts.join('\n'));
    this.literal = plain(text);
    this.negated = new NegatedSentences(text);
    for (const word of wordsIn(text)) wordKeys(word).forEach((key) => this.keys.add(key));
    for (const { kind, keys } of itemsIn(text)) {
      for (const key of keys) {
        this.keys.add(key);
        shorterDateKeys(key).forEach((shorter) => this.keys.add(shorter));
        if (kind === 'path' || kind === 'url') this.addPathEnds(key);
      }
    }
  }

  holds(item: FoundItem): boolean {
    if (item.keys.some((key) => this.keys.has(key))) return true;
    if (item.kind === 'path' && this.holdsPath(item.keys[0]!)) return true;
    if (item.kind === 'identifier' && this.holdsHash(item.keys[0]!)) return true;
    if (item.kind === 'negatedConstraint' && this.negated.holds(item.text)) return true;
    return this.holdsLiterally(plain(item.text));
  }

  /** A path is there too if a longer one ends with it, or its last two names stand alone. */
  private holdsPath(key: string): boolean {
    const path = key.slice('path:'.length);
    if (this.pathEnds.has(path)) return true;
    const names = path.split('/');
    return names
      .slice(1, -1)
      .some((_, index) => this.keys.has(`path:${names.slice(index + 1).join('/')}`));
  }

  /** A hash is there too if it is shortened, as people write it. */
  private holdsHash(key: string): boolean {
    if (!/^name:[0-9a-f]{12,64}$/.test(key)) return false;
    return [7, 8, 9, 10, 12].some((length) => this.keys.has(key.slice(0, 'name:'.length + length)));
  }

  private addPathEnds(key: string): void {
    const names = key
      .slice(key.indexOf(':') + 1)
      .split('/')
      .slice(-12);
    names.forEach((_, index) => this.pathEnds.add(names.slice(index).join('/')));
  }

  /** Not inside a longer word or number: 12 EUR does not stand in 112 EUR. */
  private holdsLiterally(text: string): boolean {
    if (text === '') return true;
    for (let at = this.literal.indexOf(text); at >= 0; at = this.literal.indexOf(text, at + 1)) {
      const isWhole =
        !continues(this.literal[at - 1], text[0]) &&
        !continues(text.at(-1), this.literal[at + text.length]);
      if (isWhole) return true;
    }
    return false;
  }
}

function continues(one: string | undefined, next: string | undefined): boolean {
  return /^[a-z0-9]{2}$/.test(`${one ?? ''}${next ?? ''}`);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*"“”‘’]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
