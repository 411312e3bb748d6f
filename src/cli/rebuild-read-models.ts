import { newInstanceId } from '../storage/instance-id.js';
import { allProjections } from '../projections/all-projections.js';
import { Projectors } from '../projections/projectors.js';
import type { RebuildProgress, RebuildReport } from '../projections/rebuild.js';
import { EventCodec } from '../storage/event-codec.js';
import { progressBar } from './progress.js';
import { withExistingPorts } from './with-ports.js';

/** Of the stores alone: an application would refuse read models that show more than the log holds. */
export async function rebuildReadModels(
  name: string | undefined,
  rebuilt: (readModel: string, report: RebuildReport) => void,
): Promise<void> {
  await withExistingPorts(async ({ events, readModels, leases }, configuration) => {
    const ports = { events, readModels, leases, codec: new EventCodec(), now: Date.now };
    const projectors = new Projectors(allProjections, ports, {
      instanceId: newInstanceId(),
      leaseTtlMs: configuration.instanceLeaseTtlMs,
    });
    const names = name === undefined ? allProjections.map((one) => one.name) : [name];
    for (const one of names) {
      const bar = progressBar({
        unit: `positions of ${one}`,
        interrupted: 'the read model in use stays; the same command begins anew',
      });
      const onProgress = ({ position, head }: RebuildProgress): void =>
        bar.update(Number(position), Number(head));
      const report = await projectors.rebuild(one, onProgress).finally(() => bar.stop());
      rebuilt(one, report);
    }
  });
}
