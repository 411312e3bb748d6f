import { TextField } from '../dto/fields.js';

export class ResumeSessionBody {
  @TextField({ description: 'Why, for the audit.', charactersMax: 4_096, optional: true })
  note?: string;
}
