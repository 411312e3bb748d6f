import { FACT_KINDS, type FactKind } from '../../domain/content.js';
import { ChoiceField, FlagField, IdField, NestedListField, TextField } from '../dto/fields.js';

export class FactBody {
  @IdField({ description: 'Names the fact; recording it again amends it.' })
  factId: string;

  @ChoiceField({ description: 'What kind of fact.', choices: FACT_KINDS })
  kind: FactKind;

  @TextField({ description: 'Kept word for word.', charactersMin: 1, charactersMax: 8_192 })
  text: string;

  @FlagField({ description: 'The fact holds no longer.', optional: true })
  retired?: boolean;
}

export class RecordFactsBody {
  @NestedListField({ description: 'New and changed facts.', of: () => FactBody, itemsMax: 100 })
  facts: FactBody[];
}
