import {
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointLog } from '../checkpoint-log.js';
import { StorageOpenError } from '../storage-open-error.js';
import { createDurably, hasCode } from './durable-file.js';

const KEY_FILE = 'checkpoint-key';
const PUBLIC_KEYS_FILE = 'checkpoint-keys.pub';
const CHECKPOINTS_FILE = 'checkpoints.ndjson';
const KEY_ID_CHARACTERS = 16;

/**
 * In the keys folder: the signing key, the public keys of all that ever signed, and the checkpoints.
 * To change the key, move `checkpoint-key` away; its public key stays.
 */
export class CheckpointFiles implements CheckpointLog {
  private constructor(
    private readonly folder: string,
    private readonly copyTo: string | undefined,
    readonly keyId: string,
    private readonly key: KeyObject,
    private readonly publicKeys: ReadonlyMap<string, KeyObject>,
  ) {}

  /**
   * @param copyTo a file, or `stdout`: each checkpoint is written there, too.
   * @throws StorageOpenError
   */
  static async open(folder: string, copyTo?: string): Promise<CheckpointFiles> {
    const file = join(folder, KEY_FILE);
    const { privateKey } = generateKeyPairSync('ed25519');
    const content = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await createDurably({ file, temporaryFolder: folder, content, mode: 0o600 });
    const key = await readKey(file);
    const text = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
    const keyId = idOf(text);
    const known = (await textOf(join(folder, PUBLIC_KEYS_FILE))).split('\n').filter(Boolean);
    if (!known.includes(text)) {
      await append(join(folder, PUBLIC_KEYS_FILE), text);
      known.push(text);
    }
    const publicKeys = new Map(known.map((one) => [idOf(one), publicKeyIn(one)]));
    return new CheckpointFiles(folder, copyTo, keyId, key, publicKeys);
  }

  async all(): Promise<readonly string[]> {
    const text = await textOf(join(this.folder, CHECKPOINTS_FILE));
    return text.split('\n').filter((line) => line !== '');
  }

  async add(line: string): Promise<void> {
    await append(join(this.folder, CHECKPOINTS_FILE), line);
    if (this.copyTo === 'stdout') process.stdout.write(`${line}\n`);
    else if (this.copyTo !== undefined) await append(this.copyTo, line);
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64url');
  }

  isSigned(text: string, keyId: string, signature: string): boolean {
    const key = this.publicKeys.get(keyId);
    return (
      key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
    );
  }
}

async function readKey(file: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(file));
  } catch (cause) {
    throw new StorageOpenError(
      'badKeyFile',
      `the key file ${file} cannot be used (${String(cause)}); restore it from a backup, or move it away ` +
        'to sign with a new key from now on',
      { cause },
    );
  }
}

function publicKeyIn(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' });
}

function idOf(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, KEY_ID_CHARACTERS);
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
}

async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.appendFile(`${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
