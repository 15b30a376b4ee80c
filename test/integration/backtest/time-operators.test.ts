import {
  bufferTime,
  debounceTime,
  delay,
  filter,
  interval,
  map,
  merge,
  mergeMap,
  NEVER,
  of,
  timeout,
  type Observable,
} from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { formatFixed, HOUR_MS, MINUTE_MS, type OrderIntent } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { enterLong, exit, Strategy, type Market } from '../../../src/strategy/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { replay } from '../../support/replay.js';

/** Hours whose candle is missing: a pause in the data. */
const PAUSE = new Set([9, 10, 11, 12]);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => !PAUSE.has(hour));

/** Each time operator buys for its own amount, so that an order shows which operator raised it. */
class OnTime extends Strategy({}) {
  override intents(market: Market): Observable<OrderIntent> {
    const candles$ = market.candles$();
    const buy = (notional: string): OrderIntent => enterLong({ notional }, { add: true });
    return merge(
      interval(7 * HOUR_MS).pipe(map(() => buy('101'))),
      candles$.pipe(
        debounceTime(90 * MINUTE_MS),
        map(() => buy('102')),
      ),
      candles$.pipe(
        bufferTime(10 * HOUR_MS),
        filter(({ length }) => length < 10),
        map(({ length }) => buy(String(1_030 + length))),
      ),
      candles$.pipe(
        filter(({ openTime }) => openTime === 3 * HOUR_MS),
        delay(40 * MINUTE_MS),
        map(() => buy('104')),
      ),
      candles$.pipe(
        timeout({ each: 2 * HOUR_MS, with: () => of(buy('105')) }),
        mergeMap((value) => ('kind' in value ? of(value) : NEVER)),
      ),
      interval(23 * HOUR_MS).pipe(map(() => exit())),
    );
  }
}

function run(): Promise<RunRecord> {
  const rows = HOURS.map((hour) => ({
    time: hour * HOUR_MS,
    open: 100,
    high: 101,
    low: 99,
    close: 100,
  }));
  return replay(OnTime, columnsOf(rows));
}

/** Hour of each order, its side and its quantity. */
function asked({ orders }: RunRecord): readonly (readonly [string, string])[] {
  return Array.from(orders, ({ request, state }) => [
    new Date(state.createdTime).toISOString().slice(11, 16),
    `${request.side} ${formatFixed(request.quantity)}`,
  ]);
}

describe('a strategy that uses interval, debounceTime, bufferTime, delay and timeout', () => {
  it('raises intents at the times of the candles, not of the machine', async () => {
    const record = await run();

    expect(asked(record)).toEqual([
      ['04:40', 'buy 104'], // 03:00 closes at 04:00, and 40 min
      ['07:00', 'buy 101'],
      ['10:00', 'buy 1039'], // nine candles closed by 09:00
      ['10:30', 'buy 102'], // 90 min after the last candle before the pause
      ['11:00', 'buy 105'], // two hours after that candle
      ['14:00', 'buy 101'],
      ['20:00', 'buy 1037'], // seven candles from 14:00 on
      ['21:00', 'buy 101'],
      // 104 / 101, because last is at its high at 04:40, and 2,586 / 100
      ['23:00', 'sell 26.8897'],
    ]);
    expect(record.residual).toBe(0n);
  });

  it('raises the same intents in a second run', async () => {
    const [first, second] = [await run(), await run()];

    expect(second.orders).toEqual(first.orders);
    expect(second.fills).toEqual(first.fills);
    expect(second.run.id).toBe(first.run.id);
  });

  it('sets no timer of the machine', async () => {
    const timers = [
      vi.spyOn(globalThis, 'setTimeout'),
      vi.spyOn(globalThis, 'setInterval'),
      vi.spyOn(globalThis, 'setImmediate'),
    ];

    await run();

    expect(timers.map(({ mock }) => mock.calls)).toEqual([[], [], []]);
    vi.restoreAllMocks();
  });
});
