import { CandleStrategy, type Candle } from 'evenkeel';
import { describe, expect, it } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import { HOUR_MS, parseFixed, type CandleSeries } from '../../../src/domain/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC, ETH } from '../../support/replay.js';
import { runConfig } from '../../support/parity/run-config.js';

const SERIES: readonly CandleSeries[] = [BTC, ETH].map((instrumentId) => ({
  instrumentId,
  interval: '1h',
  columns: columnsOf(
    Array.from({ length: 8 }, (_, hour) => ({
      time: hour * HOUR_MS,
      open: 100,
      high: 101,
      low: 99,
      close: 100,
    })),
  ),
}));

/** Runs a strategy that may trade ETH and only reads BTC. The account holds some BTC, and BTC is the first instrument. */
function run(strategyClass: StrategyClass) {
  const config = aBacktestConfig({ instrumentId: BTC, interval: '1h' });
  const [btc] = config.instruments;
  if (btc === undefined) throw new Error('expected an instrument');
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };
  return replayBacktest({
    config: {
      ...config,
      instruments: [
        { ...btc, readOnly: true },
        { ...btc, instrumentId: ETH, symbol: 'ETHUSDT', base: 'ETH' },
      ],
      simulation: {
        ...config.simulation,
        balances: {
          spot: new Map([
            ['USDT', parseFixed('10000')],
            ['BTC', parseFixed('3')],
          ]),
        },
        rules: new Map([
          [BTC, rules],
          [ETH, rules],
        ]),
      },
    },
    archive: createMemoryArchive(SERIES),
    strategyClass,
    sourceHash: 'read-only',
  });
}

describe('a read-only instrument', () => {
  it('shows its market, and every order on it is refused', async () => {
    const seen = new Set<string>();
    class Reader extends CandleStrategy({}) {
      readonly known = this.instrument('BTCUSDT');
      #candle = 0;

      override onCandle({ instrumentId }: Candle): void {
        seen.add(`${instrumentId} ${String(this.instrument(instrumentId).isReadOnly)}`);
        this.#candle += 1;
        if (this.#candle === 1) {
          this.enterLong({ quantity: '1' });
          this.exit();
          this.exit({ instrument: 'BTCUSDT' });
          this.protect({ stopLoss: { ratio: '0.1' } }, 'BTCUSDT');
          this.flatten('BTCUSDT');
          this.enterLong({ quantity: '2' }, { instrument: 'ETHUSDT' });
        }
      }
    }

    const { orders, refusals, residual, finalBalances } = await run(Reader);

    expect([...seen]).toEqual(['spot:BTCUSDT true', 'spot:ETHUSDT false']);
    expect([...orders].map(({ request }) => request.instrumentId)).toEqual([ETH]);
    const [first] = refusals;
    expect(refusals).toMatchObject([{ count: 5, refusal: { check: 'read-only' } }]);
    expect(first?.refusal.text).toBe(
      'spot:BTCUSDT is readOnly in the config: its market is read, and no order goes to it',
    );
    expect(finalBalances.spot?.get('BTC')).toBe(parseFixed('3'));
    expect(residual).toBe(0n);
  });

  it('is not touched by a flatten of everything', async () => {
    class Flattener extends CandleStrategy({}) {
      #candle = 0;

      override onCandle(): void {
        this.#candle += 1;
        if (this.#candle === 1) this.enterLong({ quantity: '2' }, { instrument: 'ETHUSDT' });
        if (this.#candle === 7) this.flatten();
      }
    }

    const { orders, refusals, finalBalances } = await run(Flattener);

    expect(refusals).toEqual([]);
    expect([...orders].map(({ request }) => `${request.side} ${request.instrumentId}`)).toEqual([
      `buy ${ETH}`,
      `sell ${ETH}`,
    ]);
    expect(finalBalances.spot?.get('BTC')).toBe(parseFixed('3'));
  });

  it('is the same in a backtest and over HTTP', { timeout: 120_000 }, async () => {
    const { report } = await runConfig({
      config: 'backtest/scenarios/rotation-instant.yaml',
      to: '2024-08-14',
      set: ['strategy.parameters.holdCandles=6', 'instruments.1.readOnly=true'],
    });

    expect(report.difference).toBeUndefined();
    expect(report.counts.refusals).toBeGreaterThan(0);
    expect(report.counts.fills).toBeGreaterThan(1);
  });
});
