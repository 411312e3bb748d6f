import {
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetPeriod,
  type BudgetScope,
} from '../../domain/budget/budget.js';
import { parsePico } from '../../domain/money.js';
import { zoneFault } from '../budgets/budget-period.js';
import { CheckedField, ChoiceField } from '../dto/fields.js';

const AMOUNT_CHARACTERS_MAX = 40;
const NAME_CHARACTERS_MAX = 256;

/** What each kind of scope names beside its kind. */
const SCOPE_FIELDS: Readonly<Record<BudgetScope['kind'], readonly string[]>> = {
  tenant: [],
  tree: ['sessionId'],
  session: ['sessionId'],
  run: ['sessionId', 'runId'],
  user: ['user'],
  label: ['name', 'value'],
};

function amount(description: string, optional = false) {
  return {
    description,
    schema: { type: 'string', pattern: '^\\d+(\\.\\d{1,12})?$', example: '25.00' },
    name: 'isAmount',
    faultOf: amountFault,
    optional,
  };
}

export class SetBudgetBody {
  @CheckedField({
    description:
      'Whose model calls count: {"kind": "tenant"}, {"kind": "tree", "sessionId"} (the session and ' +
      'everything below it), {"kind": "session", "sessionId"}, {"kind": "run", "sessionId", "runId"}, ' +
      '{"kind": "user", "user"} (the author of the input that caused the run), or ' +
      '{"kind": "label", "name", "value"}.',
    schema: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: [...BUDGET_SCOPES] } },
      additionalProperties: { type: 'string' },
    },
    name: 'isBudgetScope',
    faultOf: scopeFault,
  })
  scope: BudgetScope;

  @CheckedField(amount('What may be spent, in units of the currency, as text.'))
  amount: string;

  @CheckedField(amount('An event is written when so much is spent; nothing stops.', true))
  warnAt?: string;

  @CheckedField({
    description: 'ISO 4217. Only costs in this currency count.',
    schema: { type: 'string', pattern: '^[A-Z]{3}$' },
    name: 'isCurrency',
    faultOf: (value) =>
      typeof value === 'string' && /^[A-Z]{3}$/.test(value)
        ? undefined
        : 'must be an ISO 4217 code, such as USD',
    optional: true,
  })
  currency: string = 'USD';

  @ChoiceField({
    description: 'none: once and for all. day, month: anew each, of the calendar of `zone`.',
    choices: BUDGET_PERIODS,
    optional: true,
  })
  period: BudgetPeriod = 'none';

  @CheckedField({
    description: 'IANA time zone in which days and months begin.',
    schema: { type: 'string' },
    name: 'isZone',
    faultOf: zoneFault,
    optional: true,
  })
  zone: string = 'UTC';

  @ChoiceField({
    description:
      'What becomes of a call whose price in this currency is not known. deny: refused. allow: let ' +
      'through, counted in `unpricedCalls`.',
    choices: ['deny', 'allow'],
    optional: true,
  })
  onUnpriced: 'deny' | 'allow' = 'deny';
}

export function amountFault(value: unknown): string | undefined {
  const isDecimal =
    typeof value === 'string' &&
    value.length <= AMOUNT_CHARACTERS_MAX &&
    /^\d+(\.\d{1,12})?$/.test(value);
  return isDecimal && parsePico(value) !== undefined
    ? undefined
    : 'must be an amount as text, such as "25.00", with at most 12 decimals';
}

function scopeFault(value: unknown): string | undefined {
  const kinds = `must be an object whose kind is one of ${BUDGET_SCOPES.join(', ')}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return kinds;
  const { kind, ...named } = value as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string' || !Object.hasOwn(SCOPE_FIELDS, kind)) return kinds;
  const wanted = SCOPE_FIELDS[kind as BudgetScope['kind']];
  const isComplete =
    Object.keys(named).length === wanted.length &&
    wanted.every((name) => {
      const text = named[name];
      return typeof text === 'string' && text !== '' && text.length <= NAME_CHARACTERS_MAX;
    });
  if (isComplete) return undefined;
  return `of kind ${kind} must name ${wanted.length === 0 ? 'nothing' : wanted.join(' and ')} as text`;
}
