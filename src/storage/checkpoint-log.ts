/** Where signed statements about the whole log are kept, apart from the log. */
export interface CheckpointLog {
  /** One JSON text each, the oldest first. */
  all(): Promise<readonly string[]>;
  /** Durable when the promise resolves. */
  add(line: string): Promise<void>;
  /** Names the key that signs now. */
  readonly keyId: string;
  /** Ed25519, as base64url. */
  sign(text: string): string;
  /** False also for a key that this installation never had. */
  isSigned(text: string, keyId: string, signature: string): boolean;
}
