import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  ARTIFACT_BYTES_MAX,
  type ArtifactOwner,
  type ArtifactStore,
  ArtifactTooLargeError,
  readArtifact,
} from '../../src/storage/artifact-store.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

/** For every adapter, opened with a hash that depends on the owner. */
export const artifactStoreScenarios: readonly Scenario<ArtifactStore>[] = [
  {
    name: 'content comes back byte for byte, large and empty',
    async run(store) {
      const owner = newOwner();
      for (const content of [randomBytes(3_000_000), Buffer.from('Grüße'), Buffer.alloc(0)]) {
        const reference = await store.put(owner, content, 'text/plain');
        assert.match(reference.hash, /^[0-9a-f]{64}$/);
        same([reference.sizeBytes, reference.mediaType], [content.length, 'text/plain']);
        const found = await readArtifact(store, owner, reference.hash);
        assert.ok(found !== undefined && content.equals(found));
      }
    },
  },
  {
    name: 'the same content again has the same reference, also when both are put at once',
    async run(store) {
      const owner = newOwner();
      const content = randomBytes(50_000);
      const references = await Promise.all(
        [1, 2, 3, 4].map(() => store.put(owner, content, 'image/png')),
      );
      assert.equal(new Set(references.map(({ hash }) => hash)).size, 1);
      const again = await store.put(owner, content, 'image/png');
      same(again, references[0]);
      const found = await readArtifact(store, owner, again.hash);
      assert.ok(found !== undefined && content.equals(found));
    },
  },
  {
    name: 'a session sees its own artifacts only',
    async run(store) {
      const owner = newOwner();
      const { hash } = await store.put(owner, Buffer.from('secret'), 'text/plain');
      for (const other of [
        { ...owner, sessionId: randomUUID() },
        { ...owner, tenantId: randomUUID() },
        { ...owner, sessionId: owner.sessionId.toUpperCase() },
        { tenantId: `${owner.tenantId}/${owner.sessionId}`, sessionId: '' },
      ]) {
        assert.equal(await readArtifact(store, other, hash), undefined);
      }
    },
  },
  {
    name: 'the same content in two sessions has two references',
    async run(store) {
      const content = Buffer.from('shared');
      const one = await store.put(newOwner(), content, 'text/plain');
      const other = await store.put(newOwner(), content, 'text/plain');
      assert.notEqual(one.hash, other.hash);
    },
  },
  {
    name: 'ids that look like paths stay ids',
    async run(store) {
      const tricks = [
        '..',
        '.',
        '../..',
        '/etc',
        'a/b',
        'a\\b',
        'a\u0000b',
        'CON',
        'ü'.repeat(200),
      ];
      const put: { owner: ArtifactOwner; hash: string }[] = [];
      for (const sessionId of tricks) {
        const owner = { tenantId: `../${randomUUID()}`, sessionId };
        const { hash } = await store.put(owner, Buffer.from(sessionId), 'text/plain');
        put.push({ owner, hash });
      }
      for (const { owner, hash } of put) {
        const found = await readArtifact(store, owner, hash);
        assert.equal(found && Buffer.from(found).toString(), owner.sessionId);
      }
    },
  },
  {
    name: 'what was never put is not there, whatever is asked for',
    async run(store) {
      const owner = newOwner();
      await store.put(owner, Buffer.from('x'), 'text/plain');
      for (const hash of ['0'.repeat(64), '', '.', '..', '../../events.sqlite', 'A'.repeat(64)]) {
        assert.equal(await readArtifact(store, owner, hash), undefined);
      }
    },
  },
  {
    name: 'content over the limit is refused',
    async run(store) {
      const content = new Uint8Array(ARTIFACT_BYTES_MAX + 1);
      await assert.rejects(store.put(newOwner(), content, 'text/plain'), ArtifactTooLargeError);
      let asked = 0;
      const endless = async function* () {
        for (const piece = new Uint8Array(16 * 1024 * 1024); ; asked += 1) yield piece;
      };
      await assert.rejects(store.put(newOwner(), endless(), 'text/plain'), ArtifactTooLargeError);
      same(asked, ARTIFACT_BYTES_MAX / (16 * 1024 * 1024));
    },
  },
  {
    name: 'content in pieces is the same artifact as the whole of it',
    async run(store) {
      const owner = newOwner();
      const content = randomBytes(300_001);
      const pieces = async function* () {
        yield content.subarray(0, 1);
        yield content.subarray(1, 1);
        yield content.subarray(1);
      };
      const streamed = await store.put(owner, pieces(), 'image/png');
      same(streamed, await store.put(owner, content, 'image/png'));
      const found = await readArtifact(store, owner, streamed.hash);
      assert.ok(found !== undefined && content.equals(found));
    },
  },
  {
    name: 'of content that breaks off nothing stays',
    async run(store) {
      const owner = newOwner();
      const broken = async function* () {
        yield Buffer.from('half');
        throw new Error('the sender is gone');
      };
      await assert.rejects(store.put(owner, broken(), 'text/plain'), /the sender is gone/);
      const { hash } = await store.put(owner, Buffer.from('half of it'), 'text/plain');
      assert.ok((await store.find(owner, hash)) !== undefined);
    },
  },
  {
    name: 'all of a session’s are removed at once, and nobody else’s',
    async run(store) {
      const [owner, other] = [newOwner(), newOwner()];
      const one = await store.put(owner, randomBytes(300_000), 'text/plain');
      const two = await store.put(owner, Buffer.from('two'), 'text/plain');
      const kept = await store.put(other, Buffer.from('two'), 'text/plain');
      same(await store.removeAll(owner), 2);
      same(await store.removeAll(owner), 0);
      for (const { hash } of [one, two]) assert.equal(await store.find(owner, hash), undefined);
      assert.ok((await readArtifact(store, other, kept.hash)) !== undefined);
      await store.put(owner, Buffer.from('again'), 'text/plain');
      same(await store.removeAll(owner), 1);
    },
  },
  {
    name: 'a range gives these bytes and no others',
    async run(store) {
      const owner = newOwner();
      const content = randomBytes(200_000);
      const { hash } = await store.put(owner, content, 'image/png');
      const found = await store.find(owner, hash);
      same(found?.sizeBytes, content.length);
      for (const [from, to] of [
        [0, 0],
        [1, 150_000],
        [199_999, 199_999],
        [0, 199_999],
      ] as const) {
        const pieces: Uint8Array[] = [];
        for await (const piece of found!.read({ from, to })) pieces.push(piece);
        assert.ok(content.subarray(from, to + 1).equals(Buffer.concat(pieces)));
      }
    },
  },
];

function newOwner(): ArtifactOwner {
  return { tenantId: `tenant-${randomUUID()}`, sessionId: `s-${randomUUID()}` };
}
