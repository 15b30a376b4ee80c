import { CandleStrategy, decimalFromNumber, type Candle } from 'evenkeel';
import { describe, expect, it } from 'vitest';

import { HOUR_MS } from '../../../src/domain/index.js';
import type { Journal } from '../../../src/engine/index.js';
import { runConfig, type ParityCase } from '../../support/parity/run-config.js';

const EXAMPLES = 'config';
const SCENARIOS = 'backtest/scenarios';

/** Buys more than there is, at any price up to a tenth above the market, and sells it again. */
class ImpatientTrader extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(candle: Candle): void {
    this.#candles += 1;
    if (this.#candles % 12 === 1)
      this.enterLong(
        { equity: '0.5' },
        { limitPrice: decimalFromNumber(candle.close * 1.1), goodForMs: 8 * HOUR_MS },
      );
    else if (this.#candles % 12 === 10) this.exit();
  }
}

/** Trades only at times of the clock. */
class TimedTrader extends CandleStrategy({}) {
  readonly schedules = [
    this.every('@daily 03:30', () => this.enterLong({ equity: '0.5' })),
    this.every('5min', () => {
      if (this.now % (8 * HOUR_MS) === 0) this.exit();
    }),
  ];

  override onCandle(): void {
    // Nothing.
  }
}

const RSI_OFTEN = ['strategy.parameters.period=7', 'strategy.parameters.oversold=45'];

/** Short ranges with at least 20 fills each: spot, margin, linear, inverse; several instruments, several intervals. */
const CASES: readonly (ParityCase & { readonly what: string; readonly cancels?: number })[] = [
  { what: 'market orders', config: `${EXAMPLES}/sma-crossover.backtest.yaml`, to: '2024-08-05' },
  {
    what: 'market orders without latency',
    config: `${EXAMPLES}/sma-crossover.backtest.yaml`,
    to: '2024-07-17',
    set: ['simulation.latencyMs=0', 'strategy.parameters={ fast: 3, slow: 8 }'],
  },
  {
    what: 'limit orders and their cancels',
    config: `${EXAMPLES}/rsi-mean-reversion.backtest.yaml`,
    to: '2024-08-01',
    set: [...RSI_OFTEN, 'strategy.parameters.takeProfit=0.01', 'strategy.parameters.stopLoss=0.01'],
    cancels: 1,
  },
  {
    what: 'a linear contract, random latency',
    config: `${EXAMPLES}/channel-flip.backtest.yaml`,
    to: '2025-05-12',
    set: ['strategy.parameters.channelCandles=5'],
  },
  {
    what: 'stops that are kept in step at the venue',
    config: `${EXAMPLES}/channel-flip.backtest.yaml`,
    to: '2025-05-07',
    set: [
      'strategy.parameters={ channelCandles: 5, rangeCandles: 5, stopRanges: 1, exposure: 1 }',
      'live.venueStops=family',
    ],
    cancels: 1,
  },
  {
    what: 'wide stops at the venue that are never moved',
    config: `${EXAMPLES}/channel-flip.backtest.yaml`,
    to: '2025-05-11',
    set: [
      'strategy.parameters={ channelCandles: 5, rangeCandles: 5, stopRanges: 3, exposure: 1 }',
      'live.venueStops=disaster',
      'live.disasterDistance="0.01"',
      'live.orphans=accept',
    ],
  },
  {
    what: 'an inverse contract',
    config: `${EXAMPLES}/coin-hedge.backtest.yaml`,
    to: '2025-05-14',
    set: ['strategy.parameters={ averageCandles: 12, marginRatio: 0.001, patience: 0.003 }'],
  },
  {
    what: 'several pairs without latency',
    config: `${SCENARIOS}/rotation-instant.yaml`,
    to: '2024-08-14',
    set: ['strategy.parameters.holdCandles=6'],
  },
  {
    what: 'sizes that follow from what the strategy keeps',
    config: `${EXAMPLES}/martingale.backtest.yaml`,
    to: '2024-07-20',
    cancels: 1,
  },
  {
    what: 'bids and asks of several levels',
    config: `${EXAMPLES}/grid.backtest.yaml`,
    to: '2024-07-13',
    set: ['strategy.parameters.step=0.008'],
  },
  {
    what: 'entries with brackets of their own',
    config: `${EXAMPLES}/bracketed-grid.backtest.yaml`,
    to: '2024-07-18',
    cancels: 3,
  },
  {
    what: 'quotes on both sides of a contract, replaced',
    config: `${EXAMPLES}/quoter.backtest.yaml`,
    to: '2025-05-06',
    cancels: 20,
  },
  {
    what: 'a bid that chases',
    config: `${EXAMPLES}/chase.backtest.yaml`,
    to: '2024-07-18',
    set: ['strategy.parameters={ fast: 3, slow: 8 }'],
    cancels: 100,
  },
  {
    what: 'slices over hours',
    config: `${EXAMPLES}/twap.backtest.yaml`,
    to: '2024-08-01',
  },
  {
    what: 'five coins brought to shares of equity',
    config: `${EXAMPLES}/weights.backtest.yaml`,
    to: '2024-09-17',
  },
  {
    what: 'exits at three prices',
    config: `${EXAMPLES}/scale-out.backtest.yaml`,
    to: '2024-08-12',
    cancels: 3,
  },
  {
    what: 'what is borrowed on margin, long and short, and its interest',
    config: `${EXAMPLES}/margin-swing.backtest.yaml`,
    to: '2025-05-22',
  },
  { what: 'orders in parts', config: `${SCENARIOS}/sma-crossover-resend.yaml`, to: '2024-07-22' },
  {
    what: 'orders split at maxima',
    config: `${SCENARIOS}/sma-crossover-limits.yaml`,
    to: '2024-07-14',
  },
  {
    what: 'resting orders that fill in parts, on a path that visits the low first',
    config: `${SCENARIOS}/rsi-mean-reversion-large.yaml`,
    to: '2024-07-18',
    set: RSI_OFTEN,
    cancels: 1,
  },
  {
    what: 'stops on a path that visits the high first',
    config: `${SCENARIOS}/rsi-mean-reversion-touch.yaml`,
    from: '2025-01-01',
    to: '2025-01-20',
    set: RSI_OFTEN,
    cancels: 1,
  },
  {
    what: 'stops that sample seldom, on a path that visits the high first',
    config: `${SCENARIOS}/breakout-trail-slow.yaml`,
    to: '2024-08-16',
    set: ['simulation.path=high-first', 'strategy.parameters.stopRanges=5'],
  },
  {
    what: 'mark prices that are told late',
    config: `${SCENARIOS}/channel-flip.yaml`,
    to: '2025-05-22',
    set: ['simulation.path=low-first', 'simulation.dataDelayMs=1500'],
  },
  {
    what: 'fees that change, on a path through finer candles',
    config: `${SCENARIOS}/coin-hedge-finer.yaml`,
    from: '2025-05-25',
    to: '2025-06-07',
    set: ['strategy.parameters.averageCandles=12'],
  },
  {
    what: 'rules that change, by which orders are split',
    config: `${SCENARIOS}/channel-flip-liquidated.yaml`,
    from: '2025-06-13',
    to: '2025-06-17',
    set: [
      'simulation.balances={ USDT: "2000000" }',
      'risk.tooLarge.entries=split',
      'strategy.parameters.channelCandles=12',
      'strategy.parameters.rangeCandles=14',
    ],
  },
  {
    what: 'candles with holes',
    config: `${SCENARIOS}/rsi-mean-reversion-touch.yaml`,
    from: '2025-01-01',
    to: '2025-01-20',
    set: RSI_OFTEN,
    // Holes while flat, while a position waits for its target, and while an entry rests.
    holes: [
      ['2025-01-04T05:00Z', '2025-01-04T06:00Z'],
      ['2025-01-09T12:00Z', '2025-01-10T07:00Z'],
      ['2025-01-14T22:00Z', '2025-01-15T07:00Z'],
      ['2025-01-16T11:00Z', '2025-01-16T14:00Z'],
    ],
    cancels: 1,
  },
];

describe('parity', () => {
  it.each(CASES)('holds for $what', { timeout: 120_000 }, async ({ cancels = 0, ...options }) => {
    const { report, disagreements } = await runConfig(options);

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.fills).toBeGreaterThanOrEqual(20);
    expect(report.counts.cancels).toBeGreaterThanOrEqual(cancels);
  });

  it('holds for actions at scheduled times', { timeout: 120_000 }, async () => {
    const { report, disagreements } = await runConfig({
      config: `${EXAMPLES}/sma-crossover.backtest.yaml`,
      to: '2024-07-20',
      set: ['strategy.parameters={}'],
      strategyClass: TimedTrader,
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.fills).toBeGreaterThanOrEqual(20);
  });

  it.each([
    {
      product: 'spot',
      config: `${SCENARIOS}/rsi-mean-reversion-large.yaml`,
      to: '2024-07-12',
      participation: '0.01',
    },
    {
      product: 'a contract',
      config: `${SCENARIOS}/channel-flip.yaml`,
      to: '2025-05-06',
      participation: '0.000004',
    },
  ])(
    'holds for orders on $product that take volume at later opens',
    { timeout: 120_000 },
    async ({ config, to, participation }) => {
      const accepted = new Map<string, number>();
      let takenLater = 0;
      const journal: Journal = {
        append: (event) => {
          if (event.kind !== 'venue') return;
          const { update } = event;
          if (update.kind === 'accepted') accepted.set(update.clientOrderId, update.eventTime);
          if (update.kind !== 'fill' || update.fill.liquidity !== 'taker') return;
          const since = accepted.get(update.clientOrderId);
          if (since !== undefined && since < update.eventTime) takenLater += 1;
        },
      };
      const set = ['strategy.parameters={}', `simulation.participation="${participation}"`];
      const { report, disagreements } = await runConfig({
        ...{ journal, config, to, set },
        strategyClass: ImpatientTrader,
      });

      expect(report.difference).toBeUndefined();
      expect(disagreements).toEqual([]);
      expect(takenLater).toBeGreaterThan(5);
    },
  );

  it.each([
    { what: 'at once', leverage: '20', to: '2025-05-08', candles: '96' },
    { what: 'in steps', leverage: '50', to: '2025-05-08', candles: '40' },
  ])('holds for liquidations $what', { timeout: 120_000 }, async ({ leverage, to, candles }) => {
    let forced = 0;
    const journal: Journal = {
      append: (event) => {
        if (event.kind === 'venue' && event.update.kind === 'forced-fill') forced += 1;
      },
    };
    const { report, disagreements } = await runConfig({
      journal,
      config: `${SCENARIOS}/channel-flip-liquidated.yaml`,
      to,
      set: [
        `strategy.parameters.channelCandles=${candles}`,
        'strategy.parameters.rangeCandles=150',
        `instruments.0.leverage=${leverage}`,
      ],
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(forced).toBeGreaterThan(0);
  });

  it(
    'holds for entries that a wide stop at the venue holds back',
    { timeout: 60_000 },
    async () => {
      const { report, disagreements } = await runConfig({
        config: `${EXAMPLES}/channel-flip.backtest.yaml`,
        to: '2025-05-11',
        set: [
          'strategy.parameters={ channelCandles: 5, rangeCandles: 5, stopRanges: 3, exposure: 1 }',
          'live.venueStops=disaster',
          'live.disasterDistance="0.01"',
        ],
      });

      expect(report.difference).toBeUndefined();
      expect(disagreements).toEqual([]);
      expect(report.counts.refusals).toBeGreaterThan(0);
      expect(report.counts.fills).toBeGreaterThan(4);
    },
  );

  it('holds for refusals', { timeout: 60_000 }, async () => {
    const { report, disagreements } = await runConfig({
      config: `${EXAMPLES}/sma-crossover.backtest.yaml`,
      to: '2024-08-05',
      set: ['risk.maxOrderNotional="9600"', 'risk.maxOrdersPerDay=2'],
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.refusals).toBeGreaterThan(0);
  });
});
