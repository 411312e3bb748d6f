import { FlagField, TextField } from '../dto/fields.js';

export class StopRunBody {
  @TextField({ description: 'Why, for the audit.', charactersMax: 4_096, optional: true })
  note?: string;

  @FlagField({ description: 'Also drop the inputs that are waiting.', optional: true })
  dropPendingInputs: boolean = false;
}
