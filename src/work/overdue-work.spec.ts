import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CommandApplication } from '../../test/support/command-application.js';
import { memoryPorts } from '../app/memory-ports.js';
import type { Ports } from '../app/ports.js';
import { OpenWork } from './open-work.js';
import { OVERDUE_WORK_MS, OverdueWork } from './overdue-work.js';
import { ReadyWork } from './ready-work.js';

let ports: Ports;
let app: CommandApplication;
beforeEach(async () => {
  ports = memoryPorts();
  app = await CommandApplication.whole(ports);
});
afterEach(async () => {
  await app.close();
});

/** As it is counted so much later. */
function overdueAfter(laterMs: number): Promise<number> {
  const clock = () => Date.now() + laterMs;
  return new OverdueWork(app.get(OpenWork), app.get(ReadyWork), ports.leases, clock).count();
}

it('is work that nobody has taken for a minute, and not what a living owner has', async () => {
  await app.claimed();
  await app.wanted();
  await app.wanted();
  expect(await overdueAfter(0)).toBe(0);
  expect(await overdueAfter(OVERDUE_WORK_MS + 1_000)).toBe(2);
});
