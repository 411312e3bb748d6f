import type { Principal } from '../principal.js';
import { ApiProperty } from '@nestjs/swagger';
import { QUARANTINE_BUDGETS, type QuarantineBudget } from '../../domain/events/session-events.js';
import type { SessionState } from '../../domain/state.js';
import { SESSION_STATUSES, statusOf } from '../../domain/state.js';
import type { Standing } from '../../commands/restore-session/standing.js';
import { CallView, unresolvedCalls } from './views.js';

export class StandingView implements Standing {
  @ApiProperty({
    enum: [
      'nothing',
      'crash',
      'shutdown',
      'release',
      'import',
      'user',
      'budget',
      'completed',
      'failed',
      'neverStarted',
    ],
    description: 'What ended the last activity; a crash, a shutdown and a stop are told apart.',
  })
  stoppedBy: Standing['stoppedBy'];

  @ApiProperty({ description: 'Whether a worker may claim it now.' })
  mayContinue: boolean;

  @ApiProperty({ description: 'One sentence for people.' })
  why: string;

  @ApiProperty({ required: false })
  heldBy?: string;

  @ApiProperty({ required: false, format: 'date-time' })
  leaseExpiresAt?: string;
}

export class RunView {
  @ApiProperty()
  runId: string;

  @ApiProperty({ enum: ['active', 'interrupted', 'stopping', 'quarantined'] })
  status: string;

  @ApiProperty()
  epoch: number;

  @ApiProperty({ description: 'The worker of the last claim.' })
  workerId: string;

  @ApiProperty()
  modelCalls: number;

  @ApiProperty({ description: 'Charged recovery attempts without settled progress.' })
  recoveryAttempts: number;

  @ApiProperty({
    required: false,
    enum: QUARANTINE_BUDGETS,
    description: 'Of a quarantined run: what it used up.',
  })
  quarantine?: QuarantineBudget;
}

export class PendingInputView {
  @ApiProperty()
  inputId: string;

  @ApiProperty({ enum: ['steer', 'queue'] })
  delivery: string;

  @ApiProperty()
  resume: boolean;

  @ApiProperty()
  author: string;
}

export class SessionView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({ required: false })
  title?: string;

  @ApiProperty({ enum: SESSION_STATUSES })
  status: string;

  @ApiProperty({ type: StandingView })
  standing: StandingView;

  @ApiProperty({ description: 'Newest revision; also the ETag.' })
  revision: number;

  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } })
  labels: Readonly<Record<string, string>>;

  @ApiProperty({ type: Object })
  profile: object;

  @ApiProperty({ enum: ['auto', 'manual'] })
  recoveryMode: string;

  @ApiProperty({ description: 'Made from a foreign log.' })
  imported: boolean;

  @ApiProperty({ required: false, type: Object, description: '{sessionId, edge}' })
  parent?: object;

  @ApiProperty({ type: [String], description: 'The parent first.' })
  ancestors: readonly string[];

  @ApiProperty({
    required: false,
    type: Object,
    description: '{revision, to}: a revert that can still be cleared.',
  })
  revert?: object;

  @ApiProperty({ required: false, type: RunView })
  run?: RunView;

  @ApiProperty({ type: [PendingInputView] })
  pendingInputs: readonly PendingInputView[];

  @ApiProperty({ type: [CallView], description: 'Calls without a known outcome.' })
  unresolved: readonly CallView[];

  @ApiProperty({ type: Object, additionalProperties: { type: 'integer' } })
  counters: object;
}

/** A title can be what a user wrote: it is for those who may read that. */
export function shownTo<View extends { readonly title?: string }>(
  { scopes }: Principal,
  view: View,
): View {
  return scopes.has('content:read') ? view : { ...view, title: undefined };
}

export function sessionView(state: SessionState, standing: Standing): SessionView {
  const { run } = state;
  return {
    sessionId: state.sessionId,
    title: state.title,
    status: statusOf(state),
    standing: { ...standing },
    revision: state.revision,
    labels: state.labels,
    profile: state.profile ?? {},
    recoveryMode: state.recoveryMode,
    imported: state.imported,
    parent: state.parent,
    ancestors: state.ancestors,
    revert: state.revert,
    run: run && {
      runId: run.runId,
      status: run.status,
      epoch: run.epoch,
      workerId: run.workerId,
      modelCalls: run.modelCalls,
      recoveryAttempts: run.recoveryAttempts,
      quarantine: run.quarantine,
    },
    pendingInputs: state.pendingInputs.map(({ inputId, delivery, resume, author }) => ({
      inputId,
      delivery,
      resume,
      author,
    })),
    unresolved: unresolvedCalls(state),
    counters: state.counters,
  };
}
