import { it, expect } from '@jest/globals';
import { runSchedules } from './run-schedules.js';
import { Schedule } from './schedule.js';
import { inShort } from '../support/events.js';
import { ALL_RULES } from './world.js';
it('try', () => {
  const seed = Number(process.env['SEED'] ?? 42);
  const started = Date.now();
  const out = runSchedules(seed, Number(process.env['SCHEDULES'] ?? 1000), ALL_RULES);
  process.stdout.write(JSON.stringify({ ...out, ms: Date.now() - started }, null, 1) + '\n');
  if (out.violation) {
    const s = new Schedule(seed, out.violation.schedule, ALL_RULES);
    try { s.run(); } catch {}
    process.stdout.write(s.world.log.records.map((r) => `${r.revision} ${r.recordedAt.slice(11)} ${r.metadata.commandType} ${inShort(r.event)} ${'callId' in r.event.data ? r.event.data.callId.slice(0, 4) : ''}`).join('\n') + '\n');
  }
  expect(out.violation).toBeUndefined();
});
