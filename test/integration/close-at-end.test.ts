import { describe, expect, it } from 'vitest';
import { runBacktest, type SimulationConfig } from '../../src/assembly/index.js';
import { buildResult } from '../../src/report/index.js';
import {
  createInstrumentId,
  formatFixed,
  parseFixed,
  type CandleColumns,
} from '../../src/domain/index.js';
import { CandleStrategy } from '../../src/strategy/index.js';
import type { Candle, Protection } from '../../src/domain/index.js';
import { aBacktestConfig, constantLatency } from '../support/backtest-config.js';
import { createMemoryArchive } from '../support/memory-archive.js';

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
  return runBacktest({ config, archive, strategyClass, sourceHash: '' });
}

describe('closeAtEnd', () => {
  it('leaves the position at the last close with taker costs and says so', async () => {
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

  it('closes nothing that a fill has closed whose poll would come after the end', async () => {
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

  it('withdraws a resting take-profit first', async () => {
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
    { latencyMs: 0, status: 'canceled', why: 'waited for a next open' },
    { latencyMs: 2_000, status: 'expired', why: 'was on its way' },
  ])('does not fill an order that $why', async ({ latencyMs, status }) => {
    const record = await run(buyer(4), latencyMs);

    expect([...record.orders].map(({ state }) => state.status)).toEqual([status]);
    expect([...record.fills]).toEqual([]);
  });

  it('leaves what was held at the start where the strategy never was warm', async () => {
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
