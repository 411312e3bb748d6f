import type { SessionEventType } from '../events.js';

/** A path from an event's data to a value; `*` stands for each element of a list. */
export type ContentPath = readonly string[];

/** What stands in a content's place once nobody can read it; undefined: nothing does. */
export type Placeholder = '' | readonly [] | Readonly<Record<string, never>> | undefined;

export interface ContentField {
  readonly path: ContentPath;
  readonly erased: Placeholder;
}

function field(path: string, erased?: Placeholder): ContentField {
  return { path: path.split('.'), erased };
}

const RESULT = [field('result.content', ''), field('result.details')];

/**
 * The fields that hold content, in the order in which they are sealed: those that are marked `*`
 * where the events are declared. Everything else is readable without a key, for ever.
 */
export const CONTENT_FIELDS: Readonly<Partial<Record<SessionEventType, readonly ContentField[]>>> =
  {
    SessionStarted: [field('title')],
    Forked: [field('title')],
    FactsRecorded: [field('facts.*.text', '')],
    SessionResumed: [field('note')],
    ImportedRecordKept: [field('excerpt')],
    InputAccepted: [field('content', [])],
    StopRequested: [field('note')],
    RunFailed: [field('message', '')],
    AssistantMessageRecorded: [field('blocks', [])],
    ModelCallSettled: [field('error')],
    ToolCallRequested: [field('args'), field('argsText')],
    ToolApprovalDecided: [field('note')],
    ToolEffectLowered: [field('note')],
    ToolCallProgressed: [field('externalRef'), field('note')],
    ToolResultRecorded: [...RESULT, field('externalRef')],
    ToolProbeRecorded: [field('evidence.externalRef'), field('evidence.excerpt')],
    ToolEscalationDecided: [field('note')],
    ToolCompensationRequested: [field('args', {})],
    ToolLateResultReceived: RESULT,
    InheritedOutcomeRecorded: RESULT,
    ToolConflictDetected: [field('detail')],
    Compacted: [field('summary', ''), field('native.blocks', []), field('omissions.*.text', '')],
    CompactionFailed: [field('detail')],
  };
