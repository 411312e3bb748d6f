import type { Command } from 'commander';
import { SESSION_STATUSES } from '../../domain/state.js';
import { print, printJson, say, table } from '../output.js';

interface Options {
  readonly json?: boolean;
  readonly status?: string;
  readonly limit: string;
}

export function addSessions(program: Command): void {
  program
    .command('sessions')
    .description('list the sessions, latest change first')
    .option('--status <status>', SESSION_STATUSES.join(', '))
    .option('--limit <count>', 'how many, 1 to 200', '20')
    .option('--json', 'one JSON object on stdout')
    .action(async (options: Options) => {
      const { currentPosition, withExistingStore } = await import('../local-application.js');
      const { ListSessions } = await import('../../projections/sessions/sessions.query.js');
      const { checkedCount, checkedStatus } = await import('../arguments.js');
      await withExistingStore(async (application) => {
        const { tenantId } = application.scope('');
        const list = await application.queries.execute(
          new ListSessions(
            tenantId,
            { status: checkedStatus(options.status) },
            { limit: checkedCount('--limit', options.limit, 200) },
            { atLeast: await currentPosition(application) },
          ),
        );
        if (options.json) return printJson(list);
        if (list.sessions.length === 0) return say('No sessions yet: try `holdfast demo`.');
        const rows = list.sessions.map((session) => [
          session.sessionId,
          session.quarantine === undefined ? session.status : `quarantined: ${session.quarantine}`,
          session.updatedAt.slice(0, 16).replace('T', ' '),
          session.title ?? '',
        ]);
        print(table([['SESSION', 'STATUS', 'CHANGED (UTC)', 'TITLE'], ...rows]));
        if (list.cursor !== undefined) say('There are more: raise --limit.');
      });
    });
}
