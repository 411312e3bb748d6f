import { ValidationTypes, getMetadataStorage } from 'class-validator';

type Fields = Readonly<Record<string, unknown>>;
type BodyClass<Body extends object> = new () => Body;
type ValidationMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** The body when it is certainly valid; undefined when class-validator has to say what is wrong. */
export type QuickCheck<Body> = (fields: Fields) => Body | undefined;

interface FieldCheck {
  readonly conditions: ((body: object, value: unknown) => boolean)[];
  readonly rules: ((body: object, value: unknown) => boolean)[];
}

const compiled = new Map<BodyClass<object>, QuickCheck<object>>();

/**
 * class-validator looks its declarations up, groups and filters them for each body, and prepares an
 * error for each field: that costs more than the rest of a command. Here the same declarations are
 * read once per class, and their own validators are called. Whatever is not plainly valid, and each
 * class with declarations of another kind, is left to class-validator, messages included.
 */
export function quickCheckOf<Body extends object>(bodyClass: BodyClass<Body>): QuickCheck<Body> {
  let check = compiled.get(bodyClass);
  if (check === undefined) {
    check = compile(bodyClass);
    compiled.set(bodyClass, check);
  }
  return check as QuickCheck<Body>;
}

function compile(bodyClass: BodyClass<object>): QuickCheck<object> {
  const declared = getMetadataStorage().getTargetValidationMetadatas(bodyClass, '', false, false);
  if (declared.length === 0 || !declared.every(isPlain)) return () => undefined;
  const fieldChecks = new Map<string, FieldCheck>();
  for (const metadata of declared) {
    const known = fieldChecks.get(metadata.propertyName) ?? { conditions: [], rules: [] };
    fieldChecks.set(metadata.propertyName, known);
    if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) {
      known.conditions.push(conditionOf(metadata));
    } else {
      known.rules.push(ruleOf(metadata, bodyClass.name));
    }
  }
  return (fields) => {
    const body = new bodyClass() as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      if (!fieldChecks.has(name)) return undefined;
      body[name] = fields[name];
    }
    for (const [name, check] of fieldChecks) if (!passes(check, body, body[name])) return undefined;
    return body;
  };
}

/** Nested bodies, groups, per-rule conditions and promises stay with class-validator. */
function isPlain(metadata: ValidationMetadata): boolean {
  if (metadata.groups !== undefined && metadata.groups.length > 0) return false;
  if (metadata.validateIf !== undefined) return false;
  if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) return true;
  const [constraint, ...others] = constraintsOf(metadata);
  return (
    metadata.type === ValidationTypes.CUSTOM_VALIDATION &&
    constraint !== undefined &&
    !constraint.async &&
    others.length === 0
  );
}

function constraintsOf(metadata: ValidationMetadata) {
  return getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
}

function conditionOf({ constraints }: ValidationMetadata) {
  const applies = constraints[0] as (body: object, value: unknown) => unknown;
  return (body: object, value: unknown) => Boolean(applies(body, value));
}

function ruleOf(metadata: ValidationMetadata, targetName: string) {
  const { instance } = constraintsOf(metadata)[0]!;
  const { propertyName: property, constraints, each } = metadata;
  const isValid = (value: unknown, body: object, whole: unknown) =>
    instance.validate(value, { targetName, property, constraints, object: body, value: whole }) ===
    true;
  return (body: object, value: unknown) => {
    if (!each) return isValid(value, body, value);
    if (Array.isArray(value)) return value.every((item) => isValid(item, body, value));
    return !(value instanceof Set || value instanceof Map) && isValid(value, body, value);
  };
}

function passes({ conditions, rules }: FieldCheck, body: object, value: unknown): boolean {
  for (const applies of conditions) if (!applies(body, value)) return true;
  for (const rule of rules) if (!rule(body, value)) return false;
  return true;
}
