import { KNOWN_RULES } from '../../redaction/redaction-rules.js';
import { PatternError, compilePattern } from '../../redaction/tenant-patterns.js';
import { CheckedField, ChoiceField, FlagField, NestedListField } from '../dto/fields.js';

export const PATTERNS_MAX = 50;
export const PATTERN_CHARACTERS_MAX = 500;

export class RedactionPatternBody {
  @CheckedField({
    description: 'Stands in the mask. No name of a built-in rule.',
    schema: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,39}$' },
    name: 'isPatternName',
    faultOf: nameFault,
  })
  name: string;

  @CheckedField({
    description:
      'What to mask, in the syntax of RE2: no look-around, no back-references, so that it takes ' +
      'linear time on any text.',
    example: 'EMP-[0-9]{6}',
    schema: { type: 'string', minLength: 1, maxLength: PATTERN_CHARACTERS_MAX },
    name: 'isLinearPattern',
    faultOf: patternFault,
  })
  pattern: string;

  @FlagField({ description: 'Whether case makes no difference.', optional: true })
  ignoreCase?: boolean;
}

export class RedactionPolicyBody {
  @ChoiceField({
    description:
      'Long random tokens next to words such as password, of no known form: flag only notes them, ' +
      'mask takes them out. A wrong mask destroys what a session says.',
    choices: ['flag', 'mask'],
    optional: true,
  })
  entropy: 'flag' | 'mask' = 'flag';

  @NestedListField({
    description: "Secrets of the tenant's own kinds; these are all that hold from then on.",
    of: () => RedactionPatternBody,
    itemsMax: PATTERNS_MAX,
  })
  patterns: RedactionPatternBody[];
}

function nameFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(value)) {
    return 'must be 1 to 40 small letters, digits and dashes';
  }
  return KNOWN_RULES.includes(value) ? 'is the name of a built-in rule' : undefined;
}

function patternFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (value.length === 0 || value.length > PATTERN_CHARACTERS_MAX) {
    return `must have 1 to ${PATTERN_CHARACTERS_MAX} characters`;
  }
  try {
    compilePattern({ name: '', pattern: value });
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return `is no pattern that can be used: ${error.message}`;
    throw error;
  }
}
