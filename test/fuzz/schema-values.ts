import fc from 'fast-check';
import type { Schema } from '../support/openapi-bodies.js';
import type { KnownSession } from './known-values.js';
import { STEP_KINDS } from '../../src/commands/record-step/steps.js';
import { freeValues } from './free-values.js';

/** Names in requests for what answers call otherwise. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  at: 'revision',
  from: 'revision',
  otherFrom: 'revision',
  atLeast: 'position',
  after: 'next',
  operationKey: 'opKey',
  'If-Match': 'revision',
};
const LONG = 'long '.repeat(2_000);
const HOSTILE: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  "'; DROP TABLE events; --",
  '{"$gt":""}',
  '%00%ff',
  '🏴‍☠️',
  '1e999',
  '-0',
  'NaN',
  'toString',
  'constructor',
  '__proto__',
  LONG,
  0,
  -1,
  0.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[[[]]]],
  { $ref: '#' },
  { toString: 1, constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"admin":true}}'),
];

/** Anything that JSON can say, and what others have stumbled over. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values of a schema, as `session` knows them; `wild` of a hundred are anything else. */
export class SchemaValues {
  constructor(
    private readonly schemas: Readonly<Record<string, Schema>>,
    private readonly session: KnownSession,
    private readonly wild: number,
  ) {}

  of(name: string, given: Schema): fc.Arbitrary<unknown> {
    // A long poll that waits is no slow answer.
    if (this.wild === 0 || name === 'waitMs') return this.right(name, given);
    return fc.oneof(
      { weight: 100 - this.wild, arbitrary: this.right(name, given) },
      { weight: this.wild, arbitrary: hostileValue },
    );
  }

  private right(name: string, given: Schema): fc.Arbitrary<unknown> {
    const known = this.known(name, given);
    const made = this.made(name, given);
    return known === undefined
      ? made
      : fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: made });
  }

  /** A value of this name that the session's answers held. */
  private known(name: string, { type }: Schema): fc.Arbitrary<unknown> | undefined {
    if (name === 'claimToken') return fc.constant(this.session.claimToken);
    if (['sessionId', 'with', 'parentId'].includes(name))
      return fc.constant(this.session.sessionId);
    const knownAs = KNOWN_AS[name] ?? name;
    const newest = this.session.pick(knownAs, 0);
    const isRevision = typeof newest === 'number' && type === 'string' && name !== 'If-Match';
    if (newest === undefined || isRevision) return undefined;
    const index = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(11));
    return index.map((at) => this.session.pick(knownAs, at));
  }

  private made(name: string, given: Schema): fc.Arbitrary<unknown> {
    const free = freeValues[name];
    if (free !== undefined) return free;
    if (name === 'steps' && 'RecordStepBody' in this.schemas)
      return fc.array(this.step(), { minLength: 1, maxLength: 4 });
    const schema = this.resolved(given);
    if (schema.example !== undefined) return fc.constant(schema.example);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) {
      return fc.oneof(...choices.map((each) => this.of(name, each)));
    }
    switch (schema.type) {
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return fc.oneof(
          numberIn({ ...schema, maximum: (schema.minimum ?? 0) + 20 }),
          numberIn(schema),
        );
      case 'array':
        return fc.array(this.of(`one of ${name}`, schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 3, 3),
        });
      case 'object':
        return this.object(schema);
      default:
        return textOf(schema);
    }
  }

  /** A step has the fields of its own route, without the owner's, and names what it is about. */
  private step(): fc.Arbitrary<unknown> {
    const ordinal = fc.integer({ min: 0, max: 2 });
    const call = fc.record({ messageId: this.of('messageId', { type: 'string' }), ordinal });
    const kinds = Object.entries(STEP_KINDS).map(([type, { body, names }]) => {
      const named = { modelCallId: this.of('modelCallId', {}), runId: this.of('runId', {}), call };
      return fc
        .tuple(this.object(this.schemas[body.name]!), fc.record(named))
        .map(([fields, known]) => {
          const { epoch: _, claimToken: __, ...own } = fields as Record<string, unknown>;
          return { type, ...own, ...Object.fromEntries(names.map((each) => [each, known[each]])) };
        });
    });
    return fc.oneof(...kinds);
  }

  private object(schema: Schema): fc.Arbitrary<unknown> {
    const { properties, required = [], additionalProperties } = schema;
    if (properties === undefined) {
      const value = additionalProperties && this.of('additional', additionalProperties);
      return fc.dictionary(fc.string({ maxLength: 12 }), value ?? fc.jsonValue(), { maxKeys: 4 });
    }
    const values = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, this.of(name, property)]),
    );
    const record = fc.record(values, {
      requiredKeys: [...required, ...(values.waitMs ? ['waitMs'] : [])],
    });
    if (this.wild === 0) return record;
    return fc.oneof(
      { weight: 9, arbitrary: record },
      {
        weight: 1,
        arbitrary: fc.record(values, { requiredKeys: values.waitMs ? ['waitMs'] : [] }),
      },
    );
  }

  private resolved(schema: Schema): Schema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    if (reference === undefined) return schema;
    const found = this.schemas[reference.replace(/^.*\//, '')];
    if (found === undefined) throw new Error(`the document has no ${reference}`);
    return found;
  }
}

function numberIn({
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
}: Schema): fc.Arbitrary<number> {
  return fc.integer({ min: minimum, max: Math.min(maximum, Number.MAX_SAFE_INTEGER) });
}

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  if (format === 'date-time') {
    const bounds = {
      min: new Date('2025-01-01'),
      max: new Date('2027-12-31'),
      noInvalidDate: true,
    };
    return fc.date(bounds).map((date) => date.toISOString());
  }
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 40) });
  }
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}
