import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openArchive } from '../../../src/archive/index.js';
import { SharedCandles } from '../../../src/assembly/index.js';
import { readTerms } from '../../../src/assembly/market/load-terms.js';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type Candle,
  type CandleSeries,
  type EpochMs,
} from '../../../src/domain/index.js';
import {
  CandleStrategy,
  PrecomputedStore,
  int,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { columnsFrom } from '../../support/candle-columns.js';
import {
  candlesOnly,
  endOfPast,
  historyOf,
  pastOf,
  truncate,
  withNoiseAfter,
  type MarketHistory,
  type Play,
} from '../../support/look-ahead.js';
import { createMemoryArchive, type MemoryHoldings } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';
import {
  loadScenario,
  playScenario,
  scenarioNames,
  type Scenario,
} from '../../support/scenario.js';

/** Days of a scenario that are replayed: enough for a dozen orders or more. Default: {@link DEFAULT_DAYS}. */
const DAYS: Readonly<Record<string, number>> = {
  'breakout-trail': 35,
  'bracketed-grid': 30,
  grid: 30,
  quoter: 15,
  rotation: 75,
  'rotation-instant': 75,
  'trend-filter': 5,
  'trend-filter-delayed': 3,
};
const DEFAULT_DAYS = 60;

/** The number of cuts of a scenario with the name of its strategy, and of its variants. */
const CUTS =
  process.env['EVENKEEL_LONG'] === '1' ? { example: 200, variant: 40 } : { example: 8, variant: 3 };

/** The data that a scenario reads, and its terms, which the future does not change. */
async function loadMarket(
  { config }: Scenario,
  to: EpochMs,
): Promise<{ readonly market: MarketHistory; readonly terms: MemoryHoldings }> {
  const archive = openArchive(config.simulation.archive);
  const { stored } = await readTerms(
    { ...config, simulation: { ...config.simulation, to } },
    archive,
  );
  const wanted = config.instruments.flatMap(({ instrumentId, intervals }) =>
    intervals.map((interval) => ({ instrumentId, interval })),
  );
  const candles = await Promise.all(
    wanted.map(async ({ instrumentId, interval }) => ({
      instrumentId,
      interval,
      columns: await archive.read(instrumentId, interval, { to }),
    })),
  );
  const side = (kind: 'marks' | 'finer'): readonly CandleSeries[] =>
    [...stored].flatMap(([instrumentId, terms]) => {
      const series = terms[kind];
      if (series === undefined) return [];
      return [{ instrumentId, interval: series.interval, columns: series.rows.whole() }];
    });
  const [first] = candles;
  const info = first && (await archive.info(first.instrumentId, first.interval));
  const dated = [...stored].map(([id, terms]) => ({ id, ...terms }));
  return {
    market: {
      candles,
      marks: side('marks'),
      finer: side('finer'),
      funding: new Map(dated.flatMap(({ id, funding }) => (funding ? [[id, funding]] : []))),
    },
    terms: {
      rules: new Map(dated.map(({ id, rules }) => [id, rules])),
      tiers: new Map(dated.map(({ id, tiers }) => [id, tiers])),
      ...(info && { volumeUnit: info.volumeUnit }),
    },
  };
}

async function prepare(name: string): Promise<{
  readonly scenario: Scenario;
  readonly market: MarketHistory;
  readonly terms: MemoryHoldings;
  readonly from: EpochMs;
  readonly to: EpochMs;
}> {
  const scenario = await loadScenario(name);
  const from = scenario.config.simulation.from ?? 0;
  const to = from + (DAYS[name] ?? DEFAULT_DAYS) * DAY_MS;
  return { scenario, ...(await loadMarket(scenario, to)), from, to };
}

const playOf =
  (scenario: Scenario, terms: MemoryHoldings): Play =>
  ({ candles, finer, marks, funding }, journal) =>
    playScenario(
      scenario,
      createMemoryArchive([...candles, ...finer], { ...terms, marks, funding }),
      // Shared indicators know their values for the whole history, but show none before its candle. Shared candles are frozen.
      {
        journal,
        precomputed: new PrecomputedStore({ mostBytes: 1 << 26 }),
        candles: new SharedCandles({ mostCandles: 1 << 20 }),
      },
    );

describe('no order and no fill depends on a later candle', () => {
  it.each(scenarioNames())('%s: with later candles cut off, or replaced by noise', async (name) => {
    const { scenario, market, terms, from, to } = await prepare(name);
    const play = playOf(scenario, terms);
    const whole = await historyOf(play, market);
    const isExample = scenario.config.strategy.path.includes(`/${name}/`);
    let ordersBeforeCuts = 0;

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: from, max: to }), fc.integer(), async (cut, seed) => {
        const end = endOfPast(market, cut) ?? from;

        const truncated = await historyOf(play, truncate(market, cut));
        const noisy = await historyOf(play, withNoiseAfter(market, cut, seed));

        const past = pastOf(whole, end);
        expect(pastOf(truncated, end)).toEqual(past);
        expect(pastOf(noisy, end)).toEqual(past);
        ordersBeforeCuts += past.orders.length;
      }),
      { numRuns: isExample ? CUTS.example : CUTS.variant },
    );

    expect(ordersBeforeCuts).toBeGreaterThan(0);
    expect(whole.orders.length).toBeGreaterThan(5);
  });
});

