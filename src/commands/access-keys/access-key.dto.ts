import { roles, type Role } from '../../domain/access/access-scopes.js';
import { ChoiceListField, NumberField, TextField } from '../dto/fields.js';

const NAME_CHARACTERS_MAX = 100;
export const EXPIRES_IN_DAYS_MAX = 365;
export const OVERLAP_HOURS_MAX = 7 * 24;

export class AddAccessKeyBody {
  @TextField({
    description: 'What people call it: the program or the person that gets it.',
    charactersMin: 1,
    charactersMax: NAME_CHARACTERS_MAX,
    example: 'support agents',
  })
  name: string;

  @ChoiceListField({
    description: 'What it may do; the scopes of all its roles together.',
    choices: roles,
  })
  roles: Role[];

  @NumberField({
    description: 'Days until it opens nothing any more.',
    min: 1,
    max: EXPIRES_IN_DAYS_MAX,
    optional: true,
  })
  expiresInDays: number = 90;
}

export class RotateAccessKeyBody {
  @NumberField({
    description: 'Hours for which the old key is good, too; 0: it ends at once.',
    min: 0,
    max: OVERLAP_HOURS_MAX,
    optional: true,
  })
  overlapHours: number = 24;

  @NumberField({
    description: 'Days until the new key opens nothing any more.',
    min: 1,
    max: EXPIRES_IN_DAYS_MAX,
    optional: true,
  })
  expiresInDays: number = 90;
}
