import { describe, expect, it } from '@jest/globals';
import { keyFieldFaults } from './key-field.js';

describe('where the operation key goes', () => {
  it.each([[{ header: 'Idempotency-Key' }], [{ body: '/metadata/request_id' }]])(
    'can be %j',
    (keyField) => {
      expect(keyFieldFaults('keyedWrite', keyField)).toEqual([]);
    },
  );

  it.each([
    [{ header: 'two words' }],
    [{ body: 'request_id' }],
    [{ header: 'A', body: '/b' }],
    [{}],
    ['Idempotency-Key'],
    [null],
  ])('cannot be %j', (keyField) => {
    expect(keyFieldFaults('keyedWrite', keyField)).toHaveLength(1);
  });

  it('has to be said of every keyed write, may be of other writes, and never of a read', () => {
    expect(keyFieldFaults('keyedWrite', undefined)).toHaveLength(1);
    expect(keyFieldFaults('queryableWrite', undefined)).toEqual([]);
    expect(keyFieldFaults('queryableWrite', { header: 'X-Key' })).toEqual([]);
    expect(keyFieldFaults('readOnly', { header: 'X-Key' })).toHaveLength(1);
  });
});
