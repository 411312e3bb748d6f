import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import { openRun, ownedRun, refuseForeignId } from './guards.js';
import type { Past } from './past.js';
import { Rejection } from './rejection.js';
import type { OpenCompaction, SessionState } from './state.js';

/** A compaction frees at least this share of the estimated input, or it was not worth its loss. */
export const COMPACTION_FREES_AT_LEAST = 0.1;
export const SUMMARY_CHARACTERS_MAX = 200_000;

/** One at a time, and never directly after a completed one. */
export function startCompaction(
  command: CommandOf<'StartCompaction'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const run = ownedRun(state, command.fence);
  refuseForeignId(command.compactionId, 'compaction', past);
  if (state.compaction !== undefined) {
    throw new Rejection('compaction_open', `compaction ${state.compaction.compactionId} is open`, {
      compactionId: state.compaction.compactionId,
    });
  }
  if (state.compactedSinceModelCall) {
    throw new Rejection(
      'nothing_to_compact',
      'the last compaction has not been used by a model call yet',
    );
  }
  const { compactionId, coveredFrom, coveredTo, keptFrom, trigger, tokensBefore } = command;
  if (coveredFrom === undefined || coveredTo === undefined || keptFrom === undefined) {
    throw new Rejection(
      'nothing_to_compact',
      'no part of the conversation can be covered: keep less, or allow withinTurn',
    );
  }
  return [
    {
      type: 'CompactionStarted',
      data: {
        compactionId,
        runId: run.runId,
        epoch: run.epoch,
        coveredFrom,
        coveredTo,
        keptFrom,
        trigger,
        tokensBefore,
      },
    },
  ];
}

export function commitCompaction(
  command: CommandOf<'CommitCompaction'>,
  state: SessionState,
): readonly SessionEvent[] {
  ownedRun(state, command.fence);
  const open = openCompaction(command.compactionId, state);
  const { summary, native, openCalls, sourceHash, tokensAfter, modelCallId, trigger } = command;
  const { omissions, omissionsCut } = command;
  if (freesTooLittle(open, tokensAfter)) {
    return [failed(open, 'freedTooLittle', `${open.tokensBefore} to ${tokensAfter} tokens`)];
  }
  return [
    {
      type: 'Compacted',
      data: {
        compactionId: open.compactionId,
        summary,
        native,
        coveredFrom: open.coveredFrom,
        coveredTo: open.coveredTo,
        keptFrom: open.keptFrom,
        sourceHash,
        openCalls,
        trigger,
        tokensBefore: open.tokensBefore,
        tokensAfter,
        modelCallId,
        omissions,
        omissionsCut,
      },
    },
  ];
}

function freesTooLittle(open: OpenCompaction, tokensAfter: number | undefined): boolean {
  if (open.tokensBefore === undefined || tokensAfter === undefined) return false;
  return tokensAfter > open.tokensBefore * (1 - COMPACTION_FREES_AT_LEAST);
}

export function failCompaction(
  command: CommandOf<'FailCompaction'>,
  state: SessionState,
): readonly SessionEvent[] {
  openRun(state, command.fence);
  return [failed(openCompaction(command.compactionId, state), 'workerError', command.detail)];
}

function openCompaction(compactionId: string, state: SessionState): OpenCompaction {
  if (state.compaction?.compactionId !== compactionId) {
    throw new Rejection('not_found', `compaction ${compactionId} is not open`, {
      openCompaction: state.compaction?.compactionId,
    });
  }
  return state.compaction;
}

function failed(
  open: OpenCompaction,
  reason: 'workerError' | 'freedTooLittle',
  detail: string | undefined,
): SessionEvent {
  return { type: 'CompactionFailed', data: { compactionId: open.compactionId, reason, detail } };
}
