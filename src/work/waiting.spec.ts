import { describe, expect, it } from '@jest/globals';
import { Waiting } from './waiting.js';

const NEVER = new AbortController().signal;
const anything = (): boolean => true;

describe('those who wait', () => {
  it('are served in their order, each once', async () => {
    const waiting = new Waiting<string, string>();
    const places = ['one', 'two'].map((wish) => waiting.add(wish, NEVER));
    const got: string[] = [];
    const get = async (wish: string): Promise<string> => {
      got.push(wish);
      return `for ${wish}`;
    };
    await Promise.all([waiting.serve(anything, get), waiting.serve(anything, get)]);
    await waiting.serve(anything, get);
    expect(got).toEqual(['one', 'two']);
    expect(await Promise.all(places.map(({ answer }) => answer))).toEqual(['for one', 'for two']);
    expect(waiting.isEmpty).toBe(true);
  });

  it('are passed over when they do not want it', async () => {
    const waiting = new Waiting<string, string>();
    const first = waiting.add('tea', NEVER);
    const second = waiting.add('milk', NEVER);
    await waiting.serve(
      (wish) => wish === 'milk',
      async () => 'here',
    );
    first.leaveAfter(0);
    expect([await first.answer, await second.answer]).toEqual([undefined, 'here']);
  });

  it('are asked without being served, as long as nothing is being got for them', async () => {
    const waiting = new Waiting<string, string>();
    waiting.add('tea', NEVER);
    const isWanted = (drink: string) => waiting.isWanted((wish) => wish === drink);
    expect([isWanted('tea'), isWanted('milk')]).toEqual([true, false]);
    const serving = waiting.serve(anything, async () => 'here');
    expect(isWanted('tea')).toBe(false);
    await serving;
  });

  it('leave after what was said last', async () => {
    const waiting = new Waiting<string, string>();
    const place = waiting.add('one', NEVER);
    place.leaveAfter(600_000);
    place.leaveAfter(0);
    expect(await place.answer).toBeUndefined();
  });

  it('keep their place when it could not be got', async () => {
    const waiting = new Waiting<string, string>();
    const place = waiting.add('one', NEVER);
    const failing = waiting.serve(anything, async () => Promise.reject(new Error('lost')));
    await expect(failing).rejects.toThrow('lost');
    await waiting.serve(anything, async () => 'here');
    expect(await place.answer).toBe('here');
  });

  it('that leave while something is being got are still given it', async () => {
    const waiting = new Waiting<string, string>();
    const gone = new AbortController();
    const place = waiting.add('one', gone.signal);
    await waiting.serve(anything, async () => {
      gone.abort();
      waiting.close();
      return 'got already';
    });
    expect(await place.answer).toBe('got already');
  });

  it('are told at the end, and whoever comes afterwards is, too', async () => {
    const waiting = new Waiting<string, string>();
    const before = waiting.add('one', NEVER);
    waiting.close();
    expect(await before.answer).toBeUndefined();
    expect(await waiting.add('two', NEVER).answer).toBeUndefined();
  });
});
