import { timer, map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  SECOND_MS,
  type Candle,
  type OrderIntent,
} from '../../../src/domain/index.js';
import { buildResult } from '../../../src/report/index.js';
import { CandleStrategy, enterLong, sma, Strategy } from '../../../src/strategy/index.js';
import { columnsOf } from '../../support/candle-columns.js';
import { BTC, ETH, replay, replaySeries } from '../../support/replay.js';

/** 2025-01-01T00:00:00Z. */
const START = 1_735_689_600_000;
const threeHours = columnsOf([0, 1, 2].map((hour) => ({ time: START + hour * HOUR_MS })));

describe('the start of a run', () => {
  it('is its end if the data ends before the strategy is warm, with a warning', async () => {
    class Patient extends CandleStrategy({}) {
      readonly average = this.indicator(sma(10));

      override onCandle(): void {
        this.enterLong({ notional: '100' });
      }
    }

    const result = buildResult(await replay(Patient, threeHours));

    expect(result.run).toMatchObject({ from: START + 3 * HOUR_MS, to: START + 3 * HOUR_MS });
    expect(result.equity).toMatchObject({ initial: '10000', final: '10000' });
    expect(result.orders).toEqual([]);
    expect(result.warnings).toContain(
      'the data ended before the strategy was warm: nothing was traded',
    );
  });

  it('comes before the trade of a timer before the first close', async () => {
    class Early extends Strategy({}) {
      override readonly warmup = 1;

      override intents(): Observable<OrderIntent> {
        return timer(HOUR_MS + 10 * SECOND_MS).pipe(map(() => enterLong({ notional: '1000' })));
      }
    }

    const rate = parseFixed('0.01');
    const record = await replay(Early, threeHours, {
      fees: { maker: rate, taker: rate, paidIn: 'quote' },
    });

    expect([...record.fills].map(({ record: fill }) => fill.eventTime)).toEqual([
      START + HOUR_MS + 10 * SECOND_MS,
    ]);
    expect(buildResult(record).equity.initial).toBe('10000');
  });

  it('allows a fill before the first close of its instrument, counted at the price paid', async () => {
    class BuysUnseen extends CandleStrategy({}) {
      override onCandle({ openTime }: Candle): void {
        if (openTime === START)
          this.enterLong({ quantity: '1' }, { instrument: ETH, limitPrice: '120' });
      }
    }
    const minutes = columnsOf([0, 1, 2].map((minute) => ({ time: START + minute * MINUTE_MS })));

    const record = await replaySeries(BuysUnseen, [
      { instrumentId: BTC, interval: '1min', columns: minutes },
      { instrumentId: ETH, interval: '1h', columns: columnsOf([{ time: START }]) },
    ]);

    // The hour takes 20 minutes from its open at 100 to its low at 99. After one minute last is 99.95.
    expect([...record.fills].map(({ record: fill }) => formatFixed(fill.price))).toEqual(['99.95']);
    // Nothing is gained or lost until the hour closes at 101: 10000 - 99.95 + 101.
    expect(record.candleEquity?.value.map((equity) => formatFixed(equity))).toEqual([
      ...['10000', '10000', '10000', '10001.05'],
    ]);
    expect(record.residual).toBe(0n);
  });
});
