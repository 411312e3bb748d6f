import type { ValidationError } from 'class-validator';

/** What is wrong with a request, where. */
export interface RequestFault {
  readonly at: string;
  readonly message: string;
}

/** Every fault of a validated body, nested ones by their path. */
export function faultsOf(errors: readonly ValidationError[], prefix = ''): readonly RequestFault[] {
  return errors.flatMap((error) => {
    const at = prefix === '' ? error.property : `${prefix}.${error.property}`;
    const own = Object.values(error.constraints ?? {}).map((message) => ({
      at,
      message: message.replace(/^property (\S+) should not exist$/, 'unknown field $1'),
    }));
    return [...own, ...faultsOf(error.children ?? [], at)];
  });
}
