import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { AcceptInputBody } from '../accept-input/accept-input.dto.js';
import { FailRunBody } from '../end-run/end-run.dto.js';
import { RecordToolResultBody } from '../record-tool-result/owned-tool-result.dto.js';
import { SettleModelCallBody } from '../settle-model-call/settle-model-call.dto.js';
import { StartModelCallBody } from '../start-model-call/start-model-call.dto.js';
import { StartSessionBody } from '../start-session/start-session.dto.js';
import { checkedBody } from './checked-body.js';
import { quickCheckOf } from './quick-check.js';

const owner = { epoch: 3, claimToken: 'a token of the claim' };

/** Valid fields, and values that may stand in their place. */
const bodies = [
  { of: AcceptInputBody, valid: { inputId: 'i1', content: 'hello', delivery: 'steer' } },
  { of: StartModelCallBody, valid: { ...owner, modelCallId: 'm1', delivers: ['i1', 'i2'] } },
  { of: RecordToolResultBody, valid: { ...owner, content: 'done', details: { a: [1, null] } } },
  { of: SettleModelCallBody, valid: { ...owner, message: [{ type: 'text', text: 'yes' }] } },
  { of: FailRunBody, valid: { ...owner, errorClass: 'Timeout', message: 'it took too long' } },
] as const;
const strange = [undefined, null, '', 'x'.repeat(200), -1, 1.5, true, [], ['i1', 7], {}, 'no such'];

describe('checkedBody', () => {
  it.each(bodies)('judges $of.name as class-validator does', ({ of, valid }) => {
    const name = fc.constantFrom(...Object.keys(new of()), ...Object.keys(valid), 'noSuchField');
    const change = fc.tuple(name, fc.constantFrom(...strange));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
        const fields = { ...valid, ...Object.fromEntries(changes) };
        const body = plainToInstance<object, object>(of, fields);
        const errors = validateSync(body, { whitelist: true, forbidNonWhitelisted: true });
        const checked = checkedBody<object>(of, fields);
        expect(checked.faults.length > 0).toBe(errors.length > 0);
        expect(withoutIds(checked.body)).toEqual(withoutIds(body));
      }),
    );
  });

  it.each(bodies)('takes a valid $of.name without class-validator', ({ of, valid }) => {
    expect(quickCheckOf<object>(of)(valid)).toBeInstanceOf(of);
  });

  it('says where the fault is, in the words of the declaration', () => {
    const { faults } = checkedBody(FailRunBody, { ...owner, epoch: 'x', message: 'm' }, 'steps.2');
    expect(faults.map(({ at }) => at)).toEqual(expect.arrayContaining(['steps.2.epoch']));
    expect(faults.map(({ message }) => message).join()).toContain('epoch must be an integer');
  });

  it('refuses a field that is not declared, also one that would change the prototype', () => {
    const fields = JSON.parse('{"content":"x","__proto__":{"polluted":true}}') as object;
    const { body } = checkedBody(AcceptInputBody, { ...fields });
    expect(Object.getPrototypeOf(body)).toBe(AcceptInputBody.prototype);
    expect(checkedBody(AcceptInputBody, { content: 'x', noSuchField: 1 }).faults).toEqual([
      {
        at: 'noSuchField',
        message: expect.stringMatching(/^unknown field noSuchField; allowed: .*\bcontent\b/),
      },
    ]);
  });

  it('leaves a class with nested bodies to class-validator', () => {
    expect(quickCheckOf(StartSessionBody)({ title: 'x' })).toBeUndefined();
    const { faults } = checkedBody(StartSessionBody, { profile: { name: 7 } });
    expect(faults[0]?.at).toMatch(/^profile\.(name|version)$/);
  });
});

/** Default ids are random. */
function withoutIds(body: object): Record<string, unknown> {
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => !(typeof value === 'string' && uuid.test(value))),
  );
}