describe('a strategy that looks ahead', () => {
  /** The number of cuts at which the orders or fills differ. */
  async function differences(
    peek: (series: readonly CandleSeries[]) => StrategyClass,
  ): Promise<{ readonly truncated: number; readonly noisy: number }> {
    const { scenario, market, terms, from, to } = await prepare('sma-crossover');
    const play: Play = (given, journal) =>
      playOf({ ...scenario, strategyClass: peek(given.candles) }, terms)(given, journal);
    const whole = await historyOf(play, market);
    const found = { truncated: 0, noisy: 0 };
    for (let cut = from + DAY_MS; cut < to; cut += 7 * DAY_MS) {
      const end = endOfPast(market, cut) ?? from;
      const past = JSON.stringify(pastOf(whole, end));
      const isEqual = async (other: MarketHistory): Promise<boolean> =>
        JSON.stringify(pastOf(await historyOf(play, other), end)) === past;
      if (!(await isEqual(truncate(market, cut)))) found.truncated += 1;
      if (!(await isEqual(withNoiseAfter(market, cut, cut)))) found.noisy += 1;
    }
    return found;
  }

  it('is detected if it reads one candle ahead, even if only at the cut', async () => {
    const peek = ([series]: readonly CandleSeries[]): StrategyClass =>
      class OneAhead extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
        override onCandle({ closeTime, close }: Candle): void {
          const next = series?.columns.close[series.columns.openTime.indexOf(closeTime)] ?? close;
          if (next > close) this.enterLong({ equity: '0.95' });
          else if (next < close) this.exit();
        }
      };

    const found = await differences(peek);

    expect(found.truncated).toBeGreaterThan(0);
    expect(found.noisy).toBeGreaterThan(0);
  });

  it('is detected if it knows the highest price of the whole run', async () => {
    const peek = ([series]: readonly CandleSeries[]): StrategyClass => {
      const highest = Math.max(...(series?.columns.high ?? []));
      return class Normalizes extends CandleStrategy({
        fast: int(2, 200, 10),
        slow: int(3, 400, 30),
      }) {
        override onCandle({ close }: Candle): void {
          if (close < highest * 0.9) this.enterLong({ equity: '0.95' });
          else this.exit();
        }
      };
    };

    const found = await differences(peek);

    expect(found.truncated).toBeGreaterThan(0);
    expect(found.noisy).toBeGreaterThan(0);
  });
});

describe('a cut', () => {
  const HOURLY = {
    instrumentId: BTC,
    interval: '1h',
    columns: columnsFrom(0, 2, HOUR_MS),
  } as const;
  const MINUTES = {
    instrumentId: BTC,
    interval: '1min',
    columns: columnsFrom(0, 120, MINUTE_MS),
  } as const;

  it('omits a coarse candle that is still open, and keeps finer candles of its period', () => {
    const cut = HOUR_MS + 30 * MINUTE_MS;

    const [hours, minutes] = truncate(candlesOnly([HOURLY, MINUTES]), cut).candles;

    expect(hours?.columns.openTime).toHaveLength(1);
    expect(minutes?.columns.openTime).toHaveLength(90);
    expect(endOfPast(candlesOnly([HOURLY, MINUTES]), cut)).toBe(cut);
  });

  it('lies at the last close before a time within a candle', () => {
    expect(endOfPast(candlesOnly([MINUTES]), 90.5 * MINUTE_MS)).toBe(90 * MINUTE_MS);
  });

  it('replaces only candles that have not closed with noise', () => {
    const cut = HOUR_MS + 30 * MINUTE_MS;

    const [hours, minutes] = withNoiseAfter(candlesOnly([HOURLY, MINUTES]), cut, 1).candles;

    expect(hours?.columns.close[0]).toBe(HOURLY.columns.close[0]);
    expect(hours?.columns.close[1]).not.toBe(HOURLY.columns.close[1]);
    expect(minutes?.columns.close.slice(0, 90)).toEqual(MINUTES.columns.close.slice(0, 90));
    expect(minutes?.columns.close[90]).not.toBe(MINUTES.columns.close[90]);
  });
});
