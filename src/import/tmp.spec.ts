import { it } from '@jest/globals';
import { join } from 'node:path';
import { ImportedStore, SAMPLES } from '../../test/import/imported-store.js';
import { endState } from '../../test/import/what-was-imported.js';
it('time', async () => {
  for (let i = 0; i < 6; i += 1) {
    const store = new ImportedStore();
    const a = performance.now();
    const r = await store.import(join(SAMPLES, 'claude-code/real-tiny.jsonl'));
    const b = performance.now();
    await store.import(join(SAMPLES, 'claude-code/real-tiny.jsonl'));
    const c = performance.now();
    endState(await store.records(r.logs[0]!.sessionId));
    const d = performance.now();
    process.stderr.write(`${(b - a).toFixed(0)} ${(c - b).toFixed(0)} ${(d - c).toFixed(0)}\n`);
  }
  for (let i = 0; i < 3; i += 1) {
    const store = new ImportedStore();
    const a = performance.now();
    await store.import(join(SAMPLES, 'claude-code/real-4mb-compacted.jsonl'));
    process.stderr.write(`4mb ${(performance.now() - a).toFixed(0)}\n`);
  }
}, 60000);
