import { TextField } from '../dto/fields.js';

export class LowerToolCallBody {
  @TextField({ description: 'Why.', charactersMax: 4_096, optional: true })
  note?: string;
}
