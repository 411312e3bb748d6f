import { type RequestFault, unknownField } from './faults.js';

export type BodyClass<Body extends object = object> = new () => Body;

type Fields = Readonly<Record<string, unknown>>;
type Nested = ReadonlyMap<string, () => BodyClass>;

const nestedOf = new Map<object, Map<string, () => BodyClass>>();

/** Names the class of a nested body, or of each body in a list, where the field is declared. */
export function nestedBody(of: () => BodyClass): PropertyDecorator {
  return (prototype, name) => {
    const known = nestedOf.get(prototype) ?? new Map<string, () => BodyClass>();
    nestedOf.set(prototype, known.set(String(name), of));
  };
}

/** A validator asks an object for its class by this name: a body must not have it of its own. */
const CLASS_KEY = 'constructor';

/**
 * The fields as an instance of their class, nested bodies as instances of theirs. Every other value
 * stays the very value that was sent: it is data, whatever its keys are called.
 * @param faults gets the fields that cannot even be held against a declaration.
 */
export function bodyOf<Body extends object>(
  bodyClass: BodyClass<Body>,
  fields: Fields,
  at: string,
  faults: RequestFault[],
): Body {
  const body = new bodyClass();
  const nested = nestedIn(bodyClass);
  for (const [name, value] of Object.entries(fields)) {
    const place = at === '' ? name : `${at}.${name}`;
    if (name === CLASS_KEY || name === '__proto__') {
      faults.push({ at: place, message: unknownField(name, body) });
      continue;
    }
    const of = nested.get(name);
    (body as Record<string, unknown>)[name] =
      of === undefined ? value : nestedValue(of(), value, place, faults);
  }
  return body;
}

function nestedIn(bodyClass: BodyClass): Nested {
  const found = new Map<string, () => BodyClass>();
  for (let level: object | null = bodyClass.prototype as object; level !== null;) {
    for (const [name, of] of nestedOf.get(level) ?? []) if (!found.has(name)) found.set(name, of);
    level = Object.getPrototypeOf(level) as object | null;
  }
  return found;
}

function nestedValue(of: BodyClass, value: unknown, at: string, faults: RequestFault[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return bodyOf(of, value as Fields, at, faults);
  return value.map((item, index): unknown => nestedValue(of, item, `${at}.${index}`, faults));
}
