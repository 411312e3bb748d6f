import {
  CheckedField,
  FlagField,
  TextField,
  TextListField,
  TimeField,
} from '../commands/dto/fields.js';
import { unknownCommands, unknownTypes } from './known-names.js';
import type { AuditFilterText } from '../domain/audit/trail-events.js';

const NAMES_MAX = 50;
const NAME_CHARACTERS_MAX = 128;

function names(description: string): PropertyDecorator {
  const limits = { itemsMax: NAMES_MAX, charactersMax: NAME_CHARACTERS_MAX };
  return TextListField({ description, ...limits, optional: true });
}

/** Names that there are: another one would let nothing through, and nobody would know why. */
function known(
  description: string,
  name: string,
  unknown: (names: readonly string[]) => string | undefined,
): PropertyDecorator {
  const items = { type: 'string', maxLength: NAME_CHARACTERS_MAX };
  return CheckedField({
    description,
    schema: { type: 'array', items, maxItems: NAMES_MAX },
    name,
    faultOf: (value) =>
      Array.isArray(value) && value.length <= NAMES_MAX && value.every(isText)
        ? unknown(value)
        : `must be at most ${NAMES_MAX} names`,
    optional: true,
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export class AuditExportBody {
  @TextField({ description: 'Only what this one has done.', charactersMax: 256, optional: true })
  actor?: string;

  @known('Only what these commands have done.', 'areCommands', unknownCommands)
  commands?: string[];

  @known('Only events of these types.', 'areTypes', unknownTypes)
  types?: string[];

  @names('Only events of these sessions.')
  sessions?: string[];

  @CheckedField({
    description: 'Only of sessions that have this label now: name=value.',
    schema: { type: 'string', maxLength: 321 },
    name: 'isLabelFilter',
    faultOf: (value) =>
      typeof value === 'string' && /^[^=]{1,64}=.{0,256}$/.test(value)
        ? undefined
        : 'must be name=value',
    optional: true,
  })
  label?: string;

  @TimeField({ description: 'Only what was recorded then or later.', optional: true })
  since?: string;

  @TimeField({ description: 'Only what was recorded before.', optional: true })
  until?: string;

  @FlagField({
    description: 'Only denials, exports, keys, settings, and what people decided.',
    optional: true,
  })
  trail?: boolean;

  @FlagField({
    description: 'Only events in which secrets were masked or noted.',
    optional: true,
  })
  redacted?: boolean;

  @FlagField({
    description: 'Apply the rules of now to what was stored earlier; the log is not changed.',
    optional: true,
  })
  redact: boolean = false;
}

export function filterIn(body: AuditExportBody): AuditFilterText {
  const { actor, commands, types, sessions, label, since, until, trail, redacted } = body;
  return { actor, commands, types, sessions, label, since, until, trail, redacted };
}
