import fc from 'fast-check';

import {
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
  type Asset,
  type CandleColumns,
  type CandleSeries,
  type DatedRules,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type { ProtectionConfig } from '../../../src/risk/index.js';
import type { RandomMarketRun } from '../arbitraries/random-markets.js';
import type { RandomReplay } from '../replays/random-replays.js';

type Instrument = RandomMarketRun['config']['instruments'][number];

const money = (...choices: readonly string[]): fc.Arbitrary<bigint> =>
  fc.constantFrom(...choices.map(parseFixed));

/** Limits on losses so near that they are reached. Amounts are those of a quote of a few thousand; see {@link inCoins}. */
const nearLimits: fc.Arbitrary<ProtectionConfig> = fc.record(
  {
    maxDailyLoss: money('1', '8', '30'),
    maxDailyLossRatio: money('0.0002', '0.002'),
    maxDrawdown: money('2', '15'),
    maxDrawdownRatio: money('0.0005', '0.004'),
    drawdownWindowMs: fc.constantFrom(20 * MINUTE_MS),
    cooldownAfterStopMs: fc.constantFrom(2 * MINUTE_MS, 9 * MINUTE_MS),
    maxConsecutiveLosses: fc.constantFrom(1, 2),
    haltMs: fc.constantFrom(3 * MINUTE_MS, 10 * MINUTE_MS),
    onHalt: fc.constantFrom('block', 'cancel', 'flatten'),
  },
  { requiredKeys: ['onHalt', 'haltMs'] },
);

/** What most drawn runs leave out. */
export interface CornerTerms {
  /** Assets of further instruments, of the product of the first. */
  readonly more: readonly Asset[];
  readonly limits: ProtectionConfig | undefined;
  /** Minutes from the first candle to the first stop of trading, how long each lasts, and the time from one to the next. */
  readonly halts:
    { readonly after: number; readonly length: number; readonly every: number } | undefined;
  /** Whether a change of fees is one of the last instrument alone. */
  readonly hasOwnFees: boolean;
}

export const cornerTerms: fc.Arbitrary<CornerTerms> = fc.record({
  more: fc.constantFrom<readonly Asset[]>([], ['SOL'], ['SOL', 'XRP']),
  limits: fc.option(nearLimits, { nil: undefined, freq: 1 }),
  halts: fc.option(
    fc.record({
      after: fc.integer({ min: 4, max: 30 }),
      length: fc.integer({ min: 1, max: 6 }),
      every: fc.integer({ min: 8, max: 20 }),
    }),
    { nil: undefined, freq: 1 },
  ),
  hasOwnFees: fc.boolean(),
});

/** A replay on these terms. */
export function inCorner(replay: RandomReplay, terms: CornerTerms): RandomReplay {
  const wide = terms.more.reduce(withAnother, replay.run);
  const limited = terms.limits === undefined ? wide : withLimits(wide, terms.limits);
  const fees = terms.hasOwnFees ? withOwnFees(limited) : limited;
  return { ...replay, run: terms.halts === undefined ? fees : withHalts(fees, terms.halts) };
}

/** Adds an instrument of the product of the first one. Its market is that of the first one, backwards. */
function withAnother(run: RandomMarketRun, base: Asset): RandomMarketRun {
  const { config, market, rules } = run;
  const [first] = config.instruments;
  if (first === undefined) throw new Error('expected an instrument');
  const other = anotherOf(first, base);
  const id = other.instrumentId;
  const alike = <T>(values: ReadonlyMap<InstrumentId, T>): ReadonlyMap<InstrumentId, T> => {
    const own = values.get(first.instrumentId);
    return own === undefined ? values : new Map([...values, [id, own]]);
  };
  const backwards = (series: readonly CandleSeries[]): readonly CandleSeries[] => [
    ...series,
    ...series
      .filter(({ instrumentId }) => instrumentId === first.instrumentId)
      .map((each) => ({ ...each, instrumentId: id, columns: backwardsOf(each.columns) })),
  ];
  const { simulation } = config;
  return {
    ...run,
    config: {
      ...config,
      instruments: [...config.instruments, other],
      simulation: {
        ...simulation,
        balances: withCoins(simulation.balances, other),
        rules: alike(simulation.rules),
        futures: { ...simulation.futures, tiers: alike(simulation.futures.tiers) },
      },
    },
    market: {
      candles: backwards(market.candles),
      finer: backwards(market.finer),
      marks: backwards(market.marks),
      funding: alike(market.funding),
    },
    rules: alike(rules),
  };
}

function anotherOf(first: Instrument, base: Asset): Instrument {
  const symbol = first.symbol.replace(first.base, base);
  return { ...first, base, symbol, instrumentId: createInstrumentId(first.kind, symbol) };
}

/** Coins that are the margin of an inverse contract. */
function withCoins(
  balances: RandomMarketRun['config']['simulation']['balances'],
  instrument: Instrument,
): RandomMarketRun['config']['simulation']['balances'] {
  if (instrument.kind !== 'futures' || instrument.contract !== 'inverse') return balances;
  const futures = new Map([
    ...(balances.futures ?? []),
    [instrument.base, parseFixed('100')] as const,
  ]);
  return { ...balances, futures };
}

function backwardsOf(columns: CandleColumns): CandleColumns {
  const { openTime, open, high, low, close, volume } = columns;
  return {
    ...columns,
    openTime,
    open: close.toReversed(),
    close: open.toReversed(),
    high: high.toReversed(),
    low: low.toReversed(),
    volume: volume.toReversed(),
  };
}

function withLimits(run: RandomMarketRun, limits: ProtectionConfig): RandomMarketRun {
  const { config } = run;
  const { risk } = config;
  const protections = { ...risk.protections, ...limits };
  return { ...run, config: { ...config, risk: { ...risk, protections } } };
}

function withOwnFees(run: RandomMarketRun): RandomMarketRun {
  const { config } = run;
  const { simulation, instruments } = config;
  const instrumentId = instruments.at(-1)?.instrumentId;
  const feeChanges = simulation.feeChanges.map((each) => ({ ...each, instrumentId }));
  return { ...run, config: { ...config, simulation: { ...simulation, feeChanges } } };
}

/** Rules under which each instrument stops trading again and again, one after another. */
function withHalts(
  run: RandomMarketRun,
  { after, length, every }: NonNullable<CornerTerms['halts']>,
): RandomMarketRun {
  const { config, market } = run;
  const opens = market.candles.map(({ columns }) => columns.openTime[0] ?? Infinity);
  const start = Math.min(...opens);
  const rules = new Map(
    config.instruments.map(({ instrumentId }, index): [InstrumentId, readonly DatedRules[]] => {
      const first = config.simulation.rules.get(instrumentId);
      if (first === undefined) throw new Error(`expected rules of ${instrumentId}`);
      const dated: DatedRules[] = [{ from: 0, rules: first }];
      for (let minute = after + index * 3; minute < 200; minute += every) {
        const from = start + minute * MINUTE_MS;
        dated.push({ from, rules: { ...first, tradable: false } });
        dated.push({ from: from + length * MINUTE_MS, rules: first });
      }
      return [instrumentId, dated];
    }),
  );
  return { ...run, rules };
}
