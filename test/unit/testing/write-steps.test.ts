import { describe, expect, it } from 'vitest';
import { GAP, wave } from '../../../src/testing/index.js';
import { writeSteps } from '../../../src/testing/write-steps.js';
import type { DrawnStep } from '../../../src/testing/drawn-steps.js';

const played = (...shapes: readonly unknown[]): readonly DrawnStep[] =>
  shapes.map((one) => ({ kind: 'play', played: one }) as DrawnStep);

describe('writeSteps', () => {
  it('writes changing closes as closes() and repeated closes as flat()', () => {
    const closes = [100, 100, 101, 102, 102, 102, 103].map((close) => ({ close }));

    expect(writeSteps(played(...closes))).toBe(
      'test.play([...flat(2, 100), ...closes(101, 102), ...flat(2, 102), { close: 103 }]);',
    );
  });

  it('writes alternating closes as wave()', () => {
    const closes = [100, 101, 100, 101, 100, 101, 103, 104].map((close) => ({ close }));

    expect(writeSteps(played(...closes))).toBe(
      'test.play([{ close: 100 }, ...wave(5, 101, 100), ...closes(103, 104)]);',
    );
    expect(wave(5, 101, 100)).toEqual(closes.slice(1, 6));
  });

  it('writes gaps, whole candles, slices and changed rules', () => {
    const steps: readonly DrawnStep[] = [
      ...played({ open: 99, high: 104, close: 100 }, GAP),
      { kind: 'rules', changed: { tradable: false, minOrderMoney: '7.5' }, instrument: undefined },
      ...played({ 'spot:BTCUSDT': { close: 1 } }),
    ];

    expect(writeSteps(steps)).toBe(
      [
        'test.play([{ open: 99, high: 104, close: 100 }, GAP]);',
        "test.changeRules({ tradable: false, minOrderMoney: '7.5' });",
        "test.play([{ 'spot:BTCUSDT': { close: 1 } }]);",
      ].join('\n'),
    );
  });
});
