import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from './turns.js';

describe('turns', () => {
  it('are taken one after the other, in order, also after a failure', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        seen.push(`${name} begins`);
        await pause(1);
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const taken = ['a', 'b', 'c'].map((name) => turns.take('one', work(name, name === 'b')));
    expect(await Promise.allSettled(taken)).toMatchObject([
      { value: 'a' },
      { reason: new Error('b') },
      { value: 'c' },
    ]);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('of another name are not waited for', async () => {
    const turns = new Turns();
    const never = turns.take('one', () => new Promise(() => undefined));
    expect(await turns.take('other', () => Promise.resolve('done'))).toBe('done');
    expect(await Promise.race([never, Promise.resolve('still waiting')])).toBe('still waiting');
  });
});
