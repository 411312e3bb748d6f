import { describe, expect, it } from '@jest/globals';
import { MemoryArtifactStore } from '../../src/storage/memory/memory-artifact-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { MemoryLeaseStore } from '../../src/storage/memory/memory-lease-store.js';
import { MemoryReadModelStore } from '../../src/storage/memory/memory-read-model-store.js';
import {
  IgnoresExpectation,
  LosesLastEvent,
  SkipsOneEvent,
  doNothingEventStore,
} from '../support/broken-event-stores.js';
import {
  ForgetsPosition,
  IgnoresRanges,
  KeepsFence,
  LosesLastByte,
  LosesLastDocument,
  LosesLastOfPage,
  NeverExpires,
  SharesBetweenSessions,
  doNothingArtifactStore,
  doNothingLeaseStore,
  doNothingReadModelStore,
} from '../support/broken-stores.js';
import { ownerHash } from '../support/owner-hash.js';
import { type Scenario, failingScenarios } from '../support/scenarios.js';
import { artifactStoreScenarios } from './artifact-store.contract.js';
import {
  durableScenarios,
  eventStoreScenarios,
  knownEventIdScenarios,
} from './event-store.contract.js';
import { leaseStoreScenarios } from './lease-store.contract.js';
import { readModelStoreScenarios } from './read-model-store.contract.js';

/** A contract that a broken store passes proves nothing about the others. */
describe('a store that is broken fails its contract', () => {
  const failing = <Subject>(scenarios: readonly Scenario<Subject>[], store: () => Subject) =>
    failingScenarios(scenarios, store);
  const namesOf = (scenarios: readonly { readonly name: string }[]) =>
    scenarios.map(({ name }) => name);

  it('event store: does nothing', async () => {
    const failed = await failing(eventStoreScenarios, doNothingEventStore);
    expect(failed).toEqual(namesOf(eventStoreScenarios));
    const known = await failing(knownEventIdScenarios, doNothingEventStore);
    expect(known).toEqual(namesOf(knownEventIdScenarios));
  });

  it('event store: loses the last event of a batch', async () => {
    const failed = await failing(eventStoreScenarios, () => new LosesLastEvent());
    expect(failed).toContain('a batch gets consecutive revisions and rising positions');
    expect(failed).toContain(
      'a subscription catches up and goes on live, each event once and in order',
    );
  });

  it('event store: ignores the expectation', async () => {
    const failed = await failing(eventStoreScenarios, () => new IgnoresExpectation());
    expect(failed).toContain('another expectation than the head is refused and tells the head');
  });

  it('event store: skips an event between pages', async () => {
    const failed = await failing(eventStoreScenarios, () => new SkipsOneEvent());
    expect(failed).toContain(
      'all streams are read in the order of their commits, from a position on',
    );
  });

  it('event store: forgets everything when it is closed', async () => {
    const forgetful = () => {
      let store = new MemoryEventStore();
      return {
        store: () => store,
        reopen: async () => {
          store = new MemoryEventStore();
        },
      };
    };
    expect(await failing(durableScenarios, forgetful)).toHaveLength(durableScenarios.length);
  });

  it('read-model store: does nothing', async () => {
    const failed = await failing(readModelStoreScenarios, doNothingReadModelStore);
    expect(failed).toEqual(namesOf(readModelStoreScenarios));
  });

  it('read-model store: forgets the position, loses a document, cuts pages short', async () => {
    const positions = await failing(readModelStoreScenarios, () => new ForgetsPosition());
    expect(positions).toContain('documents and position move together');
    const documents = await failing(readModelStoreScenarios, () => new LosesLastDocument());
    expect(documents).toContain('a document comes back as it was written, is replaced and deleted');
    const pages = await failing(readModelStoreScenarios, () => new LosesLastOfPage());
    expect(pages).toContain(
      'pages are complete in both directions: equal values, missing values, any page size',
    );
  });

  it('lease store: does nothing', async () => {
    const failed = await failing(leaseStoreScenarios, doNothingLeaseStore);
    expect(failed).toEqual(namesOf(leaseStoreScenarios));
  });

  it('lease store: keeps the fence, never expires', async () => {
    const fences = await failing(leaseStoreScenarios, () => new KeepsFence());
    expect(fences).toContain('the fence grows with each take-over');
    const expiry = await failing(leaseStoreScenarios, () => new NeverExpires());
    expect(expiry).toContain('who let its lease expire takes it anew with a higher fence');
  });

  it('artifact store: does nothing, shares between sessions, loses a byte, ignores ranges', async () => {
    const nothing = await failing(artifactStoreScenarios, doNothingArtifactStore);
    expect(nothing).toContain('content comes back byte for byte, large and empty');
    const shared = await failing(artifactStoreScenarios, () => new SharesBetweenSessions());
    expect(shared).toContain('the same content in two sessions has two references');
    const cut = await failing(artifactStoreScenarios, () => new LosesLastByte());
    expect(cut).toContain('content comes back byte for byte, large and empty');
    const whole = await failing(artifactStoreScenarios, () => new IgnoresRanges());
    expect(whole).toContain('a range gives these bytes and no others');
  });

  it('and a sound store passes when it is asked in the same way', async () => {
    const slow = 10_000;
    const passed = await Promise.all([
      failingScenarios(eventStoreScenarios, () => new MemoryEventStore(), slow),
      failingScenarios(readModelStoreScenarios, () => new MemoryReadModelStore(), slow),
      failingScenarios(leaseStoreScenarios, () => new MemoryLeaseStore(), slow),
      failingScenarios(artifactStoreScenarios, () => new MemoryArtifactStore(ownerHash), slow),
    ]);
    expect(passed.flat()).toEqual([]);
  });
});
