import { describe, expect, it } from '@jest/globals';
import { problem } from './problem.js';

describe('a problem', () => {
  it('can be worth another try by its facts, where its code alone does not say so', () => {
    expect(problem('limit_exceeded', 'too long').retryable).toBe(false);
    expect(problem('limit_exceeded', 'too many wait', { retryable: true }).retryable).toBe(true);
    expect(problem('version_conflict', 'again').retryable).toBe(true);
  });
});
