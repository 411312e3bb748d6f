import type { Command } from 'commander';
import { counted, printJson, say } from '../output.js';

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write all events and their artifacts into a folder, to move or to keep')
    .argument('<folder>', 'is made; must not hold an export')
    .option('--json', 'what was written, as one JSON object on stdout')
    .addHelpText(
      'after',
      '\nThe keys are not in it: keep the keys folder, too. Read it with `import holdfast`.',
    )
    .action(async (folder: string, options: { readonly json?: boolean }) => {
      const { exportStore } = await import('../../transfer/export-store.js');
      const { withPorts } = await import('../with-ports.js');
      const { progressBar } = await import('../progress.js');
      const { AuditTrail } = await import('../../audit/audit-trail.js');
      const { localActor } = await import('../local-actor.js');
      const counts = await withPorts(async ({ events, sealedEvents, artifacts, transferMark }) => {
        const trail = new AuditTrail(events, Date.now);
        const tenants: string[] = [];
        const bar = progressBar({
          unit: 'positions',
          interrupted: 'the folder holds no export; the same command begins anew',
        });
        const onProgress = (position: bigint, head: bigint) =>
          bar.update(Number(position), Number(head));
        try {
          const written = await exportStore({
            folder,
            events,
            artifacts,
            sealedEvents,
            keyCheck: transferMark,
            now: Date.now,
            onProgress,
            onTenant: (tenantId) => tenants.push(tenantId),
          });
          for (const tenantId of tenants) {
            const sender = { tenantId, actor: localActor() };
            await trail.record(sender, { type: 'StoreExported', data: written });
          }
          return written;
        } finally {
          bar.stop();
        }
      });
      if (options.json) return printJson(counts);
      const { events, streams, artifacts } = counts;
      say(
        `Exported ${counted(events, 'event')} of ${counted(streams, 'stream')} and ` +
          `${counted(artifacts, 'artifact')} to ${folder}.`,
      );
    });
}
