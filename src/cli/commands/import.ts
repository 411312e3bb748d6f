import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { SESSION_FILE } from '../../import/holdfast/session-file.js';
import type { ImportProgress } from '../../import/import-file.js';
import type { ImportReport, LogReport } from '../../import/import-report.js';
import { ARTIFACTS_FOLDER, EVENTS_FILE } from '../../transfer/transfer-file.js';
import { EXIT } from '../failure.js';
import { counted, print, printJson, say, table } from '../output.js';

interface Options {
  readonly onCollision: string;
  readonly json?: boolean;
}

export function addImport(program: Command, exitWith: (code: number) => void): void {
  program
    .command('import')
    .description('read real agent logs, or an export; again adds only what is new')
    .argument('<format>', 'claude-code, auto to recognise a log by content, or holdfast')
    .argument('<path>', 'a log file, a folder with logs, or the folder of an export')
    .option('--on-collision <how>', 'merge, newIds or fail', 'merge')
    .option('--json', 'one JSON object per log on stdout')
    .addHelpText(
      'after',
      '\nAn imported session is at rest: nothing of it runs by itself. To go on with it, fork it.\n' +
        'An exported session keeps its id where that is free.',
    )
    .action(async (format: string, path: string, options: Options) => {
      if (format === 'holdfast' && isWholeStore(path)) {
        const { importExport } = await import('../import-export.js');
        return importExport(path, options.json ?? false);
      }
      const { withLocalApplication } = await import('../local-application.js');
      const { IMPORT_FORMATS, importPath } = await import('../../import/import-file.js');
      const { checkedCollision, checkedFormat } = await import('../arguments.js');
      const { progressBar } = await import('../progress.js');
      const { TenantRedaction } = await import('../../commands/redaction/tenant-redaction.js');
      const { TenantPrices } = await import('../../commands/tenant-prices.js');
      const onCollision = checkedCollision(options.onCollision);
      checkedFormat(
        format,
        IMPORT_FORMATS.map(({ name }) => name),
      );
      const report = await withLocalApplication(async ({ ports, codec, context, scope }) => {
        const bar = progressBar({
          unit: 'logs',
          interrupted: 'what is in stays; the same command goes on with the rest',
        });
        const { tenantId, actor } = scope('');
        try {
          return await importPath({
            path,
            format: format === 'auto' ? undefined : format,
            onCollision,
            tenantId,
            actor,
            events: ports.events,
            artifacts: ports.artifacts,
            codec,
            hasher: ports.hasher,
            redactorOf: (owner) => context.get(TenantRedaction).beforeAppend(owner),
            cards: await context.get(TenantPrices).cardsOf(tenantId),
            now: Date.now,
            onProgress: (progress) => bar.update(logsDone(progress), progress.files),
          });
        } finally {
          bar.stop();
        }
      });
      if (options.json) report.logs.forEach(printJson);
      else print(reportText(report));
      for (const [old, now] of Object.entries(report.id_map)) say(`${old} is ${now} here`);
      for (const { file, message } of report.refused) say(`not imported: ${file}: ${message}`);
      if (report.refused.length > 0) exitWith(EXIT.partly);
    });
}

/** The other export: of a whole store, also one that was broken off before it had its events. */
function isWholeStore(path: string): boolean {
  const has = (name: string): boolean => existsSync(join(path, name));
  return has(EVENTS_FILE) || (has(ARTIFACTS_FOLDER) && !has(SESSION_FILE));
}

/** Every log is read twice, so its first half is what it takes to see what it holds. */
function logsDone({ phase, fileNumber, bytesRead, bytesTotal }: ImportProgress): number {
  const read = bytesTotal === 0 ? 1 : bytesRead / bytesTotal;
  return fileNumber - 1 + (phase === 'survey' ? read : 1 + read) / 2;
}

function reportText(report: ImportReport): string {
  const rows = report.logs.flatMap((log: LogReport) => [rowOf(log), ...childRows(log)]);
  const head = [
    'SESSION',
    'INPUTS',
    'MESSAGES',
    'CALLS',
    'UNKNOWN',
    'UNREADABLE',
    'NEW EVENTS',
    'LOG',
  ];
  return table([head, ...rows], [1, 2, 3, 4, 5, 6]);
}

/** The counts are those of the whole log, its subagents' parts included. */
function rowOf(log: LogReport): string[] {
  return [
    log.sessionId,
    String(log.user_inputs),
    String(log.assistant_messages),
    String(log.tool_calls),
    String(log.dangling),
    String(log.quarantined),
    String(log.events_appended),
    log.file,
  ];
}

function childRows({ sessions }: LogReport): string[][] {
  return sessions
    .filter(({ parentId }) => parentId !== undefined)
    .map(({ sessionId, eventsAppended, parentId }) => {
      const inTheLogsRow = ['', '', '', '', '', ''];
      const text = `a subagent of ${parentId}, ${counted(eventsAppended, 'new event')}`;
      return [`  ${sessionId}`, ...inTheLogsRow, text];
    });
}
