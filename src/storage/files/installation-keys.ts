import {
  type Hmac,
  type KeyObject,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { CommonSecrets } from '../common-secrets.js';
import { folderFault } from './folder-fault.js';
import { StorageOpenError, lostKeys } from '../storage-open-error.js';
import { createDurably, hasCode, makeFolderDurably } from './durable-file.js';

const API_KEY_FILE = 'api-key';
const HASH_SECRET_FILE = 'hash-secret';
const SECRET_BYTES = 32;
const KEY_ID_BYTES = 8;
const apiKeyPattern = /^hf_([0-9a-f]{16})_([0-9a-f]{64})$/;
const hashSecretPattern = /^[0-9a-f]{64}$/;
const SESSION_KEYS_KEPT_MAX = 1_000;
const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_DO_ANYTHING = 0o077;

export interface InstallationKeysOptions {
  readonly shared?: CommonSecrets;
  /** Something was recorded with these keys: no new secret takes the place of a missing one. */
  readonly mustBeThere?: boolean;
}

/**
 * The secrets of an installation, in a folder outside the data folder, so that a copy of the data
 * holds no key. They are made at the first start; where several machines are one installation,
 * the first of them makes them, and the folders of the others get the same.
 */
export class InstallationKeys {
  private readonly sessionKeys = new Map<string, Uint8Array>();

  private constructor(
    /** Where the API key stands, for a person to read. */
    readonly apiKeyFile: string,
    /** The key `hf_<apiKeyId>_<secret>`, which the data's first user has. */
    readonly apiKeyId: string,
    private readonly apiKeyDigest: Buffer,
    private readonly hashSecret: Uint8Array,
  ) {}

  /** @throws StorageOpenError */
  static async open(
    keysFolder: string,
    dataFolder: string,
    { shared, mustBeThere = false }: InstallationKeysOptions = {},
  ): Promise<InstallationKeys> {
    refuseKeysInsideData(keysFolder, dataFolder);
    if (mustBeThere && shared === undefined) await refuseMissingSecret(keysFolder);
    await makeKeysFolder(keysFolder);
    const folder = { path: keysFolder, shared };
    const apiKeyFile = join(keysFolder, API_KEY_FILE);
    const apiKey = await readOrCreate(folder, API_KEY_FILE, apiKeyPattern, newApiKey);
    const hashSecret = await readOrCreate(folder, HASH_SECRET_FILE, hashSecretPattern, () =>
      randomBytes(SECRET_BYTES).toString('hex'),
    );
    const [, keyId = ''] = apiKeyPattern.exec(apiKey) ?? [];
    return new InstallationKeys(
      apiKeyFile,
      keyId,
      digestOf(apiKey),
      Buffer.from(hashSecret, 'hex'),
    );
  }

  /**
   * Looks at keys that should be there, and makes none.
   * @throws StorageOpenError
   */
  static async check(keysFolder: string, dataFolder: string): Promise<void> {
    refuseKeysInsideData(keysFolder, dataFolder);
    await checkMode(keysFolder, OTHERS_MAY_WRITE, '700');
    await readKey(join(keysFolder, API_KEY_FILE), apiKeyPattern);
    await readKey(join(keysFolder, HASH_SECRET_FILE), hashSecretPattern);
  }

  /** Takes the same time for a wrong id, a wrong secret and text that is no key. */
  isApiKey(presented: string): boolean {
    return timingSafeEqual(digestOf(presented), this.apiKeyDigest);
  }

  /** HMAC-SHA-256 with a key of this session only (HKDF-SHA-256, RFC 5869), as 64 hex digits. */
  sessionHmac(tenantId: string, sessionId: string, content: Uint8Array | string): string {
    return this.runningHmac(tenantId, sessionId).update(content).digest('hex');
  }

  /** As `sessionHmac`, for content that comes piece by piece. */
  runningHmac(tenantId: string, sessionId: string): Hmac {
    return createHmac('sha256', this.sessionKey(tenantId, sessionId));
  }

  /** Wraps the secrets of the tenant's sessions. */
  tenantKey(tenantId: string): KeyObject {
    const info = digestOf(JSON.stringify(['holdfast tenant key', 1, tenantId]));
    return createSecretKey(
      Buffer.from(hkdfSync('sha256', this.hashSecret, '', info, SECRET_BYTES)),
    );
  }

  /** Makes marks of texts that are found again by their whole, and read from nowhere. */
  matchKey(): KeyObject {
    const info = digestOf(JSON.stringify(['holdfast match', 1]));
    return createSecretKey(
      Buffer.from(hkdfSync('sha256', this.hashSecret, '', info, SECRET_BYTES)),
    );
  }

  private sessionKey(tenantId: string, sessionId: string): Uint8Array {
    const label = JSON.stringify(['holdfast session hash', 1, tenantId, sessionId]);
    const known = this.sessionKeys.get(label);
    if (known !== undefined) return known;
    // HKDF takes at most 1,024 bytes of info, ids may be longer: so the label goes in hashed.
    const info = digestOf(label);
    const key = new Uint8Array(hkdfSync('sha256', this.hashSecret, '', info, SECRET_BYTES));
    const [oldest] = this.sessionKeys.keys();
    if (this.sessionKeys.size >= SESSION_KEYS_KEPT_MAX && oldest !== undefined) {
      this.sessionKeys.delete(oldest);
    }
    this.sessionKeys.set(label, key);
    return key;
  }
}

function newApiKey(): string {
  const keyId = randomBytes(KEY_ID_BYTES).toString('hex');
  return `hf_${keyId}_${randomBytes(SECRET_BYTES).toString('hex')}`;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** @throws StorageOpenError when a copy of the data would hold the keys. */
export function refuseKeysInsideData(keysFolder: string, dataFolder: string): void {
  const path = relative(resolve(dataFolder), resolve(keysFolder));
  const [first] = path.split(sep);
  if (path === '' || (first !== '..' && resolve(path) !== path)) {
    throw new StorageOpenError(
      'keysInsideData',
      `the keys folder ${keysFolder} lies in the data folder ${dataFolder}; choose one outside it, so ` +
        'that a copy of the data holds no keys',
    );
  }
}

async function makeKeysFolder(folder: string): Promise<void> {
  try {
    await makeFolderDurably(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StorageOpenError(
      'folderNotUsable',
      `the keys folder ${folder} cannot be created or written (${folderFault(error)}); create it for this ` +
        'user with mode 700, or choose another one',
      { cause: error },
    );
  }
  await checkMode(folder, OTHERS_MAY_WRITE, '700');
}

async function refuseMissingSecret(folder: string): Promise<void> {
  const file = join(folder, HASH_SECRET_FILE);
  if (!(await exists(file))) throw lostKeys(folder, `${file} is missing`);
}

interface KeysFolder {
  readonly path: string;
  readonly shared: CommonSecrets | undefined;
}

async function readOrCreate(
  { path: folder, shared }: KeysFolder,
  name: string,
  pattern: RegExp,
  create: () => string,
): Promise<string> {
  const file = join(folder, name);
  if (!(await exists(file))) {
    const proposed = create();
    const key = (await shared?.settle(name, proposed)) ?? proposed;
    const content = `${key}\n`;
    await createDurably({ file, temporaryFolder: folder, content, mode: 0o600 });
  }
  const key = await readKey(file, pattern);
  const common = (await shared?.settle(name, key)) ?? key;
  if (common === key) return key;
  throw new StorageOpenError(
    'otherKeys',
    `${file} is not the key of this installation, which other machines already use; move it away ` +
      'to get the common one at the next start, or correct the address of the store',
  );
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw keyFileError(file, String(error), error);
  }
}

async function readKey(file: string, pattern: RegExp): Promise<string> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw keyFileError(file, String(error), error);
  }
  await checkMode(file, OTHERS_MAY_DO_ANYTHING, '600');
  if (!pattern.test(text)) throw keyFileError(file, 'its content is no key of Holdfast');
  return text;
}

async function checkMode(path: string, forbidden: number, wanted: string): Promise<void> {
  const { mode } = await stat(path);
  if (process.platform === 'win32' || (mode & forbidden) === 0) return;
  const actual = (mode & 0o777).toString(8);
  throw new StorageOpenError(
    'wideKeyPermissions',
    `${path} has mode ${actual}, so other users could read or replace keys; run: chmod ${wanted} ${path}`,
  );
}

function keyFileError(file: string, reason: string, cause?: unknown): StorageOpenError {
  const advice = file.endsWith(API_KEY_FILE)
    ? 'restore it from a backup, or remove it to get a new key at the next start'
    : 'restore it from a backup: without it stored hashes and artifacts cannot be checked';
  return new StorageOpenError(
    'badKeyFile',
    `the key file ${file} cannot be used (${reason}); ${advice}`,
    { cause },
  );
}
