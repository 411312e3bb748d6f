import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  ARTIFACT_BYTES_MAX,
  ArtifactDamagedError,
  type ArtifactHash,
  type ArtifactOwner,
  type ArtifactReference,
  type ArtifactStore,
  ArtifactTooLargeError,
} from '../artifact-store.js';
import { StorageOpenError } from '../storage-open-error.js';
import { hasCode, makeFolderDurably, syncFolder, writeDurably } from './durable-file.js';
import { pathSegment } from './path-segment.js';

const hexDigest = /^[0-9a-f]{64}$/;
const INCOMING_FOLDER = 'incoming';
/** What a crash left behind: no write takes that long. */
const INCOMING_MS_MAX = 60 * 60 * 1000;

/** One file per artifact: `<folder>/<tenant>/<session>/<hash>`, ids made safe for paths. */
export class FileArtifactStore implements ArtifactStore {
  private constructor(
    private readonly folder: string,
    private readonly hashOf: ArtifactHash,
  ) {}

  /** @throws StorageOpenError when the folder cannot be created or written. */
  static async open(folder: string, hashOf: ArtifactHash): Promise<FileArtifactStore> {
    const store = new FileArtifactStore(resolve(folder), hashOf);
    try {
      await makeFolderDurably(store.incoming);
      await store.removeLeftovers();
    } catch (error) {
      throw new StorageOpenError(
        'folderNotUsable',
        `the artifact folder ${folder} cannot be created or written (${String(error)}); make it ` +
          'writable for this user',
        { cause: error },
      );
    }
    return store;
  }

  async put(
    owner: ArtifactOwner,
    content: Uint8Array,
    mediaType: string,
  ): Promise<ArtifactReference> {
    const sizeBytes = content.byteLength;
    if (sizeBytes > ARTIFACT_BYTES_MAX) throw new ArtifactTooLargeError(sizeBytes);
    const hash = this.hashOf(owner, content);
    const folder = this.folderOf(owner);
    await makeFolderDurably(folder);
    const file = join(folder, hash);
    if ((await sizeOf(file)) === sizeBytes) {
      // Another put may have renamed it just now and not have synced the folder yet.
      await syncFolder(folder);
    } else {
      await writeDurably({ file, temporaryFolder: this.incoming, content, mode: 0o600 });
    }
    return { hash, sizeBytes, mediaType };
  }

  async get(owner: ArtifactOwner, hash: string): Promise<Uint8Array | undefined> {
    if (!hexDigest.test(hash)) return undefined;
    let content: Uint8Array;
    try {
      content = await readFile(join(this.folderOf(owner), hash));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
    if (this.hashOf(owner, content) !== hash) throw new ArtifactDamagedError(hash);
    return content;
  }

  private get incoming(): string {
    return join(this.folder, INCOMING_FOLDER);
  }

  private folderOf({ tenantId, sessionId }: ArtifactOwner): string {
    return join(this.folder, pathSegment(tenantId), pathSegment(sessionId));
  }

  private async removeLeftovers(): Promise<void> {
    for (const name of await readdir(this.incoming)) {
      const file = join(this.incoming, name);
      const changed = await stat(file)
        .then((found) => found.mtimeMs)
        .catch(() => Infinity);
      if (Date.now() - changed > INCOMING_MS_MAX) await rm(file, { force: true });
    }
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
