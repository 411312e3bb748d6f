import { generateKeyPairSync, sign, verify } from 'node:crypto';
import type { CheckpointLog } from '../checkpoint-log.js';

export class MemoryCheckpointLog implements CheckpointLog {
  readonly keyId = 'memory';
  private readonly keys = generateKeyPairSync('ed25519');
  private readonly lines: string[] = [];

  async all(): Promise<readonly string[]> {
    return [...this.lines];
  }

  async add(line: string): Promise<void> {
    this.lines.push(line);
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.keys.privateKey).toString('base64url');
  }

  isSigned(text: string, keyId: string, signature: string): boolean {
    const bytes = Buffer.from(signature, 'base64url');
    return keyId === this.keyId && verify(null, Buffer.from(text), this.keys.publicKey, bytes);
  }
}
