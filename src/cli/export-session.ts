import { randomUUID } from 'node:crypto';
import { AuditTrail } from '../audit/audit-trail.js';
import { type Descendant, FindDescendants } from '../erasure/find-descendants.js';
import { sessionStream } from '../identity/derived-ids.js';
import { SESSION_FILE } from '../import/holdfast/session-file.js';
import { exportSession } from '../transfer/export-session.js';
import { CommandLineError, EXIT } from './failure.js';
import { type LocalApplication, withExistingStore } from './local-application.js';
import { counted, printJson, say } from './output.js';

interface Wish {
  readonly folder: string;
  readonly sessionId: string;
  readonly children: boolean;
  readonly json: boolean;
}

/** `holdfast export --session <id> <folder>`: recorded in the audit trail before its first byte. */
export async function exportOneSession(wish: Wish): Promise<void> {
  const { folder, sessionId, children } = wish;
  const report = await withExistingStore(async (application) => {
    const { ports, codec, context, scope } = application;
    const { tenantId, actor } = scope(sessionId);
    if ((await ports.events.head(sessionStream(tenantId, sessionId))) === 'noStream') {
      throw new CommandLineError(`there is no session ${sessionId}`, EXIT.notFound);
    }
    const below = children ? await hangingUnder(application, sessionId) : [];
    const sessionIds = [sessionId, ...below.map((child) => child.sessionId)];
    const trail = context.get(AuditTrail, { strict: false });
    const sender = { tenantId, actor };
    const exportId = randomUUID();
    const filter = { sessions: sessionIds };
    await trail.record(sender, { type: 'AuditExportStarted', data: { exportId, filter } });
    const { events, artifacts } = ports;
    const header = { tenantId, sessionId, children };
    const written = await exportSession({ folder, header, sessionIds, events, artifacts, codec });
    const { bytes, sha256, ...counts } = written;
    const files = [{ name: SESSION_FILE, bytes, sha256 }];
    const { events: count, sessions } = counts;
    const data = { exportId, events: count, sessions, files };
    await trail.record(sender, { type: 'AuditExported', data });
    return { exportId, sessionIds, ...counts, files };
  });
  if (wish.json) return printJson(report);
  say(
    `Exported ${counted(report.events, 'event')} of ${counted(report.sessions, 'session')} and ` +
      `${counted(report.artifacts, 'artifact')} to ${folder}: export ${report.exportId}, recorded ` +
      'in the audit trail.',
  );
}

/** Parents first, and in the same order every time. A fork is a session of its own. */
async function hangingUnder(
  { context, ports, scope }: LocalApplication,
  sessionId: string,
): Promise<readonly Descendant[]> {
  const { tenantId } = scope(sessionId);
  const position = await ports.events.headPosition();
  const found = await context
    .get(FindDescendants, { strict: false })
    .of(tenantId, sessionId, position);
  const under = (parentId: string): readonly Descendant[] =>
    found
      .filter((child) => child.parentId === parentId && child.edge !== 'fork')
      .sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1))
      .flatMap((child) => [child, ...under(child.sessionId)]);
  return under(sessionId);
}
