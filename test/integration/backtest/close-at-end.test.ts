import { describe, expect, it } from 'vitest';
import { replayBacktest, type SimulationConfig } from '../../../src/assembly/index.js';
import { buildResult, type RunRecord } from '../../../src/report/index.js';
import {
  createInstrumentId,
  formatFixed,
  isFinalStatus,
  parseFixed,
  type CandleColumns,
} from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import type { Candle, Order, Protection } from '../../../src/domain/index.js';
import { aBacktestConfig, constantLatency } from '../../support/backtest-config.js';
import { createMemoryArchive, firstRows } from '../../support/memory-archive.js';
import { BTC, ETH, replaySeries } from '../../support/replay.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const HOUR = 3_600_000;

/** Four flat candles at 100, 100, 100 and 110. */
function candles(): CandleColumns {
  const prices = Float64Array.of(100, 100, 100, 110);
  return {
    openTime: Float64Array.from([0, 1, 2, 3], (row) => row * HOUR),
    open: prices,
    high: prices,
    low: prices,
    close: prices,
    volume: Float64Array.of(10, 10, 10, 10),
  };
}

/** Buys 1 on the candle that closes at `buyAt` hours. */
function buyer(buyAt: number, protection?: Protection) {
  return class Buyer extends CandleStrategy({}) {
    override onCandle(candle: Candle): void {
      if (candle.closeTime === buyAt * HOUR)
        this.enterLong({ quantity: '1' }, protection && { protection });
    }
  };
}

async function run(
  strategyClass: ReturnType<typeof buyer>,
  latencyMs = 0,
  simulation: Partial<SimulationConfig> = {},
) {
  const fees = { maker: parseFixed('0.001'), taker: parseFixed('0.001'), paidIn: 'quote' as const };
  const config = aBacktestConfig({
    instrumentId: ID,
    interval: '1h',
    simulation: { closeAtEnd: true, fees, latency: constantLatency(latencyMs), ...simulation },
  });
  const archive = createMemoryArchive([{ instrumentId: ID, interval: '1h', columns: candles() }]);
  return replayBacktest({ config, archive, strategyClass, sourceHash: '' });
}

/** Each order with its final status; for an expired order also the reason. */
function endsOf(record: RunRecord): readonly string[] {
  return [...record.orders].map(({ request: { side }, state }) =>
    state.status === 'expired'
      ? `${side} expired: ${state.reason?.text ?? ''}`
      : `${side} ${state.status}`,
  );
}

/** The sum of all coins except USDT. */
function heldAtEnd({ finalBalances }: RunRecord): bigint {
  return [...(finalBalances.spot ?? [])].reduce(
    (sum, [asset, amount]) => (asset === 'USDT' ? sum : sum + amount),
    0n,
  );
}

