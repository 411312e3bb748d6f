import { importStore } from '../transfer/import-store.js';
import { counted, printJson, say } from './output.js';
import { progressBar } from './progress.js';
import { withPorts } from './with-ports.js';

/** `holdfast import holdfast <folder>`: another store of Holdfast, as it was exported. */
export async function importExport(folder: string, json: boolean): Promise<void> {
  const report = await withPorts(async (ports, { keysFolder }) => {
    const { sealedEvents, artifacts, leases, transferMark } = ports;
    const bar = progressBar({
      unit: 'events',
      interrupted: 'what is in stays; the same command goes on with the rest',
    });
    try {
      return await importStore({
        folder,
        sealedEvents,
        artifacts,
        leases,
        keyCheck: transferMark,
        keysFolder,
        onProgress: (done, total) => bar.update(done, total),
      });
    } finally {
      bar.stop();
    }
  });
  if (json) return printJson(report);
  say(
    `Checked ${counted(report.events, 'event')} of ${counted(report.streams, 'stream')} and ` +
      `${counted(report.artifacts, 'artifact')}; ${counted(report.written, 'event')} written now.`,
  );
}
