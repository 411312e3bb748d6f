import type { AgentProfile } from '../../domain/events/session-events.js';
import { ToolBody } from '../dto/tool-body.js';
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

export class ParentBody {
  @IdField({ description: 'The parent session.' })
  sessionId: string;

  @ChoiceField({ description: 'Kind of child.', choices: ['subagent', 'continuation'] })
  edge: 'subagent' | 'continuation';

  @IdField({
    description:
      'The tool call that starts this subagent. It needs epoch and claimToken of your claim of the ' +
      'parent, and gives the session its id: one for each call.',
    optional: true,
  })
  spawningCallId?: string;

  @NumberField({
    description: 'Of your claim of the parent: a stale owner starts no session.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  epoch?: number;

  @TextField({
    description: 'The secret that you made for that claim.',
    charactersMin: 16,
    charactersMax: 256,
    optional: true,
  })
  claimToken?: string;

  @FlagField({
    description: 'It goes on when the run that started it is stopped. Default: it stops with it.',
    optional: true,
  })
  detached?: boolean;
}

export class StartSessionBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the spawning call, of the ' +
      'Idempotency-Key, or a new UUID.',
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
    description:
      'auto: a lost run may be recovered by any worker. manual: only when asked for. Default: as ' +
      'the server is configured, auto unless it says otherwise.',
    choices: ['auto', 'manual'],
    optional: true,
  })
  recoveryMode?: 'auto' | 'manual';

  @NestedField({ description: 'Costs flow up to it.', of: () => ParentBody, optional: true })
  parent?: ParentBody;
}
