import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Refusal } from '../../../../src/domain/index.js';
import { RefusalLog } from '../../../../src/engine/history/refusal-log.js';
import { LINEAR, SPOT } from '../../../support/risk/builders.js';

function aRefusal(limit: string, actual = '1', check = 'min-order-money'): Refusal {
  return { check, limit, actual, unit: 'USDT', text: `${check} ${limit} ${actual}` };
}

describe('refusals of a run', () => {
  it('counts equal ones, whatever they asked, with the first and the last time', () => {
    const log = new RefusalLog();

    log.add(1, SPOT.id, aRefusal('10', '3.5'));
    log.add(2, SPOT.id, aRefusal('20'));
    log.add(3, SPOT.id, aRefusal('10', '3.6'));
    log.add(4, LINEAR.id, aRefusal('10', '3.6'));

    expect(log.entries).toEqual([
      { time: 1, lastTime: 3, count: 2, instrumentId: SPOT.id, refusal: aRefusal('10', '3.5') },
      { time: 2, lastTime: 2, count: 1, instrumentId: SPOT.id, refusal: aRefusal('20') },
      { time: 4, lastTime: 4, count: 1, instrumentId: LINEAR.id, refusal: aRefusal('10', '3.6') },
    ]);
  });

  it('is bounded where the limit follows the price', () => {
    const log = new RefusalLog();

    for (let time = 0; time < 5_000; time += 1) log.add(time, SPOT.id, aRefusal(String(time)));

    expect(log.entries).toHaveLength(1_000);
    expect(log.entries.at(-1)).toMatchObject({ time: 999, lastTime: 4_999, count: 4_001 });
  });

  it('loses none, and has no two alike', () => {
    const drawn = fc.record({
      limit: fc.constantFrom('1', '2', '3'),
      check: fc.constantFrom('a', 'b'),
      instrument: fc.constantFrom(SPOT.id, LINEAR.id),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 60 }), (refusals) => {
        const log = new RefusalLog();
        for (const [time, { limit, check, instrument }] of refusals.entries())
          log.add(time, instrument, aRefusal(limit, '1', check));

        expect(log.entries.reduce((sum, { count }) => sum + count, 0)).toBe(refusals.length);
        const keys = log.entries.map(({ instrumentId, refusal }) => [
          instrumentId,
          refusal.check,
          refusal.limit,
        ]);
        expect(new Set(keys.map(String)).size).toBe(keys.length);
        for (const { time, lastTime } of log.entries) expect(time).toBeLessThanOrEqual(lastTime);
      }),
    );
  });

  it('keeps the last where the last are wanted', () => {
    const log = new RefusalLog(3);

    for (let time = 0; time < 20; time += 1) log.add(time, SPOT.id, aRefusal(String(time)));

    expect(log.entries.length).toBeLessThan(6);
    expect(log.entries.at(-1)).toMatchObject({ time: 19 });
  });
});
