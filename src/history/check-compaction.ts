import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CommandScope } from '../commands/command-scope.js';
import { compactionRange } from '../context/compaction-range.js';
import { summaryOf } from '../context/user-words.js';
import { type Omissions, omissionsOf } from '../context/omission-check.js';
import { Rejection } from '../domain/rejection.js';
import { HistoryReader } from './history-reader.js';

/** What a summary would lose, before it is committed; nothing is written. */
export class CheckCompaction extends Query<Omissions> {
  constructor(
    readonly scope: CommandScope,
    readonly compactionId: string,
    readonly summary: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(CheckCompaction)
export class CheckCompactionHandler implements IQueryHandler<CheckCompaction, Omissions> {
  constructor(private readonly history: HistoryReader) {}

  async execute({ scope, compactionId, summary }: CheckCompaction): Promise<Omissions> {
    const { state, source } = await this.history.read(scope.tenantId, scope.sessionId);
    const open = state.compaction;
    if (open?.compactionId !== compactionId) {
      throw new Rejection('not_found', `compaction ${compactionId} is not open`, {
        openCompaction: open?.compactionId,
      });
    }
    const range = compactionRange(source, { keptFrom: open.keptFrom });
    if (range === 'nothing_to_compact') return { entries: [], cut: 0, unreadCharacters: 0 };
    return omissionsOf(range, source, summaryOf(range, summary));
  }
}
