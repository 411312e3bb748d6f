import { describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from './memory/memory-event-store.js';
import { MemoryReadModelStore } from './memory/memory-read-model-store.js';
import { bindReadModels } from './read-model-binding.js';

describe('read models and their event store', () => {
  it('belong to each other from the first start on, also when two instances start at once', async () => {
    const [events, readModels] = [new MemoryEventStore(), new MemoryReadModelStore()];
    const bind = () => bindReadModels(events, readModels, 'here');
    await Promise.all([bind(), bind()]);
    await expect(bind()).resolves.toBeUndefined();
  });

  it('are refused to another event store, with what to do', async () => {
    const readModels = new MemoryReadModelStore();
    await bindReadModels(new MemoryEventStore(), readModels, 'the MongoDB database');
    const other = bindReadModels(new MemoryEventStore(), readModels, 'the MongoDB database');
    await expect(other).rejects.toMatchObject({ problem: 'otherEventStore' });
    await expect(other).rejects.toThrow(
      /the read models in the MongoDB database were made from another event store .*HOLDFAST_/,
    );
  });
});
