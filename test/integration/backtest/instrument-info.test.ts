import { CandleStrategy } from 'evenkeel';
import { describe, expect, it } from 'vitest';

import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import { HOUR_MS, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { candlesOfCloses } from '../../support/candles.js';
import { columnsOf } from '../../support/candle-columns.js';
import { aContractArchive, aContractConfig, CONTRACT_START } from '../../support/contract-run.js';
import { BTC, replay } from '../../support/replay.js';
import { runConfig } from '../../support/parity/run-config.js';

type Told = InstanceType<ReturnType<typeof CandleStrategy>>;

/** At the close of each candle, notes a value and then runs the act of that candle. */
function acting(
  acts: readonly (((strategy: Told) => unknown) | undefined)[],
  note: (strategy: Told) => void,
) {
  return class Acting extends CandleStrategy({}) {
    #candle = 0;

    override onCandle(): void {
      note(this);
      acts[this.#candle]?.(this);
      this.#candle += 1;
    }
  };
}

/** Plays five-minute candles of a contract whose mark equals last. Returns the notes at their closes. */
async function notedOfContract<Note>(
  config: BacktestConfig,
  prices: readonly number[],
  acts: Parameters<typeof acting>[0],
  note: (strategy: Told) => Note,
) {
  const rows = prices.map((price, index) => ({
    time: CONTRACT_START + index * 5 * MINUTE_MS,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 100_000_000,
  }));
  const notes: Note[] = [];
  const { fills } = await replayBacktest({
    config,
    archive: aContractArchive(rows, { marks: rows }),
    strategyClass: acting(acts, (strategy) => {
      notes.push(note(strategy));
    }),
    sourceHash: 'instrument-info',
  });
  const forced = [...fills]
    .filter(({ cause }) => cause === 'liquidation')
    .map(({ record }) => Math.floor((record.eventTime - CONTRACT_START) / (5 * MINUTE_MS)));
  return { notes, forced };
}

function withTerms(
  config: BacktestConfig,
  terms: { readonly marginMode: 'cross' | 'isolated' },
): BacktestConfig {
  return {
    ...config,
    instruments: config.instruments.map((each) =>
      each.kind === 'futures' ? { ...each, ...terms } : each,
    ),
  };
}

const RULES = {
  tradable: true,
  pricePrecision: 2,
  quantityPrecision: 3,
  minOrderMoney: parseFixed('5'),
};
const LIMIT = { limitPrice: '101' };

describe('instrument() for a pair', () => {
  it('returns terms, rules in force and open profit', async () => {
    const notes: unknown[] = [];
    const rows = candlesOfCloses([100, 100, 104, 104]).map(({ close }, hour) => ({
      time: hour * HOUR_MS,
      open: close,
      high: close,
      low: close,
      close,
    }));
    await replay(
      acting([(strategy) => strategy.enterLong({ quantity: '2' })], (strategy) => {
        const known = strategy.instrument('BTCUSDT');
        const { rules } = known;
        notes.push([
          String(known.openProfit()),
          String(rules?.step),
          rules?.minOrderMoney?.toFixed(),
          known.position().entryPrice?.toFixed(),
        ]);
        expect(known).toBe(strategy.instrument());
        expect(known).toMatchObject({
          ...{ instrumentId: 'spot:BTCUSDT', kind: 'spot', symbol: 'BTCUSDT' },
          ...{ base: 'BTC', quote: 'USDT', contract: undefined, multiplier: undefined },
          ...{ leverage: undefined, marginMode: undefined, marginAsset: undefined },
          ...{ fundingRate: undefined, nextFundingTime: undefined, markPrice: undefined },
          last: strategy.last(),
        });
        expect(String(rules?.tick)).toBe('0.01');
        expect(known.liquidationPrice()).toBeUndefined();
        expect(known.liquidationDistance()).toBeUndefined();
      }),
      columnsOf(rows),
      { rules: new Map([[BTC, RULES]]) },
    );

    expect(notes).toEqual([
      ['0', '0.001', '5', undefined],
      ['0', '0.001', '5', '100'],
      ['8', '0.001', '5', '100'],
      ['8', '0.001', '5', '100'],
    ]);
  });
});

describe('instrument() for a contract', () => {
  const liquidationOf = (strategy: Told): unknown => {
    const known = strategy.instrument();
    const { liquidationPrice, liquidationDistance } = strategy.position;
    expect(liquidationPrice).toEqual(known.liquidationPrice());
    expect(liquidationDistance).toEqual(known.liquidationDistance());
    return [
      known.openProfit().toFixed(),
      known.liquidationPrice()?.toFixed(6),
      known.liquidationDistance()?.toFixed(6),
    ];
  };

  it('returns terms and the next funding time', async () => {
    const { notes } = await notedOfContract(aContractConfig(), [100, 100], [], (strategy) => {
      const known = strategy.instrument();
      const { kind, contract, multiplier, leverage, marginMode, marginAsset } = known;
      return [
        kind,
        contract,
        multiplier?.toFixed(),
        leverage?.toFixed(),
        marginMode,
        marginAsset,
        known.nextFundingTime,
      ];
    });

    const terms = ['futures', 'linear', '0.001', '20', 'isolated', 'USDT'];
    expect(notes).toEqual([
      [...terms, CONTRACT_START + 8 * HOUR_MS],
      [...terms, CONTRACT_START + 8 * HOUR_MS],
    ]);
  });

  it('returns the liquidation price of an isolated position, which is then liquidated there', async () => {
    const { notes, forced } = await notedOfContract(
      aContractConfig(),
      [100, 100, 96, 95.56, 95.55, 95.55],
      [(strategy) => strategy.enterLong({ quantity: '1000' }, LIMIT)],
      liquidationOf,
    );

    // One bitcoin at 100, margin 5: 5 + p − 100 = 0.0058 × p at p = 95 ÷ 0.9942.
    expect(notes).toEqual([
      ['0', undefined, undefined],
      ['0', '95.554214', '0.044458'],
      ['-4', '95.554214', '0.004644'],
      ['-4.44', '95.554214', '0.000061'],
      ['0', undefined, undefined],
      ['0', undefined, undefined],
    ]);
    expect(forced).toEqual([4]);
  });

  it('returns the liquidation price of a short', async () => {
    const { notes, forced } = await notedOfContract(
      aContractConfig(),
      [100, 100, 104.39, 104.4],
      [(strategy) => strategy.enterShort({ quantity: '1000' }, { limitPrice: '99' })],
      liquidationOf,
    );

    // 5 + 100 − p = 0.0058 × p at p = 105 ÷ 1.0058.
    expect(notes.slice(1, 3)).toEqual([
      ['0', '104.394512', '0.043945'],
      ['-4.39', '104.394512', '0.000043'],
    ]);
    expect(forced).toEqual([3]);
  });

  it('returns the liquidation price on cross while other marks stay, and the position is liquidated there', async () => {
    const { notes, forced } = await notedOfContract(
      withTerms(aContractConfig(), { marginMode: 'cross' }),
      [100, 100, 60, 50.38, 50.37, 50.37],
      [(strategy) => strategy.enterLong({ quantity: '200000' }, LIMIT)],
      liquidationOf,
    );

    // 200 bitcoin at 100, fee 16: 9984 + 200 × p − 20000 = 0.0058 × 200 × p at p = 10016 ÷ 198.84.
    expect(notes.slice(0, 4)).toEqual([
      ['0', undefined, undefined],
      ['0', '50.372159', '0.496278'],
      ['-8000', '50.372159', '0.160464'],
      ['-9924', '50.372159', '0.000156'],
    ]);
    expect(forced).toEqual([4]);
  });

  it('returns no liquidation price on cross if the balance carries the position at any price', async () => {
    const { notes } = await notedOfContract(
      withTerms(aContractConfig(), { marginMode: 'cross' }),
      [100, 100],
      [(strategy) => strategy.enterLong({ quantity: '1000' }, LIMIT)],
      liquidationOf,
    );

    expect(notes.at(-1)).toEqual(['0', undefined, undefined]);
  });

  it('returns no liquidation price on cross while both sides are held', async () => {
    const config = withTerms(aContractConfig(), { marginMode: 'cross' });
    const { notes } = await notedOfContract(
      {
        ...config,
        simulation: {
          ...config.simulation,
          futures: { ...config.simulation.futures, positionMode: 'hedge' },
        },
      },
      [100, 100, 100],
      [
        (strategy) => {
          strategy.enterLong({ quantity: '200000' }, LIMIT);
          strategy.enterShort({ quantity: '100' });
        },
      ],
      (strategy) => [
        strategy.instrument().position('short').quantity.toFixed(),
        strategy.instrument().liquidationPrice('long'),
      ],
    );

    expect(notes.at(-1)).toEqual(['100', undefined]);
  });
});

describe('instrument()', () => {
  it('returns the same in a backtest and over HTTP', { timeout: 120_000 }, async () => {
    const sides: unknown[][] = [];
    class Reader extends CandleStrategy({}) {
      readonly #notes: unknown[] = [];
      readonly known = this.instrument('E-BTC-USDT');
      readonly shown = sides.push(this.#notes);
      #candle = 0;

      override onCandle(): void {
        const { known } = this;
        this.#candle += 1;
        if (this.#candle % 12 === 1) this.enterLong({ equity: '2' });
        else if (this.#candle % 12 === 7) this.exit();
        this.#notes.push([
          this.now,
          known.fundingRate,
          known.nextFundingTime,
          known.openProfit().toFixed(),
          known.liquidationPrice()?.toFixed(),
          known.liquidationDistance()?.toFixed(),
          known.rules?.maxMarketQuantity?.toFixed(),
        ]);
      }
    }

    const { report } = await runConfig({
      config: 'backtest/scenarios/channel-flip.yaml',
      to: '2025-05-08',
      set: ['strategy.parameters={}'],
      strategyClass: Reader,
    });

    expect(report.difference).toBeUndefined();
    const [one, other] = sides.filter((notes) => notes.length > 0);
    expect(one?.length).toBeGreaterThan(100);
    expect(other).toEqual(one);
  });
});
