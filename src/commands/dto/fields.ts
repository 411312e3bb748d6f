import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { LABELS_MAX } from '../../domain/labels.js';
import { type BodyClass, nestedBody } from './body-of.js';
import { documented } from './documented-fields.js';
import { jsonFault } from './json-value.js';

/**
 * Request fields: one decorator says what a field means, what is allowed, and how the API document
 * shows it, so that the three cannot drift apart.
 */
interface FieldOptions {
  readonly description: string;
  readonly optional?: boolean;
  readonly example?: unknown;
}

export const ID_CHARACTERS_MAX = 128;
/** Ids are part of stream names and addresses: letters, digits and a few marks only. */
const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~:@-]*$/;

export function IdField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: String, maxLength: ID_CHARACTERS_MAX, pattern: ID_PATTERN.source },
    IsString(),
    Length(1, ID_CHARACTERS_MAX),
    Matches(ID_PATTERN, {
      message: '$property must begin with a letter or digit and use only A-Z a-z 0-9 . _ ~ : @ -',
    }),
  );
}

export function TextField(
  options: FieldOptions & { readonly charactersMax: number; readonly charactersMin?: number },
): PropertyDecorator {
  const { charactersMax, charactersMin = 0 } = options;
  return field(
    options,
    { type: String, minLength: charactersMin, maxLength: charactersMax },
    IsString(),
    Length(charactersMin, charactersMax),
  );
}

export function NumberField(
  options: FieldOptions & { readonly min: number; readonly max: number },
): PropertyDecorator {
  const { min, max } = options;
  return field(
    options,
    { type: 'integer', minimum: min, maximum: max },
    IsInt({ message: ({ value }) => wholeNumberFault(value, min, max) }),
    Min(min),
    Max(max),
  );
}

export function FlagField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: Boolean }, IsBoolean());
}

export function ChoiceField(
  options: FieldOptions & { readonly choices: readonly string[] },
): PropertyDecorator {
  return field(options, { type: String, enum: [...options.choices] }, IsIn([...options.choices]));
}

/** At least one of the choices. */
export function ChoiceListField(
  options: FieldOptions & { readonly choices: readonly string[] },
): PropertyDecorator {
  const choices = [...options.choices];
  return field(
    options,
    { enum: choices, isArray: true, minItems: 1, maxItems: choices.length },
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(choices.length),
    IsIn(choices, { each: true }),
  );
}

export function TimeField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: String, format: 'date-time' }, IsDateString());
}

export function NestedField(
  options: FieldOptions & { readonly of: () => BodyClass },
): PropertyDecorator {
  const { of } = options;
  return field(options, { type: () => of() }, ValidateNested(), isObject(), nestedBody(of));
}

export function NestedListField(
  options: FieldOptions & { readonly of: () => BodyClass; readonly itemsMax: number },
): PropertyDecorator {
  const { of, itemsMax } = options;
  return field(
    options,
    { type: () => of(), isArray: true, maxItems: itemsMax },
    IsArray(),
    ArrayMaxSize(itemsMax),
    // Lists in the list would be looked into, and an empty one has nothing that is wrong.
    IsObject({ each: true }),
    ValidateNested({ each: true }),
    nestedBody(of),
  );
}

export function IdListField(
  options: FieldOptions & { readonly itemsMax: number },
): PropertyDecorator {
  return field(
    options,
    { type: String, isArray: true, maxItems: options.itemsMax },
    IsArray(),
    ArrayMaxSize(options.itemsMax),
    IsString({ each: true }),
    Length(1, ID_CHARACTERS_MAX, { each: true }),
  );
}

export function TextListField(
  options: FieldOptions & { readonly itemsMax: number; readonly charactersMax: number },
): PropertyDecorator {
  const { itemsMax, charactersMax } = options;
  return field(
    options,
    { type: String, isArray: true, maxItems: itemsMax },
    IsArray(),
    ArrayMaxSize(itemsMax),
    IsString({ each: true }),
    MaxLength(charactersMax, { each: true }),
  );
}

/** Any JSON value, at most 64 levels deep. */
export function JsonField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: Object }, checked('isJsonValue', jsonFault));
}

/** Short text values by name. */
export function LabelsField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'object', additionalProperties: { type: 'string', maxLength: 256 } },
    checked('isLabels', labelsFault),
  );
}

/** A field whose shape a function judges: it answers what is wrong, or undefined. */
export function CheckedField(
  options: FieldOptions & {
    readonly schema: Record<string, unknown>;
    readonly faultOf: (value: unknown) => string | undefined;
    readonly name: string;
  },
): PropertyDecorator {
  return field(options, options.schema, checked(options.name, options.faultOf));
}

export function checked(
  name: string,
  faultOf: (value: unknown) => string | undefined,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => faultOf(value) === undefined,
      defaultMessage: (validation) =>
        `${validation?.property ?? 'value'} ${faultOf(validation?.value) ?? 'is not valid'}`,
    },
  });
}

function isObject(): PropertyDecorator {
  return checked('isPlainObject', (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'must be an object',
  );
}

function field(
  { description, optional = false, example }: FieldOptions,
  schema: Record<string, unknown>,
  ...validators: readonly PropertyDecorator[]
): PropertyDecorator {
  const present = optional ? [ValidateIf((_, value) => value !== undefined)] : [];
  return applyDecorators(
    documented({ ...schema, description, required: !optional, example }),
    ...present,
    ...validators,
  );
}

/** Digits that no number holds have become their text: they are a number all the same. */
function wholeNumberFault(value: unknown, min: number, max: number): string {
  if (typeof value !== 'string' || !/^-?\d{16,}$/.test(value)) {
    return '$property must be an integer number';
  }
  return value.startsWith('-')
    ? `$property must not be less than ${min}`
    : `$property must not be greater than ${max}`;
}

function labelsFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object of short texts';
  }
  const entries = Object.entries(value);
  if (entries.length > LABELS_MAX) return `must have at most ${LABELS_MAX} entries`;
  const wrong = entries.find(
    ([name, text]) => name.length > 64 || typeof text !== 'string' || text.length > 256,
  );
  return wrong === undefined
    ? undefined
    : `must have names of at most 64 and texts of at most 256 characters; see "${wrong[0].slice(0, 64)}"`;
}
