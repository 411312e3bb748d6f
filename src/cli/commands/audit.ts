import type { Command } from 'commander';
import type { AuditEntry } from '../../audit/read-audit.js';
import type { AuditFilterText } from '../../domain/audit/trail-events.js';
import { CommandLineError, EXIT } from '../failure.js';
import { counted, print, printJson, say } from '../output.js';

interface FilterOptions {
  readonly actor?: string;
  readonly command?: readonly string[];
  readonly type?: readonly string[];
  readonly session?: readonly string[];
  readonly label?: string;
  readonly since?: string;
  readonly until?: string;
  readonly trail?: boolean;
  readonly json?: boolean;
}

interface ExportOptions extends FilterOptions {
  readonly redact?: boolean;
}

const PAGE_ENTRIES = 200;

/** Who did what in one tenant: HOLDFAST_TENANT says in which. */
export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('who did what, across sessions, keys and settings: list, export');
  addList(audit);
  addExport(audit);
}

function withFilters(command: Command): Command {
  return command
    .option('--actor <actor>', 'only what this one has done: key:…, user:…, local')
    .option('--command <commands...>', 'only what these commands have done')
    .option('--type <types...>', 'only events of these types')
    .option('--session <sessions...>', 'only events of these sessions')
    .option('--label <name=value>', 'only of sessions that have this label now')
    .option('--since <time>', 'only what was recorded then or later')
    .option('--until <time>', 'only what was recorded before')
    .option('--trail', 'only denials, exports, keys, settings, and what people decided');
}

function addList(audit: Command): void {
  withFilters(audit.command('list'))
    .description('list who did what, the earliest first, without contents')
    .option('--json', 'one JSON object per entry and line on stdout')
    .action(async ({ json, ...options }: FilterOptions) => {
      const { withExistingStore } = await import('../local-application.js');
      const { ReadAudit } = await import('../../audit/read-audit.js');
      const { harmless } = await import('../replay/step-text.js');
      const filter = filterOf(options);
      const show = json ? printJson : (entry: AuditEntry) => print(harmless(lineOf(entry)));
      await withExistingStore(async ({ queries, configuration: { tenant } }) => {
        for (let after = 0n; ;) {
          const query = new ReadAudit(tenant, filter, after, PAGE_ENTRIES);
          const { entries, next, caughtUp } = await queries.execute(query);
          entries.forEach(show);
          if (caughtUp) return;
          after = BigInt(next);
        }
      });
    });
}

function addExport(audit: Command): void {
  withFilters(audit.command('export'))
    .description('write everything that happened, with contents, and a manifest into a folder')
    .argument('<folder>', 'is made; must not hold an export')
    .option('--redact', 'mask secrets by the rules of now')
    .option('--json', 'the manifest on stdout')
    .action(async (folder: string, { json, redact, ...options }: ExportOptions) => {
      const { withExistingStore } = await import('../local-application.js');
      const { ExportAudit } = await import('../../audit/export-audit.js');
      const { writeAuditExport } = await import('../audit-export.js');
      const filter = filterOf(options);
      const manifest = await withExistingStore(async ({ commands, scope }) => {
        const { tenantId, actor } = scope('');
        return writeAuditExport(folder, () =>
          commands.execute(new ExportAudit({ tenantId, actor }, filter, redact)),
        );
      });
      if (json) return printJson(manifest);
      const { events, sessions, exportId } = manifest;
      say(
        `Exported ${counted(events, 'event')} of ${counted(sessions.length, 'session')} to ` +
          `${folder}: export ${exportId}, recorded in the audit trail.`,
      );
    });
}

function filterOf(options: FilterOptions): AuditFilterText {
  const { actor, command, type, session, label, trail } = options;
  if (label !== undefined && !/^[^=]{1,64}=/.test(label)) {
    throw new CommandLineError(`--label must be name=value, not "${label}"`, EXIT.usage);
  }
  return {
    actor,
    commands: command,
    types: type,
    sessions: session,
    label,
    since: checkedTime('--since', options.since),
    until: checkedTime('--until', options.until),
    trail,
  };
}

function checkedTime(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const timeMs = Date.parse(text);
  if (!Number.isNaN(timeMs)) return new Date(timeMs).toISOString();
  throw new CommandLineError(
    `${name} must be a time such as 2026-01-31T12:00:00Z, not "${text}"`,
    EXIT.usage,
  );
}

function lineOf({ at, actor, command, type, sessionId, revision, details }: AuditEntry): string {
  const where = sessionId === undefined ? '' : ` ${sessionId}#${revision}`;
  const time = at.slice(0, 19).replace('T', ' ');
  return `${time} ${actor} ${command} → ${type}${where} ${JSON.stringify(details)}`;
}
