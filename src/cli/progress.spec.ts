import { describe, expect, it } from '@jest/globals';
import { lines } from './progress.js';

describe('progress where nobody watches a bar', () => {
  it('is a line now and then, with what is left; what is over soon says nothing', () => {
    const written: string[] = [];
    let nowMs = 0;
    const progress = lines(
      'events',
      (line) => written.push(line),
      () => nowMs,
      10_000,
    );
    for (nowMs = 0; nowMs < 10_000; nowMs += 100) progress.update(nowMs / 100, 400);
    expect(written).toEqual([]);
    for (; nowMs <= 30_000; nowMs += 100) progress.update(nowMs / 100, 400);
    expect(written).toEqual([
      '25%: 100 of 400 events, about 30 s left\n',
      '50%: 200 of 400 events, about 20 s left\n',
      '75%: 300 of 400 events, about 10 s left\n',
    ]);
  });

  it('says nothing of what is left before anything is done', () => {
    const written: string[] = [];
    lines(
      'bytes',
      (line) => written.push(line),
      () => 1,
      -1,
    ).update(0, 8);
    expect(written).toEqual(['0%: 0 of 8 bytes\n']);
  });
});
