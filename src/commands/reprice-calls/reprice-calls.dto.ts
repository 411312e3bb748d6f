import { CheckedField, FlagField, IdField, TextField } from '../dto/fields.js';
import { instantFault } from '../quote-prices/quote-prices.dto.js';

const instant = {
  schema: { type: 'string', format: 'date-time' },
  name: 'isInstant',
  faultOf: instantFault,
  optional: true,
};

export class RepriceCallsBody {
  @IdField({
    description: 'Names this re-pricing in the events. The same one again goes on where it ended.',
  })
  repricingId: string;

  @TextField({
    description: 'Why; it is kept with every call that changes.',
    charactersMin: 1,
    charactersMax: 1_024,
  })
  reason: string;

  @IdField({ description: 'Only this session. Default: all.', optional: true })
  sessionId?: string;

  @FlagField({ description: 'With `sessionId`: also all sessions below it.', optional: true })
  tree: boolean = false;

  @TextField({ description: 'Only of this provider.', charactersMax: 64, optional: true })
  provider?: string;

  @TextField({ description: 'Only of this model, exactly.', charactersMax: 128, optional: true })
  model?: string;

  @TextField({ description: 'Only what this card priced.', charactersMax: 256, optional: true })
  cardId?: string;

  @CheckedField({ description: 'Only calls that started then or later.', ...instant })
  from?: string;

  @CheckedField({ description: 'Only calls that started before.', ...instant })
  to?: string;

  @FlagField({ description: 'Only calls that have no price.', optional: true })
  unpricedOnly: boolean = false;

  @FlagField({ description: 'Only say what would change.', optional: true })
  dryRun: boolean = false;

  @CheckedField({
    description: 'To go on: `next` of the answer before.',
    schema: { type: 'string', pattern: '^\\d{1,20}$' },
    name: 'isPosition',
    faultOf: (value) =>
      typeof value === 'string' && /^\d{1,20}$/.test(value)
        ? undefined
        : 'must be `next` of the answer before',
    optional: true,
  })
  after?: string;
}
