import type { AgentProfile } from '../../domain/events/session-events.js';
import type { HttpProbe } from '../../domain/http-probe.js';
import type { EffectClass } from '../../domain/tool-manifest.js';
import {
  ChoiceField,
  FlagField,
  IdField,
  JsonField,
  LabelsField,
  NestedField,
  NestedListField,
  NumberField,
  TextField,
} from '../dto/fields.js';
import type { Json } from '../../domain/content.js';

const DAY_MS = 86_400_000;

export class AgentProfileBody implements AgentProfile {
  @TextField({ description: 'Name of the agent program.', charactersMin: 1, charactersMax: 128 })
  name: string;

  @TextField({ description: 'Its version.', charactersMin: 1, charactersMax: 64 })
  version: string;

  @TextField({ description: 'Model provider, as in OTel.', charactersMax: 64, optional: true })
  provider?: string;

  @TextField({ description: 'Model id.', charactersMax: 128, optional: true })
  model?: string;

  @JsonField({ description: 'Settings that reproduce a run. No secrets.', optional: true })
  settings?: Json;
}

export class ToolBody {
  @TextField({
    description: 'The name that the model calls.',
    charactersMin: 1,
    charactersMax: 256,
  })
  name: string;

  @ChoiceField({
    description: 'What a repetition may do. Default: opaqueWrite.',
    choices: ['readOnly', 'keyedWrite', 'queryableWrite', 'opaqueWrite'],
    optional: true,
  })
  effect?: EffectClass;

  @NumberField({ description: 'Hard time limit of one call.', min: 1, max: DAY_MS, optional: true })
  timeoutMs?: number;

  @NumberField({
    description: 'Longest time after the start at which a request can still take effect.',
    min: 1,
    max: 7 * DAY_MS,
    optional: true,
  })
  maxFlightMs?: number;

  @NumberField({
    description: 'keyedWrite: how long the target remembers the operation key.',
    min: 0,
    max: 365 * DAY_MS,
    optional: true,
  })
  keyWindowMs?: number;

  @NumberField({
    description: 'When "not found" proves that nothing happened. Absent: never.',
    min: 0,
    max: 365 * DAY_MS,
    optional: true,
  })
  notFoundIsFinalAfterMs?: number;

  @FlagField({ description: 'The target can be asked for the outcome.', optional: true })
  probe?: boolean;

  @JsonField({
    description:
      'How the server asks the target by itself: {method, urlTemplate, headers?, rules: [{status, ' +
      'pointer?, equals? | in? | exists?, answer}], externalRefPointer?}. See the guide on tools.',
    optional: true,
  })
  httpProbe?: HttpProbe;

  @NumberField({ description: 'Attempts of one call.', min: 1, max: 10, optional: true })
  maxAttempts?: number;

  @ChoiceField({
    description: 'While an outcome is unknown: hold the run, or tell the model and go on.',
    choices: ['hold', 'tell'],
    optional: true,
  })
  onUnknown?: 'hold' | 'tell';

  @FlagField({
    description: 'Skip an equal call while an earlier one has no known outcome.',
    optional: true,
  })
  twinGuard?: boolean;
}

export class ParentBody {
  @IdField({ description: 'The parent session.' })
  sessionId: string;

  @ChoiceField({ description: 'Kind of child.', choices: ['subagent', 'continuation'] })
  edge: 'subagent' | 'continuation';

  @IdField({ description: 'The tool call that spawned a subagent.', optional: true })
  spawningCallId?: string;
}

export class StartSessionBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID.',
    optional: true,
  })
  sessionId?: string;

  @TextField({ description: 'Shown in lists.', charactersMax: 256, optional: true })
  title?: string;

  @LabelsField({ description: 'For filters and cost reports. Nothing personal.', optional: true })
  labels: Record<string, string> = {};

  @NestedField({
    description: 'Which agent runs here.',
    of: () => AgentProfileBody,
    optional: true,
  })
  profile: AgentProfileBody = Object.assign(new AgentProfileBody(), {
    name: 'agent',
    version: '0',
  });

  @NestedListField({
    description: 'What the tools promise. A tool nobody describes is an opaqueWrite.',
    of: () => ToolBody,
    itemsMax: 256,
    optional: true,
  })
  tools: ToolBody[] = [];

  @ChoiceField({
    description: 'auto: a lost run may be recovered by any worker. manual: only when asked for.',
    choices: ['auto', 'manual'],
    optional: true,
  })
  recoveryMode: 'auto' | 'manual' = 'auto';

  @NestedField({ description: 'Costs flow up to it.', of: () => ParentBody, optional: true })
  parent?: ParentBody;
}
