import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FIXED_ONE, type RefusedDecision, type Refusal } from '../../../../src/domain/index.js';
import { RefusalLog } from '../../../../src/engine/history/refusal-log.js';
import { Refused } from '../../../../src/risk/index.js';
import { LINEAR, SPOT } from '../../../support/risk/builders.js';

function aRefusal(limit: string, actual = '1', check = 'min-order-money'): Refusal {
  return { check, limit, actual, unit: 'USDT', text: `${check} ${limit} ${actual}` };
}

function refused(refusal: Refusal): RefusedDecision {
  return { kind: 'refused', refusal };
}

describe('RefusalLog', () => {
  it('counts refusals with the same check and limit together, with the first and the last time', () => {
    const log = new RefusalLog();

    log.add(1, SPOT.id, refused(aRefusal('10', '3.5')));
    log.add(2, SPOT.id, refused(aRefusal('20')));
    log.add(3, SPOT.id, refused(aRefusal('10', '3.6')));
    log.add(4, LINEAR.id, refused(aRefusal('10', '3.6')));

    expect(log.entries).toEqual([
      { time: 1, lastTime: 3, count: 2, instrumentId: SPOT.id, refusal: aRefusal('10', '3.5') },
      { time: 2, lastTime: 2, count: 1, instrumentId: SPOT.id, refusal: aRefusal('20') },
      { time: 4, lastTime: 4, count: 1, instrumentId: LINEAR.id, refusal: aRefusal('10', '3.6') },
    ]);
  });

  it('reads the details only of a refusal that it keeps', () => {
    const log = new RefusalLog();
    const read: number[] = [];
    const grounds = { check: 'min-order-money', limit: 10n * FIXED_ONE, unit: 'USDT' } as const;

    for (const time of [1, 2, 3])
      log.add(
        time,
        SPOT.id,
        new Refused(grounds, () => {
          read.push(time);
          return { actual: String(time), text: `refused at ${String(time)}` };
        }),
      );
    log.add(4, SPOT.id, refused(aRefusal('10', '4')));

    expect(read).toEqual([1]);
    const refusal = { ...aRefusal('10', '1'), text: 'refused at 1' };
    expect(log.entries).toEqual([
      { time: 1, lastTime: 4, count: 4, instrumentId: SPOT.id, refusal },
    ]);
  });

  it('is bounded if the limit follows the price', () => {
    const log = new RefusalLog();

    for (let time = 0; time < 5_000; time += 1)
      log.add(time, SPOT.id, refused(aRefusal(String(time))));

    expect(log.entries).toHaveLength(1_000);
    expect(log.entries.at(-1)).toMatchObject({ time: 999, lastTime: 4_999, count: 4_001 });
  });

  it('counts every refusal, and has no two equal entries', () => {
    const drawn = fc.record({
      limit: fc.constantFrom('1', '2', '3'),
      check: fc.constantFrom('a', 'b'),
      instrument: fc.constantFrom(SPOT.id, LINEAR.id),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 60 }), (refusals) => {
        const log = new RefusalLog();
        for (const [time, { limit, check, instrument }] of refusals.entries())
          log.add(time, instrument, refused(aRefusal(limit, '1', check)));

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

  it('keeps the last entries if a limit is set', () => {
    const log = new RefusalLog(3);

    for (let time = 0; time < 20; time += 1)
      log.add(time, SPOT.id, refused(aRefusal(String(time))));

    expect(log.entries.length).toBeLessThan(6);
    expect(log.entries.at(-1)).toMatchObject({ time: 19 });
  });
});
