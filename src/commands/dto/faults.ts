import { type ValidationError, getMetadataStorage } from 'class-validator';

/** What is wrong with a request, where. */
export interface RequestFault {
  readonly at: string;
  readonly message: string;
}

const WHITELISTED = /^property \S+ should not exist$/;

/** Every fault of a validated body, nested ones by their path. */
export function faultsOf(errors: readonly ValidationError[], prefix = ''): readonly RequestFault[] {
  return errors.flatMap((error) => {
    const at = prefix === '' ? error.property : `${prefix}.${error.property}`;
    const own = Object.values(error.constraints ?? {}).map((message) => ({
      at,
      message: WHITELISTED.test(message) ? unknownField(error.property, error.target) : message,
    }));
    return [...own, ...faultsOf(error.children ?? [], at)];
  });
}

/** @param body of the class that does not declare the field. */
export function unknownField(name: string, body: object | undefined): string {
  const declared = body === undefined ? [] : declarationsOf(body);
  const allowed = [...new Set(declared.map(({ propertyName }) => propertyName))];
  return allowed.length === 0
    ? `unknown field ${name}: none is allowed here`
    : `unknown field ${name}; allowed: ${allowed.join(', ')}`;
}

function declarationsOf(body: object) {
  const { constructor } = Object.getPrototypeOf(body) as object;
  return getMetadataStorage().getTargetValidationMetadatas(constructor, '', false, false);
}
