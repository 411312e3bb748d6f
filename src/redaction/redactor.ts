import type { Redaction, RedactionPattern } from '../domain/redaction/redaction-policy.js';
import type { Hit, RedactionRules } from './redaction-rules.js';

/** Time for the tenant's own patterns on what one event holds. */
export const OWN_PATTERNS_MS_MAX = 50;
const TEXT_MEDIA =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript)\b)/i;
/** Keys under which providers put what proves a block to be theirs. */
const SIGNED = /"(?:signature|thoughtSignature|thought_signature|encrypted_content)":/;

export interface RedactorOptions {
  readonly rules: RedactionRules;
  /** Of a secret, hex. */
  readonly hmac: (secret: string) => string;
  /** Milliseconds that only go on. */
  readonly nowMs: () => number;
}

export interface Redacted<Value> {
  readonly value: Value;
  readonly redactions: readonly Redaction[];
}

/** Whether bytes of this type are read as text. */
export function isTextual(mediaType: string): boolean {
  return TEXT_MEDIA.test(mediaType);
}

/** Masks secrets in JSON values. What holds none comes back as the same object. */
export class Redactor {
  /** Texts that could not be searched in time, and the artifacts that they are kept in by now. */
  readonly withheld: Map<string, string | undefined>;

  constructor(
    private readonly options: RedactorOptions,
    withheld = new Map<string, string | undefined>(),
  ) {
    this.withheld = withheld;
  }

  /** For what a tool is asked and answers: with the patterns of its manifest. */
  with(patterns: readonly RedactionPattern[]): Redactor {
    if (patterns.length === 0) return this;
    const rules = this.options.rules.with(patterns);
    return new Redactor({ ...this.options, rules }, this.withheld);
  }

  /** @param path JSON pointer of the value. */
  redact<Value>(value: Value, path = '', mask: Mask = NAMED): Redacted<Value> {
    const walk = new Walk(this.options, this.withheld, mask);
    const masked = walk.value(value, path, '');
    return { value: masked as Value, redactions: walk.redactions };
  }
}

/** For bytes that others point into: what is masked keeps its length in UTF-8. */
export function maskedInPlace(text: string, redactor: Redactor): string {
  return redactor.redact(text, '', (secret) => '*'.repeat(Buffer.byteLength(secret))).value;
}

/** What stands where a secret was. */
type Mask = (secret: string, rule: string, n: number) => string;

const NAMED: Mask = (_secret, rule, n) => `[redacted:${rule}:${n}]`;

type Fields = Readonly<Record<string, unknown>>;

class Walk {
  readonly redactions: Redaction[] = [];
  private readonly numbers = new Map<string, number>();
  private ownMs = 0;

  constructor(
    private readonly options: RedactorOptions,
    private readonly withheld: Map<string, string | undefined>,
    private readonly mask: Mask,
  ) {}

  value(value: unknown, path: string, name: string): unknown {
    if (typeof value === 'string') return this.text(value, path, name);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.list(value, path, name) : this.object(value as Fields, path);
  }

  private list(list: readonly unknown[], path: string, name: string): readonly unknown[] {
    let changed: unknown[] | undefined;
    list.forEach((before, index) => {
      const after = this.item(before, `${path}/${index}`, name);
      if (after !== before) changed ??= list.slice(0, index);
      if (after !== DROPPED) changed?.push(after);
    });
    return changed ?? list;
  }

  /** What a provider has signed is kept as it is, or not at all. */
  private item(item: unknown, path: string, name: string): unknown {
    const block = providerBlockIn(item);
    if (block === undefined) return this.value(item, path, name);
    const known = this.redactions.length;
    const after = this.value(item, path, name);
    if (after === item || !SIGNED.test(JSON.stringify(block))) return after;
    this.note(path, 'signed', this.redactions[known]!.hmac);
    if ((item as Fields)['type'] === 'provider') return DROPPED;
    const { block: _block, ...rest } = after as Fields;
    return rest;
  }

  private object(object: Fields, path: string): Fields {
    let isChanged = false;
    const entries = Object.entries(object).map(([key, before]): [string, unknown] => {
      // A name can be a secret, too; the path must not tell it.
      const name = this.replaced(key, this.options.rules.known(key), path);
      const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const after = isTextMedia(object, key)
        ? this.base64(before as string, place)
        : this.value(before, place, key);
      isChanged ||= after !== before || name !== key;
      return [name, after];
    });
    return isChanged ? Object.fromEntries(entries) : object;
  }

  private base64(base64: string, path: string): string {
    const text = Buffer.from(base64, 'base64').toString('utf8');
    const masked = this.text(text, path, '');
    return masked === text ? base64 : Buffer.from(masked).toString('base64');
  }

  private text(text: string, path: string, name: string): string {
    const { rules } = this.options;
    const masked = this.replaced(text, rules.known(text, name), path);
    if (!rules.hasPatterns || masked.length === 0) return masked;
    if (this.ownMs > OWN_PATTERNS_MS_MAX && !this.withheld.has(masked)) {
      this.withheld.set(masked, undefined);
    }
    // Decided anew, the same text is withheld again, however fast the machine is then.
    if (this.withheld.has(masked)) return this.apart(masked, path);
    const { nowMs } = this.options;
    const before = nowMs();
    const hits = rules.own(masked, () => this.ownMs + nowMs() - before > OWN_PATTERNS_MS_MAX);
    this.ownMs += nowMs() - before;
    if (hits !== undefined) return this.replaced(masked, hits, path);
    this.withheld.set(masked, undefined);
    return this.apart(masked, path);
  }

  /** What could not be searched in time does not pass. */
  private apart(text: string, path: string): string {
    const n = this.note(path, 'overflow', this.options.hmac(text));
    const artifact = this.withheld.get(text);
    const rule = artifact === undefined ? 'overflow' : `overflow:${artifact}`;
    return this.mask(text, rule, n);
  }

  private replaced(text: string, hits: readonly Hit[], path: string): string {
    if (hits.length === 0) return text;
    let masked = '';
    let from = 0;
    for (const { start, end, rule, masked: isMasked } of hits) {
      const secret = text.slice(start, end);
      const n = this.note(path, rule, this.options.hmac(secret), isMasked);
      if (!isMasked) continue;
      masked += text.slice(from, start) + this.mask(secret, rule, n);
      from = end;
    }
    return masked + text.slice(from);
  }

  private note(path: string, rule: string, hmac: string, isMasked = true): number {
    const n = this.numbers.get(hmac) ?? this.numbers.size + 1;
    this.numbers.set(hmac, n);
    this.redactions.push({ path, rule, n, hmac, ...(isMasked ? {} : { flagged: true as const }) });
    return n;
  }
}

const DROPPED = Symbol('dropped');

function providerBlockIn(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('block' in item)) return undefined;
  const { type, block } = item as Fields;
  return type === 'provider' || type === 'toolCall' ? block : undefined;
}

function isTextMedia(object: Fields, key: string): boolean {
  const { mediaType, base64 } = object;
  return (
    key === 'base64' &&
    typeof base64 === 'string' &&
    typeof mediaType === 'string' &&
    isTextual(mediaType)
  );
}
