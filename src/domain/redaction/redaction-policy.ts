/** Something that is masked by its form, in the syntax of RE2. */
export interface RedactionPattern {
  /** Stands in the mask. */
  readonly name: string;
  readonly pattern: string;
  readonly ignoreCase?: boolean;
}

/** What of a tenant's content is masked beyond the known secrets. */
export interface RedactionPolicy {
  /** Long random tokens next to words such as password: only noted, or masked as well. */
  readonly entropy: 'flag' | 'mask';
  readonly patterns: readonly RedactionPattern[];
}

export const NO_POLICY: RedactionPolicy = { entropy: 'flag', patterns: [] };

/** One secret that was found in an event before it was appended. Nothing of it can be read back. */
export interface Redaction {
  /** Where in the event's data: a JSON pointer. */
  readonly path: string;
  readonly rule: string;
  /** Counts the different secrets of the event; the number in the mask. */
  readonly n: number;
  /** Of the secret with the session's key: equal for equal secrets of one session. */
  readonly hmac: string;
  /** It was noted and stands where it was. */
  readonly flagged?: true;
}

export type RedactionPolicySet = {
  readonly type: 'RedactionPolicySet';
  readonly data: { readonly policy: RedactionPolicy };
};
