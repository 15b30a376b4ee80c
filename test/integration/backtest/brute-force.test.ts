import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  parseFixed,
  splitInstrumentId,
  type InstrumentId,
  type Interval,
} from '../../../src/domain/index.js';
import { SmaCrossover } from '../../../strategies/sma-crossover/sma-crossover.strategy.js';
import { ONE, tradeSmaCross } from '../../brute-force/sma-cross.js';
import { aBacktestConfig } from '../../support/backtest-config.js';

/** Another archive may be named, to compare on real candles by hand. */
const archive = openArchive(process.env['EVENKEEL_ARCHIVE'] ?? 'backtest/data');
const series = (await archive.list())
  .filter(({ status }) => status === 'usable')
  .map(({ key }) => key)
  .filter(({ instrumentId }) => splitInstrumentId(instrumentId).kind === 'spot');

const CASES = [undefined, 10n].flatMap((participationPercent) =>
  [false, true].flatMap((withCosts) =>
    [false, true].map((feeInBase) => ({ participationPercent, withCosts, feeInBase })),
  ),
);

describe.each(series)('SMA 10/30 on $instrumentId $interval', ({ instrumentId, interval }) => {
  it.each(CASES)(
    'equals the brute-force script: participation $participationPercent %, costs $withCosts, fees in base $feeInBase',
    async (terms) => {
      const columns = await archive.read(instrumentId, interval);
      const pricePrecision = (columns.close[0] ?? 0) < 10 ? 8 : 2;
      const expected = tradeSmaCross(columns, {
        fast: 10,
        slow: 30,
        cash: 10_000n * ONE,
        equityMille: 950n,
        feeRate: terms.withCosts ? ONE / 1_000n : 0n,
        feeInBase: terms.feeInBase,
        // 2 basis points of half spread, 3 of slippage
        cost: terms.withCosts ? (5n * ONE) / 10_000n : 0n,
        participationPercent: terms.participationPercent,
        tick: ONE / 10n ** BigInt(pricePrecision),
        step: ONE / 100_000n,
      });

      const record = await replayBacktest({
        config: configOf({ instrumentId, interval, pricePrecision }, terms),
        archive,
        strategyClass: SmaCrossover,
        sourceHash: 'brute-force',
      });

      const fills = [...record.fills].map(
        ({ record: fill }) =>
          `${String(fill.eventTime)},${fill.side},${String(fill.price)},${String(fill.quantity)}`,
      );
      expect(fills).toEqual(expected.fills);
      expect(record.finalEquity).toBe(expected.equity);
      expect(record.residual).toBe(0n);
      expect(fills.length).toBeGreaterThan(10);
    },
  );
});

function configOf(
  {
    instrumentId,
    interval,
    pricePrecision,
  }: {
    readonly instrumentId: InstrumentId;
    readonly interval: Interval;
    readonly pricePrecision: number;
  },
  terms: (typeof CASES)[number],
): BacktestConfig {
  const rate = terms.withCosts ? parseFixed('0.001') : 0n;
  return aBacktestConfig({
    instrumentId,
    interval,
    simulation: {
      fees: { maker: rate, taker: rate, paidIn: terms.feeInBase ? 'received' : 'quote' },
      spreadBps: terms.withCosts ? parseFixed('4') : 0n,
      slippage: { model: 'fixed', bps: terms.withCosts ? parseFixed('3') : 0n },
      rules: new Map([[instrumentId, { tradable: true, pricePrecision, quantityPrecision: 5 }]]),
      participation: terms.participationPercent === undefined ? 'off' : parseFixed('0.1'),
    },
  });
}
