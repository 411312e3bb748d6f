import type { Command } from 'commander';
import { CommandLineError, EXIT } from '../failure.js';
import { counted, printJson, say } from '../output.js';

interface Options {
  readonly session?: string;
  readonly children: boolean;
  readonly json?: boolean;
}

export function addExport(program: Command): void {
  program
    .command('export')
    .description(
      'write all events, or one session, with artifacts into a folder, to move or to keep',
    )
    .argument('<folder>', 'is made; must not hold an export')
    .option('--session <id>', 'only this session and the child sessions under it, not its forks')
    .option('--no-children', 'with --session: without its child sessions')
    .option('--json', 'what was written, as one JSON object on stdout')
    .addHelpText(
      'after',
      '\nRead it with `import holdfast`. Of a whole store: the keys are not in it, keep the keys ' +
        'folder, too.\nOf a session: its contents are in it in the clear.',
    )
    .action(async (folder: string, options: Options) => {
      const { session, children, json = false } = options;
      if (session !== undefined) {
        const { exportOneSession } = await import('../export-session.js');
        return exportOneSession({ folder, sessionId: session, children, json });
      }
      if (!children) throw new CommandLineError('--no-children needs --session', EXIT.usage);
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
      if (json) return printJson(counts);
      const { events, streams, artifacts } = counts;
      say(
        `Exported ${counted(events, 'event')} of ${counted(streams, 'stream')} and ` +
          `${counted(artifacts, 'artifact')} to ${folder}.`,
      );
    });
}
