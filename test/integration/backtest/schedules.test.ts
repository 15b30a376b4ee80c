import { concat, ignoreElements, map, NEVER, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { formatFixed, HOUR_MS, type OrderIntent } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import {
  CandleStrategy,
  enterLong,
  sma,
  Strategy,
  type Market,
} from '../../../src/strategy/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { rejectionOf } from '../../support/failure.js';
import { replay } from '../../support/replay.js';

/** Candles of 60 hours: hour 30 is missing. */
const HOURS = Array.from({ length: 60 }, (_, hour) => hour).filter((hour) => hour !== 30);
const COLUMNS = columnsOf(
  HOURS.map((hour) => ({ time: hour * HOUR_MS, open: 100, high: 101, low: 99, close: 100 + hour })),
);

const buy = (notional: string): OrderIntent => enterLong({ notional }, { add: true });

/** Day and time of each order, and its quantity. */
function asked({ orders }: RunRecord): readonly string[] {
  return Array.from(orders, ({ request, state }) => {
    const time = new Date(state.createdTime).toISOString().slice(8, 16);
    return `${time} ${formatFixed(request.quantity)}`;
  });
}

describe('a schedule of a strategy', () => {
  it('calls back at clock times in a candle strategy, set in its constructor', async () => {
    class Weekly extends CandleStrategy({}) {
      constructor(...given: ConstructorParameters<ReturnType<typeof CandleStrategy>>) {
        super(...given);
        this.every('@daily 12:30', () => this.raise(buy('101')));
        this.every('@weekly sat 06:00', () => this.raise(buy('102')));
      }

      override onCandle(): void {
        // The schedules do everything.
      }
    }

    const record = await replay(Weekly, COLUMNS);

    expect(asked(record)).toEqual([
      '01T12:30 101',
      '02T12:30 101',
      // 1970-01-03 was a Saturday; the data begins on a Thursday.
      '03T06:00 102',
    ]);
    expect(record.residual).toBe(0n);
  });

  it('calls back in an RxJS strategy, also during missing candles', async () => {
    class EachHalfDay extends Strategy({}) {
      override intents(market: Market): Observable<OrderIntent> {
        const cancel = this.every('6h', () => {
          this.raise(buy(String(100 + (this.last() ?? 0))));
          if (this.now >= 36 * HOUR_MS) cancel();
        });
        return concat(market.candles$().pipe(ignoreElements()), NEVER);
      }
    }

    const record = await replay(EachHalfDay, COLUMNS);

    // Each call comes after the candle that closes at its instant: hour 5 closes at 105. A schedule that has canceled itself does not run again.
    expect(asked(record)).toEqual([
      '01T06:00 205',
      '01T12:00 211',
      '01T18:00 217',
      '02T00:00 223',
      '02T06:00 229',
      '02T12:00 235',
    ]);
  });

  it('does not call back before the strategy is warm', async () => {
    class Slow extends CandleStrategy({}) {
      readonly slow = this.indicator(sma(20));
      readonly seen: boolean[] = [];

      override onCandle(): void {
        // The schedules do everything.
      }

      readonly endSchedule = this.every('4h', () =>
        this.raise(buy(this.slow.isReady ? '101' : '102')),
      );
    }

    const record = await replay(Slow, COLUMNS);

    expect(asked(record)[0]).toBe('01T20:00 101');
  });

  it('starts after the event in which it is set', async () => {
    class Later extends Strategy({}) {
      override intents(market: Market): Observable<OrderIntent> {
        let isSet = false;
        return market.candles$().pipe(
          map(() => {
            if (!isSet) this.every('90min', () => this.raise(buy('101')));
            isSet = true;
            return buy('103');
          }),
        );
      }
    }

    const record = await replay(Later, COLUMNS);

    expect(asked(record).slice(0, 4)).toEqual([
      '01T01:00 103',
      '01T01:30 101',
      '01T02:00 103',
      // At one instant, intents of a candle come before intents of a timer.
      '01T03:00 103',
    ]);
    expect(asked(record)[4]).toBe('01T03:00 101');
  });

  it('ends the run with E_SCHEDULE if it is invalid', async () => {
    class Wrong extends CandleStrategy({}) {
      override onCandle(): void {
        this.every('@dayly', () => undefined);
      }
    }

    const failure = await rejectionOf(replay(Wrong, COLUMNS));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_SCHEDULE' });
    expect(failure.message).toMatch(/received "@dayly"/);
  });

  it('ends the run if it has no function to call', async () => {
    class Wrong extends CandleStrategy({}) {
      override onCandle(): void {
        this.every('@daily', undefined as never);
      }
    }

    const failure = await rejectionOf(replay(Wrong, COLUMNS));

    expect(failure.message).toMatch(/expected a function to call at "@daily", received undefined/);
  });

  it('ends the run if its function returns a promise', async () => {
    class Wrong extends CandleStrategy({}) {
      readonly endSchedule = this.every('1h', (): unknown => Promise.resolve());

      override onCandle(): void {
        // The schedules do everything.
      }
    }

    const failure = await rejectionOf(replay(Wrong, COLUMNS));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_STRATEGY_PROMISE' });
  });

  it('names the time at which its handler throws', async () => {
    class Thrower extends CandleStrategy({}) {
      readonly endSchedule = this.every('@daily 05:30', () => {
        throw new Error('no luck');
      });

      override onCandle(): void {
        // The schedules do everything.
      }
    }

    const failure = await rejectionOf(replay(Thrower, COLUMNS));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_STRATEGY_FAILED' });
    expect(failure.message).toMatch(/no luck/);
    expect(failure.message).toMatch(/05:30/);
  });
});
