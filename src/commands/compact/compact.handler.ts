import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { summaryOf } from '../../context/user-words.js';
import { type CompactionRange, compactionRange } from '../../context/compaction-range.js';
import { canonicalJson } from '../../context/canonical-json.js';
import type { ContextSource } from '../../context/context-source.js';
import { type Omissions, omissionsOf } from '../../context/omission-check.js';
import { tokensOf } from '../../context/token-estimate.js';
import { Rejection } from '../../domain/rejection.js';
import { HistoryReader } from '../../history/history-reader.js';
import type { CommandScope } from '../command-scope.js';
import { fenceOf } from '../dto/owned-body.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { madeId } from '../made-id.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type {
  CommitCompactionBody,
  FailCompactionBody,
  StartCompactionBody,
} from './compact.dto.js';

const KEEP_GROUPS_DEFAULT = 4;

export interface StartedCompaction extends HandledCommand {
  /** Absent when the compaction has ended already. */
  readonly range?: CompactionRange;
}

export class StartCompaction extends Command<StartedCompaction> {
  constructor(
    readonly scope: CommandScope,
    readonly body: StartCompactionBody,
  ) {
    super();
  }
}

/** Chooses the range and makes it durable; the summary is written against exactly this range. */
@CommandHandler(StartCompaction)
export class StartCompactionHandler implements ICommandHandler<StartCompaction, StartedCompaction> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly history: HistoryReader,
  ) {}

  async execute({ scope, body }: StartCompaction): Promise<StartedCompaction> {
    const compactionId = body.compactionId ?? madeId(scope, 'compaction');
    const range = await this.rangeFor(scope, compactionId, body);
    const handled = await this.handling.handle(scope, (context) => [
      {
        type: 'StartCompaction',
        ...identityOf(context, compactionId, { ...body, claimToken: undefined }),
        fence: fenceOf(body),
        compactionId,
        trigger: body.trigger,
        ...positionsOf(range),
      },
    ]);
    const isOpen = handled.state.compaction?.compactionId === compactionId;
    return isOpen ? { ...handled, range } : handled;
  }

  /** Of a compaction that is open already: the range that it was started for. */
  private async rangeFor(
    scope: CommandScope,
    compactionId: string,
    body: StartCompactionBody,
  ): Promise<CompactionRange | undefined> {
    const { state, source } = await this.history.read(scope.tenantId, scope.sessionId);
    const { keepTokens, withinTurn } = body;
    const keepGroups =
      body.keepGroups ?? (keepTokens === undefined ? KEEP_GROUPS_DEFAULT : undefined);
    const open = state.compaction;
    const range =
      open?.compactionId === compactionId
        ? compactionRange(source, { keptFrom: open.keptFrom })
        : compactionRange(source, { keepTokens, keepGroups, withinTurn });
    return range === 'nothing_to_compact' ? undefined : range;
  }
}

function positionsOf(range: CompactionRange | undefined) {
  if (range === undefined) return {};
  const { coveredFrom, coveredTo, keptFrom, tokensBefore } = range;
  return { coveredFrom, coveredTo, keptFrom, tokensBefore };
}

interface OfCompaction<Body> {
  readonly compactionId: string;
  readonly body: Body;
}

export class CommitCompaction extends SessionRequest<OfCompaction<CommitCompactionBody>> {}

@CommandHandler(CommitCompaction)
export class CommitCompactionHandler implements ICommandHandler<CommitCompaction, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly history: HistoryReader,
  ) {}

  async execute({
    scope,
    body: { compactionId, body },
  }: CommitCompaction): Promise<HandledCommand> {
    const { covered, source } = await this.coveredRange(scope, compactionId);
    const summary = covered === undefined ? (body.summary ?? '') : summaryOf(covered, body.summary);
    const missing = covered && omissionsOf(covered, source, summary);
    const handled = await this.handling.handle(scope, (context) => [
      {
        type: 'CommitCompaction',
        ...identityOf(context, `commit:${compactionId}`, {
          compactionId,
          ...body,
          claimToken: undefined,
        }),
        fence: fenceOf(body),
        compactionId,
        summary,
        native: body.native,
        openCalls: covered?.openCalls ?? [],
        sourceHash: covered && context.hash(canonicalJson(covered.text)),
        tokensAfter: covered && covered.tokensKept + tokensOf(summary),
        modelCallId: body.modelCallId,
        ...listed(missing),
        trigger: 'auto',
      },
    ]);
    const failed = handled.events.find((event) => event.type === 'CompactionFailed');
    if (failed === undefined) return handled;
    throw new Rejection('nothing_to_compact', 'the summary frees too little; it had no effect', {
      ...failed.data,
    });
  }

  /** The range as it was when it was chosen; later inputs do not move it. */
  private async coveredRange(
    scope: CommandScope,
    compactionId: string,
  ): Promise<{ readonly covered?: CompactionRange; readonly source: ContextSource }> {
    const { state, source } = await this.history.read(scope.tenantId, scope.sessionId);
    if (state.compaction?.compactionId !== compactionId) return { source };
    const { keptFrom } = state.compaction;
    const range = compactionRange(source, { keptFrom });
    return range === 'nothing_to_compact' ? { source } : { covered: range, source };
  }
}

/** For the log only kind and words: who said it can be found by them. */
function listed(missing: Omissions | undefined) {
  if (missing === undefined) return {};
  const omissions = missing.entries.map(({ kind, text }) => ({ kind, text }));
  return { omissions, omissionsCut: missing.cut };
}

export class FailCompaction extends SessionRequest<OfCompaction<FailCompactionBody>> {}

const failCompaction: ToSessionCommands<OfCompaction<FailCompactionBody>> = (
  { compactionId, body },
  context,
) => [
  {
    type: 'FailCompaction',
    ...identityOf(context, `fail:${compactionId}`, { compactionId, detail: body.detail }),
    fence: fenceOf(body),
    compactionId,
    detail: body.detail,
  },
];

export const FailCompactionHandler = handlerOf(FailCompaction, failCompaction);
