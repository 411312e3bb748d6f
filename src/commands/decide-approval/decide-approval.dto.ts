import { ChoiceField, TextField } from '../dto/fields.js';

export class DecideApprovalBody {
  @ChoiceField({ description: 'May it be started?', choices: ['allow', 'deny'] })
  decision: 'allow' | 'deny';

  @TextField({ description: 'Why.', charactersMax: 4_096, optional: true })
  note?: string;
}
