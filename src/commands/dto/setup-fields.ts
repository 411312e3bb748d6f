import { FlagField, TextField, TextListField } from './fields.js';

/** What a worker says of itself with a claim: each class that is a claim has these. */
export const ProfileVersionField = (): PropertyDecorator =>
  TextField({
    description: 'Version of your agent program. A difference from the last claim is reported.',
    charactersMin: 1,
    charactersMax: 128,
    optional: true,
  });

export const ToolNamesField = (): PropertyDecorator =>
  TextListField({
    description: 'The tools that you can call: no other gets a permit. Default: any.',
    itemsMax: 1_000,
    charactersMax: 256,
    optional: true,
  });

export const ConfirmField = (): PropertyDecorator =>
  FlagField({
    description: 'Go on although tools of open calls are missing or promise something else.',
    optional: true,
  });
