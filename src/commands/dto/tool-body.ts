import type { HttpProbe, VoidRequest } from '../../domain/http-probe.js';
import type { KeyField } from '../../domain/key-field.js';
import type { EffectClass } from '../../domain/tool-manifest.js';
import { RedactionPatternBody } from '../redaction/redaction-policy.dto.js';
import {
  ChoiceField,
  FlagField,
  JsonField,
  NestedListField,
  NumberField,
  TextField,
} from './fields.js';

const DAY_MS = 86_400_000;
const TOOL_PATTERNS_MAX = 20;

/** What a tool promises, as a session declares it or a tenant registers it. */
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

  @JsonField({
    description:
      'Where the worker puts the operation key: {header: "Idempotency-Key"} or {body: "/key"}, a ' +
      'JSON pointer. Every keyedWrite says so; the permit repeats it.',
    optional: true,
  })
  keyField?: KeyField;

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
      'pointer?, equals? | in? | exists?, answer}], externalRefPointer?, graphql?}. See the guide on ' +
      'tools.',
    optional: true,
  })
  httpProbe?: HttpProbe;

  @TextField({
    description:
      'Instead of httpProbe: the name of a probe that the program around Holdfast has given it.',
    charactersMin: 1,
    charactersMax: 128,
    optional: true,
  })
  namedProbe?: string;

  @JsonField({
    description:
      'How the server makes an operation key unusable: {method, urlTemplate, headers?, voidedStatus}.',
    optional: true,
  })
  voidByKey?: VoidRequest;

  @NumberField({ description: 'Attempts of one call.', min: 1, max: 10, optional: true })
  maxAttempts?: number;

  @NumberField({
    description: 'Status queries of one call.',
    min: 1,
    max: 100,
    optional: true,
  })
  maxProbes?: number;

  @FlagField({
    description:
      'After "it did not happen": try again, or only tell the model. Default: try again.',
    optional: true,
  })
  retryWhenNotApplied?: boolean;

  @TextField({
    description:
      'The keyedWrite that undoes it, and does nothing where there is nothing to undo: a person ' +
      'can order it when the outcome is unknown.',
    charactersMin: 1,
    charactersMax: 256,
    optional: true,
  })
  compensate?: string;

  @FlagField({
    description:
      'Undo what a run has done with it, without being asked, when that run fails. Default: only ' +
      'people order it.',
    optional: true,
  })
  compensateWhenRunFails?: boolean;

  @TextField({
    description:
      'Who must allow each call before its first attempt, within escalationDueMs. Absent: nobody.',
    charactersMin: 1,
    charactersMax: 128,
    optional: true,
  })
  approval?: string;

  @TextField({
    description: 'Who is asked when nobody else can tell. Default: operator.',
    charactersMin: 1,
    charactersMax: 128,
    optional: true,
  })
  escalateTo?: string;

  @NumberField({
    description: 'How long that person has.',
    min: 1_000,
    max: 90 * DAY_MS,
    optional: true,
  })
  escalationDueMs?: number;

  @ChoiceField({
    description: 'While an outcome is unknown: hold the run, or tell the model and go on.',
    choices: ['hold', 'tell'],
    optional: true,
  })
  onUnknown?: 'hold' | 'tell';

  @NumberField({
    description: 'Larger results are refused. Default: 8 MiB.',
    min: 1,
    max: 64 * 1024 * 1024,
    optional: true,
  })
  resultBytesMax?: number;

  @NestedListField({
    description:
      'Masked in its arguments, results and evidence, and in the messages that call it, beyond what ' +
      'is masked everywhere: see the guide on secrets.',
    of: () => RedactionPatternBody,
    itemsMax: TOOL_PATTERNS_MAX,
    optional: true,
  })
  redact?: readonly RedactionPatternBody[];

  @FlagField({
    description: 'Skip an equal call while an earlier one has no known outcome.',
    optional: true,
  })
  twinGuard?: boolean;
}
