import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { replayBacktest, runParity, type BacktestConfig } from '../../../src/assembly/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import { MINUTE_MS, parseFixed, type Interval } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, type StrategyClass } from '../../../src/strategy/index.js';
import { constantLatency } from '../../support/backtest-config.js';
import type { CandleRow } from '../../support/candle-columns.js';
import { aContractArchive, aContractConfig, CONTRACT_START } from '../../support/contract-run.js';
import { PlainReplay } from '../../support/replays/plain-replay.js';

/** Candles with a constant price each, and much volume. */
const flat = (minutes: number, ...prices: readonly number[]): readonly CandleRow[] =>
  prices.map((price, index) => ({
    time: CONTRACT_START + index * minutes * MINUTE_MS,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 1_000_000,
  }));

/** Does one thing at the close of each candle, counted from 1. */
function atCandles(...acts: readonly ((strategy: CandleStrategyOf) => void)[]): StrategyClass {
  return class Acting extends CandleStrategy({}) {
    #candle = 0;

    override onCandle(): void {
      acts[this.#candle]?.(this);
      this.#candle += 1;
    }
  };
}
type CandleStrategyOf = InstanceType<ReturnType<typeof CandleStrategy>>;

interface Scene {
  readonly config: BacktestConfig;
  readonly rows: readonly CandleRow[];
  readonly marks?: readonly CandleRow[];
  readonly interval: Interval;
  readonly strategyClass: StrategyClass;
}

function parts({ config, rows, marks, interval, strategyClass }: Scene) {
  const archive = aContractArchive(rows, { interval, ...(marks && { marks }) });
  return { config, archive, strategyClass, sourceHash: 'liquidation' };
}

/** Fills, in ms after the start. */
const fillsOf = ({ fills }: RunRecord): readonly string[] =>
  [...fills].map(
    ({ cause, record }) =>
      `+${String(record.eventTime - CONTRACT_START)} ${cause ?? 'order'} ${record.side}`,
  );

/** The mark is a tenth below last, so every position is liquidated as soon as it opens. */
const LOST_AT_ENTRY: Scene = {
  config: aContractConfig(),
  rows: flat(5, 100, 100, 100, 100),
  marks: flat(5, 90, 90, 90, 90),
  interval: '5min',
  strategyClass: atCandles((strategy) => strategy.enterLong({ quantity: '1000' }, LIMIT_OF_101)),
};
const LIMIT_OF_101 = { limitPrice: '101' } as const;

/** Bought at 100 by a resting order while the market jumps to 90, and canceled in the same minute. */
const LOST_AT_OPEN: Scene = {
  config: aContractConfig({ interval: '1min', simulation: { latency: constantLatency(500) } }),
  rows: flat(1, 102, 102, 90, 90),
  interval: '1min',
  strategyClass: atCandles(
    (strategy) => strategy.enterLong({ quantity: '1000' }, { limitPrice: '100', label: 'low' }),
    (strategy) => strategy.cancel({ label: 'low' }),
  ),
};

/** Bought at 100, liquidated while the market jumps to 85. The next entry arrives before a poll has reported the liquidation. */
const LOST_BEFORE_ENTRY: Scene = {
  config: aContractConfig({ interval: '1min', simulation: { updatePollMs: 7 * MINUTE_MS } }),
  rows: flat(1, 100, 100, 85, 85, 85),
  interval: '1min',
  strategyClass: atCandles(
    (strategy) => strategy.enterLong({ quantity: '1000' }),
    () => undefined,
    (strategy) => strategy.enterLong({ quantity: '100' }, { add: true }),
  ),
};

/** Two entries at one instant. The first moves the market so far that it is liquidated at its fill. The second moves it a little, and holds. */
function lostBetweenEntries(
  contract: 'linear' | 'inverse',
  positionMode: 'hedge' | 'oneWay',
): Scene {
  const config = aContractConfig({
    interval: '1min',
    simulation: { slippage: { model: 'squareRoot', coefficient: parseFixed('0.05') } },
  });
  const { simulation, instruments } = config;
  const isInverse = contract === 'inverse';
  return {
    config: {
      ...config,
      instruments: instruments.map((one) => ({ ...one, ...(isInverse && { contract }) })),
      simulation: {
        ...simulation,
        balances: { futures: new Map([[isInverse ? 'BTC' : 'USDT', parseFixed('10000')]]) },
        futures: { ...simulation.futures, positionMode },
      },
    },
    rows: flat(1, 100, 100, 100).map((row) => ({ ...row, volume: 1_000 })),
    interval: '1min',
    strategyClass: atCandles((strategy) => {
      strategy.enterLong({ quantity: '1000' }, { limitPrice: '106', label: 'large' });
      strategy.enterLong({ quantity: '50' }, { limitPrice: '106', label: 'small', add: true });
    }),
  };
}

describe.each([
  ['linear', 'hedge'],
  ['linear', 'oneWay'],
  ['inverse', 'hedge'],
  ['inverse', 'oneWay'],
] as const)(
  'a position that is liquidated between two entries of one instant (%s, %s)',
  (contract, positionMode) => {
    const scene = lostBetweenEntries(contract, positionMode);

    it('is booked as liquidated between them, by the replay loop and by the plain replay', async () => {
      const record = await replayBacktest(parts(scene));
      const plain = await replayBacktest({
        ...parts(scene),
        createReplay: (options) => new PlainReplay(options),
      });

      const expected = ['+60080 order buy', '+60080 liquidation sell', '+60080 order buy'];
      expect(fillsOf(record)).toEqual(expected);
      expect(fillsOf(plain)).toEqual(expected);
      expect([record.residual, plain.residual]).toEqual([0n, 0n]);
    });

    it('is booked the same over HTTP', async () => {
      const { report } = await runParity({
        ...parts(scene),
        breathe: () => nextTurn(),
        timers: systemTime,
      });

      expect(report.difference).toBeUndefined();
      expect(report.counts.fills).toBe(3);
    });
  },
);

describe('an entry after a liquidation that is not known yet', () => {
  it('is booked after the liquidation, with a residual of 0', async () => {
    const record = await replayBacktest(parts(LOST_BEFORE_ENTRY));

    expect(fillsOf(record)).toEqual([
      '+60080 order buy',
      '+120000 liquidation sell',
      '+180080 order buy',
    ]);
    expect(record.residual).toBe(0n);
  });

  it('is booked the same over HTTP', async () => {
    const { report } = await runParity({
      ...parts(LOST_BEFORE_ENTRY),
      breathe: () => nextTurn(),
      timers: systemTime,
    });

    expect(report.difference).toBeUndefined();
    expect(report.counts.fills).toBe(3);
  });
});

describe('a fill that liquidates at once', () => {
  it('on arrival is liquidated at the same time, and the run continues', async () => {
    const record = await replayBacktest(parts(LOST_AT_ENTRY));

    expect(fillsOf(record)).toEqual(['+300080 order buy', '+300080 liquidation sell']);
    expect(record.residual).toBe(0n);
  });

  it('at an open, with its cancel on the way, is liquidated at the same time, and the run continues', async () => {
    const record = await replayBacktest(parts(LOST_AT_OPEN));

    expect(fillsOf(record)).toEqual(['+120000 order buy', '+120000 liquidation sell']);
    expect(record.residual).toBe(0n);
  });

  it.each([
    ['on arrival', LOST_AT_ENTRY],
    ['at an open', LOST_AT_OPEN],
  ])('%s gives the same over HTTP as in the backtest', async (_when, scene) => {
    const { report } = await runParity({
      ...parts(scene),
      breathe: () => nextTurn(),
      timers: systemTime,
    });

    expect(report.difference).toBeUndefined();
    expect(report.counts.fills).toBe(2);
  });
});

describe('parity', () => {
  it('rejects with the reason of its abort', async () => {
    const controller = new AbortController();
    const reason = new Error('interrupted');

    const run = runParity({
      ...parts(LOST_AT_OPEN),
      breathe: () => nextTurn(),
      timers: systemTime,
      onProgress: () => {
        setImmediate(() => {
          controller.abort(reason);
        });
      },
      signal: controller.signal,
    });

    await expect(run).rejects.toBe(reason);
  });
});