describe('closeAtEnd', () => {
  it('closes the position at the last close with taker costs, and warns', async () => {
    const record = await run(buyer(1));

    expect(
      [...record.fills].map(({ record: fill }) => [
        fill.side,
        formatFixed(fill.price),
        fill.eventTime,
      ]),
    ).toEqual([
      ['buy', '100', HOUR],
      ['sell', '110', 4 * HOUR],
    ]);
    // 10000 − 100 − 0.1 + 110 − 0.11
    expect(formatFixed(record.finalEquity)).toBe('10009.79');
    expect(record.warnings.join()).toContain('closeAtEnd');
    expect(record.residual).toBe(0n);
    expect(buildResult(record).equity.final).toBe('10009.79');
  });

  it('counts what the closing costs as a part of the drawdown', async () => {
    const taker = parseFixed('0.1');
    const record = await run(buyer(1), 0, { fees: { maker: taker, taker, paidIn: 'quote' } });

    const { equity, statistics } = buildResult(record);
    // 10000 − 100 − 10, and 110 − 11 at the end. The highest close is 10000.
    expect(equity.final).toBe('9989');
    expect(statistics.maxDrawdown).toBe(0.0011);
  });

  it('does not close again after a fill whose poll falls after the end', async () => {
    const record = await run(buyer(1, { takeProfit: { price: '105' } }), 0, {
      updatePollMs: 7 * HOUR,
    });

    expect(
      [...record.fills].map(({ record: fill }) => [fill.side, formatFixed(fill.quantity)]),
    ).toEqual([
      ['buy', '1'],
      ['sell', '1'],
    ]);
    expect(record.warnings.join()).not.toContain('closeAtEnd');
    expect(record.residual).toBe(0n);
  });

  it('cancels a resting take-profit first', async () => {
    const record = await run(buyer(1, { takeProfit: { price: '200' } }), 2_000);

    expect(
      [...record.orders].map(({ request, state }) => [request.side, request.type, state.status]),
    ).toEqual([
      ['buy', 'limit', 'filled'],
      ['sell', 'limit', 'canceled'],
      ['sell', 'market', 'filled'],
    ]);
  });

  it.each([
    { latencyMs: 0, why: 'arrives at the end' },
    { latencyMs: 2_000, why: 'is on its way' },
  ])('does not fill an order that $why', async ({ latencyMs }) => {
    const record = await run(buyer(4), latencyMs);

    expect(endsOf(record)).toEqual(['buy expired: end of run']);
    expect([...record.fills]).toEqual([]);
  });

  it.each([0, 1_000, HOUR - 1])(
    'closes a position whose exit was decided at the last close, %i ms from the venue',
    async (latencyMs) => {
      class Leaver extends buyer(1) {
        override onCandle(candle: Candle): void {
          super.onCandle(candle);
          if (candle.closeTime === 4 * HOUR) this.exit();
        }
      }

      const record = await run(Leaver, latencyMs);

      expect(endsOf(record)).toEqual(['buy filled', 'sell expired: end of run', 'sell filled']);
      expect(heldAtEnd(record)).toBe(0n);
    },
  );

  it.each([
    { what: 'waits for a take-profit that is being canceled', latencyMs: 1_000 },
    { what: 'was decided with a take-profit working', latencyMs: 0 },
  ])('closes a position whose exit $what', async ({ latencyMs }) => {
    class Leaver extends buyer(1, { takeProfit: { price: '200' } }) {
      override onCandle(candle: Candle): void {
        super.onCandle(candle);
        if (candle.closeTime === 4 * HOUR) this.exit();
      }
    }

    const record = await run(Leaver, latencyMs);

    expect(endsOf(record)).toEqual(['buy filled', 'sell canceled', 'sell filled']);
    expect(heldAtEnd(record)).toBe(0n);
  });

  it.each([
    { what: 'one order after the other', maxWorkingOrders: 1, count: 2 },
    { what: 'in several orders', maxWorkingOrders: 10, count: 3 },
  ])(
    'closes a position that is too large for one order, $what, and leaves no take-profit working',
    async ({ maxWorkingOrders, count }) => {
      class Stacker extends CandleStrategy({}) {
        override onCandle({ closeTime }: Candle): void {
          if (closeTime <= 3 * HOUR)
            this.enterLong(
              { quantity: '1.2' },
              { add: true, protection: { takeProfit: { price: '200' } } },
            );
        }
      }
      const rules = {
        ...{ tradable: true, pricePrecision: 2, quantityPrecision: 5 },
        ...{ maxMarketQuantity: parseFixed('1'), maxLimitQuantity: parseFixed('100') },
      };

      const record = await run(Stacker, 0, {
        rules: new Map([[ID, { ...rules, maxWorkingOrders }]]),
      });

      expect(heldAtEnd(record)).toBe(0n);
      expect([...record.orders].filter(({ state }) => !isFinalStatus(state.status))).toEqual([]);
      expect(record.closingOrders).toBe(count);
    },
  );

  it('closes a position whose exit waits for an entry that never arrived', async () => {
    class Adder extends buyer(1) {
      override onCandle(candle: Candle): void {
        super.onCandle(candle);
        if (candle.closeTime !== 4 * HOUR) return;
        this.enterLong({ quantity: '1' }, { add: true });
        this.exit();
      }
    }

    const record = await run(Adder, 1_000);

    expect(endsOf(record)).toEqual(['buy filled', 'buy expired: end of run', 'sell filled']);
    expect(heldAtEnd(record)).toBe(0n);
  });

  it('closes a position whose exit is pending when its instrument ends', async () => {
    class Leaver extends CandleStrategy({}) {
      override onCandle({ instrumentId, closeTime }: Candle): void {
        if (instrumentId !== ETH) return;
        if (closeTime === HOUR) this.enterLong({ quantity: '1' }, { instrument: ETH });
        if (closeTime === 2 * HOUR) this.exit({ instrument: ETH });
      }
    }
    const series = [
      { instrumentId: BTC, interval: '1h' as const, columns: candles() },
      { instrumentId: ETH, interval: '1h' as const, columns: firstRows(candles(), 2) },
    ];

    const record = await replaySeries(Leaver, series, { closeAtEnd: true });

    expect(endsOf(record)).toEqual(['buy filled', 'sell expired: end of run', 'sell filled']);
    expect(heldAtEnd(record)).toBe(0n);
    expect(record.residual).toBe(0n);
  });

  it('ignores new orders of a strategy that reacts to every final order', async () => {
    class Stubborn extends buyer(4) {
      override onOrder({ status }: Order): void {
        if (isFinalStatus(status)) this.enterLong({ quantity: '1' });
      }
    }

    const record = await run(Stubborn);

    expect(endsOf(record)).toEqual(['buy expired: end of run']);
    expect(heldAtEnd(record)).toBe(0n);
  });

  it('trades nothing if the strategy was never warm', async () => {
    class Cold extends CandleStrategy({}) {
      override readonly warmup = 5;

      override onCandle(): void {
        throw new Error('expected no candle');
      }
    }
    const balances = { spot: new Map([['BTC', parseFixed('2')]]) };

    const record = await run(Cold, 0, { balances });

    expect([...record.orders]).toEqual([]);
    expect(record.warnings.join()).toContain('before the strategy was warm: nothing was traded');
    expect(buildResult(record).equity).toMatchObject({ initial: '220', final: '220' });
  });
});
