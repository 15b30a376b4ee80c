import { map, merge, of, switchMap, take, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  HOUR_MS,
  parseFixed,
  SECOND_MS,
  type OrderIntent,
} from '../../../src/domain/index.js';
import { CandleStrategy, enterLong, Strategy, type Market } from '../../../src/strategy/index.js';
import { constantLatency } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { replay } from '../../support/replay.js';

/** 2025-01-01T00:00:00Z. */
const START = 1_735_689_600_000;
const hours = (count: number): ReturnType<typeof columnsOf> =>
  columnsOf(Array.from({ length: count }, (_, index) => ({ time: START + index * HOUR_MS })));

/** Acts at the close of the first candle only. */
abstract class OnceStrategy extends CandleStrategy({}) {
  #hasActed = false;

  abstract act(): void;

  override onCandle(): void {
    if (!this.#hasActed) this.act();
    this.#hasActed = true;
  }
}

describe('a cancel that comes too late', () => {
  it('is dropped if the order has ended, and the exit that waited for it continues', async () => {
    class EnterAndLeave extends OnceStrategy {
      override act(): void {
        this.enterLong({ notional: '1000' });
        this.exit();
      }
    }

    const record = await replay(EnterAndLeave, hours(3));

    const ends = [...record.orders].map(({ request, state }) => `${request.side} ${state.status}`);
    expect(ends).toEqual(['buy filled', 'sell filled']);
    expect(record.residual).toBe(0n);
  });

  it('learns from its answer what the order has filled since the last poll', async () => {
    class Impatient extends OnceStrategy {
      override act(): void {
        // The path falls from the open to the low during the first third of the candle, and reaches the limit within minutes.
        this.enterLong({ quantity: '2' }, { limitPrice: '99.5', goodForMs: HOUR_MS / 2 });
      }
    }

    const record = await replay(Impatient, hours(3), {
      // A tenth of a volume of 5 is 0.5.
      participation: parseFixed('0.1'),
      updatePollMs: HOUR_MS,
    });

    const orders = [...record.orders].map(
      ({ state }) => `${state.status} ${formatFixed(state.filledQuantity)}`,
    );
    expect(orders).toEqual(['canceled 0.5']);
    expect([...record.fills].map(({ record: fill }) => formatFixed(fill.quantity))).toEqual([
      '0.5',
    ]);
    expect(record.residual).toBe(0n);
  });

  it('changes nothing if the order has filled completely since the last poll', async () => {
    class Impatient extends OnceStrategy {
      override act(): void {
        this.enterLong({ quantity: '0.5' }, { limitPrice: '99.5', goodForMs: HOUR_MS / 2 });
      }
    }

    const record = await replay(Impatient, hours(3), {
      latency: constantLatency(SECOND_MS),
      updatePollMs: HOUR_MS,
    });

    expect([...record.orders].map(({ state }) => state.status)).toEqual(['filled']);
    expect(record.residual).toBe(0n);
  });
});

describe('a fill learned late', () => {
  it('is listed in the result at the time of the fill', async () => {
    class TwoEntries extends Strategy({}) {
      override intents(market: Market): Observable<OrderIntent> {
        // Rests, and fills within minutes. The market order half an hour later is answered before the poll that reports this fill.
        const deep$ = of(enterLong({ quantity: '1' }, { limitPrice: '99.5', add: true }));
        const market$ = timer(HOUR_MS / 2).pipe(
          map(() => enterLong({ notional: '100' }, { add: true })),
        );
        return market.candles$().pipe(
          take(1),
          switchMap(() => merge(deep$, market$)),
        );
      }
    }

    const { fills } = await replay(TwoEntries, hours(3), { updatePollMs: HOUR_MS });

    expect(Array.from(fills, ({ record: { liquidity } }) => liquidity)).toEqual(['maker', 'taker']);
  });
});
