import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ArtifactMeter, hashOfAll, openedArtifact, undefinedIfErased } from '../artifact-bytes.js';
import type { ArtifactSealing } from '../artifact-sealing.js';
import {
  type ArtifactContent,
  type ArtifactOwner,
  type ArtifactReference,
  type ArtifactStore,
  type ByteRange,
  type StoredArtifact,
} from '../artifact-store.js';
import { folderFault } from './folder-fault.js';
import { StorageOpenError } from '../storage-open-error.js';
import {
  hasCode,
  makeFolderDurably,
  moveDurably,
  syncFolder,
  writeTemporary,
} from './durable-file.js';
import { pathSegment } from './path-segment.js';

const hexDigest = /^[0-9a-f]{64}$/;
const INCOMING_FOLDER = 'incoming';
/** What a crash left behind: no write takes that long. */
const INCOMING_MS_MAX = 60 * 60 * 1000;

/** One file per artifact: `<folder>/<tenant>/<session>/<hash>`, ids made safe for paths. */
export class FileArtifactStore implements ArtifactStore {
  private constructor(
    private readonly folder: string,
    private readonly sealing: ArtifactSealing,
  ) {}

  /** @throws StorageOpenError when the folder cannot be created or written. */
  static async open(folder: string, sealing: ArtifactSealing): Promise<FileArtifactStore> {
    const store = new FileArtifactStore(resolve(folder), sealing);
    try {
      await makeFolderDurably(store.incoming);
      await store.removeLeftovers();
    } catch (error) {
      throw new StorageOpenError(
        'folderNotUsable',
        `the artifact folder ${folder} cannot be created or written (${folderFault(error)}); make it ` +
          'writable for this user',
        { cause: error },
      );
    }
    return store;
  }

  async put(
    owner: ArtifactOwner,
    content: ArtifactContent,
    mediaType: string,
  ): Promise<ArtifactReference> {
    const seal = await this.sealing(owner);
    if (content instanceof Uint8Array) {
      const [hash, sizeBytes] = [hashOfAll(seal, content), content.byteLength];
      const isKept = await this.isKept(owner, hash, seal.storedBytes(sizeBytes));
      if (isKept) return { hash, sizeBytes, mediaType };
    }
    const meter = new ArtifactMeter(seal.hash());
    const temporary = await writeTemporary({
      temporaryFolder: this.incoming,
      content: seal.sealed(meter.pieces(content)),
      mode: 0o600,
    });
    try {
      const hash = meter.hash();
      const { sizeBytes } = meter;
      await this.place(temporary, owner, hash, seal.storedBytes(sizeBytes));
      return { hash, sizeBytes, mediaType };
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async find(owner: ArtifactOwner, hash: string): Promise<StoredArtifact | undefined> {
    if (!hexDigest.test(hash)) return undefined;
    const file = join(this.folderOf(owner), hash);
    const storedBytes = await sizeOf(file);
    if (storedBytes === undefined) return undefined;
    const seal = await this.sealing(owner).catch(undefinedIfErased);
    return seal && openedArtifact(seal, hash, storedBytes, (range) => piecesOf(file, range));
  }

  async removeAll(owner: ArtifactOwner): Promise<number> {
    const folder = this.folderOf(owner);
    const names = await readdir(folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    if (names.length === 0) return 0;
    await rm(folder, { recursive: true, force: true });
    await syncFolder(dirname(folder));
    return names.length;
  }

  private async place(
    temporary: string,
    owner: ArtifactOwner,
    hash: string,
    storedBytes: number,
  ): Promise<void> {
    if (await this.isKept(owner, hash, storedBytes)) return;
    const folder = this.folderOf(owner);
    await makeFolderDurably(folder);
    await moveDurably(temporary, join(folder, hash));
  }

  private async isKept(owner: ArtifactOwner, hash: string, storedBytes: number): Promise<boolean> {
    const folder = this.folderOf(owner);
    if ((await sizeOf(join(folder, hash))) !== storedBytes) return false;
    // Another put may have renamed it just now and not have synced the folder yet.
    await syncFolder(folder);
    return true;
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

function piecesOf(file: string, range?: ByteRange): AsyncIterable<Uint8Array> {
  return createReadStream(file, { start: range?.from, end: range?.to });
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
