import fc from 'fast-check';

import type {
  BacktestConfig,
  InstrumentConfig,
  SimulationConfig,
} from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  FUNDING_RATES_KNOWN,
  MINUTE_MS,
  parseFixed,
  type AccountBalances,
  type CandleSeries,
  type DatedRules,
  type InstrumentId,
  type Interval,
} from '../../../src/domain/index.js';
import type { MarketHistory } from '../look-ahead.js';
import { anyProtections, protectionsOf } from './any-protections.js';
import { FUNDING_MS, fundingOf, marksOf } from './contract-market.js';
import { instrumentRules, randomRuns, type Lengths, type RandomRun } from './random-runs.js';

/** A configuration for any strategy on any product, its market, and the form in which the market is delivered. */
export interface RandomMarketRun {
  readonly config: BacktestConfig;
  readonly market: MarketHistory;
  readonly rules: ReadonlyMap<InstrumentId, readonly DatedRules[]>;
  /** Rows of a block of candles; undefined: all in one block. */
  readonly blockRows: number | undefined;
  readonly keepCloses: boolean;
}

const INTERVALS: readonly (readonly Interval[])[] = [
  ['1min'],
  ['5min'],
  ['1min', '5min'],
  ['5min', '1min'],
  ['1min', '15min', '5min'],
];

export type Product = 'spot' | 'margin' | 'linear' | 'inverse';

const money = (...choices: readonly string[]): fc.Arbitrary<bigint> =>
  fc.constantFrom(...choices.map(parseFixed));

/** Undefined more often than a value. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, arbitrary);

const contractTerms = {
  leverage: fc.constantFrom(1n, 3n, 20n),
  marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
  positionMode: fc.constantFrom('hedge' as const, 'oneWay' as const),
  hasMarks: fc.boolean(),
  /** Every n-th mark is missing; 0: no mark is missing. */
  missingMarks: fc.constantFrom(0, 0, 7),
  hasFunding: fc.boolean(),
  fundingRateKnown: fc.constantFrom(...FUNDING_RATES_KNOWN),
  hourlyRate: money('0', '0.00001', '0.004'),
};

const latencies = fc.record({
  submit: fc.constantFrom({ min: 20, max: 900 }, { min: 0, max: 70_000 }),
  cancel: fc.constantFrom({ min: 5, max: 5 }, { min: 0, max: 3_000 }),
});

/** A minute of the run, in ms after its first candle. */
const instant = fc.integer({ min: 30, max: 80 }).map((minute) => minute * MINUTE_MS);

const terms = fc.record({
  /** Products of the first and of the second instrument. */
  products: fc.constantFrom<readonly [Product, Product]>(
    ['spot', 'spot'],
    ['spot', 'spot'],
    ['margin', 'margin'],
    ['linear', 'linear'],
    ['linear', 'linear'],
    ['inverse', 'inverse'],
    ['spot', 'linear'],
    ['linear', 'margin'],
  ),
  ...contractTerms,
  /** Drawn for each command; undefined: constant. */
  latency: sometimes(latencies),
  isFiner: fc.constantFrom(false, false, true),
  feeChange: sometimes(
    fc.record({
      after: instant,
      maker: money('0.0002', '-0.0002'),
      taker: money('0.0005', '0.003'),
    }),
  ),
  ruleChange: sometimes(
    fc.record({
      after: instant,
      tradable: fc.constantFrom(true, true, false),
      rules: instrumentRules,
    }),
  ),
  startsAfter: sometimes(fc.constant(20 * MINUTE_MS)),
  endsAfter: sometimes(fc.constant(90 * MINUTE_MS)),
  closeAtEnd: fc.boolean(),
  marketBand: money('0.05', '0.05', '0.002'),
  protections: anyProtections,
  blockRows: fc.constantFrom(undefined, undefined, 5, 32),
  keepCloses: fc.boolean(),
});
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

/** {@link randomRuns} on any product: spot, margin, linear and inverse contracts with or without marks and funding, alone and mixed, or on `products`. */
export function randomMarketRuns(
  parameters: Parameters<typeof randomRuns>[0],
  lengths: Lengths,
  products?: Terms['products'],
): fc.Arbitrary<RandomMarketRun> {
  return fc
    .tuple(randomRuns(parameters, lengths, INTERVALS), terms)
    .map(([run, chosen]) => onProducts(run, products ? { ...chosen, products } : chosen));
}

function onProducts({ config, series, finer }: RandomRun, chosen: Terms): RandomMarketRun {
  const instruments = config.instruments.map((each, index) =>
    instrumentOf(each, chosen.products[index] ?? 'spot', chosen),
  );
  const renamed = new Map(
    config.instruments.map(({ instrumentId }, index) => [instrumentId, instruments[index]]),
  );
  const rename = (each: CandleSeries): CandleSeries => ({
    ...each,
    instrumentId: renamed.get(each.instrumentId)?.instrumentId ?? each.instrumentId,
  });
  const candles = series.map(rename);
  const [first] = instruments;
  if (first === undefined) throw new Error('expected an instrument');
  const start = Math.min(...candles.map(({ columns }) => columns.openTime[0] ?? 0));
  const rules = new Map(
    config.instruments.map(({ instrumentId }, index): [InstrumentId, DatedRules['rules']] => {
      const drawn = config.simulation.rules.get(instrumentId);
      if (drawn === undefined) throw new Error(`expected rules of ${instrumentId}`);
      const own = instruments[index] ?? first;
      return [own.instrumentId, rulesOf(drawn, own)];
    }),
  );
  return {
    config: {
      ...config,
      instruments,
      equityCurrency: chosen.products[0] === 'inverse' ? 'USD' : 'USDT',
      risk: {
        ...config.risk,
        marketBand: chosen.marketBand,
        protections: protectionsOf(chosen.protections, first),
      },
      simulation: simulationOf(config.simulation, { instruments, rules, start }, chosen),
    },
    market: {
      candles,
      marks: chosen.hasMarks ? marksOf(ofContracts(candles, instruments), chosen.missingMarks) : [],
      finer: chosen.isFiner ? finer.map(rename) : [],
      funding: new Map(
        ofContracts(candles, instruments)
          .filter(() => chosen.hasFunding)
          .map(({ instrumentId, columns }) => [instrumentId, fundingOf(columns)]),
      ),
    },
    rules: datedRules(rules, instruments, { start, ...chosen.ruleChange }),
    blockRows: chosen.blockRows,
    keepCloses: chosen.keepCloses,
  };
}

interface Named {
  readonly instruments: readonly InstrumentConfig[];
  readonly rules: ReadonlyMap<InstrumentId, DatedRules['rules']>;
  readonly start: number;
}

function simulationOf(
  simulation: SimulationConfig,
  { instruments, rules, start }: Named,
  chosen: Terms,
): SimulationConfig {
  const { feeChange, startsAfter, endsAfter, products } = chosen;
  const hasPairsOnly = instruments.every(({ kind }) => kind === 'spot');
  return {
    ...simulation,
    from: startsAfter === undefined ? undefined : start + startsAfter,
    to: endsAfter === undefined ? undefined : start + endsAfter,
    balances: balancesOf(instruments, simulation.balances),
    fees: hasPairsOnly ? simulation.fees : { ...simulation.fees, paidIn: 'quote' },
    feeChanges:
      feeChange === undefined
        ? []
        : [{ ...feeChange, from: start + feeChange.after, instrumentId: undefined }],
    latency: chosen.latency ?? simulation.latency,
    path: chosen.isFiner ? 'finer' : simulation.path,
    closeAtEnd: chosen.closeAtEnd,
    rules,
    futures: {
      ...simulation.futures,
      positionMode: chosen.positionMode,
      fundingIntervalMs: FUNDING_MS,
      fundingRateKnown: chosen.fundingRateKnown,
      maxFeeRate: parseFixed('0.0075'),
      tiers: new Map(
        instruments
          .filter(({ kind }) => kind === 'futures')
          .map(({ instrumentId }) => [instrumentId, [{ from: 0, tiers: [TIER] }]]),
      ),
    },
    margin: { hourlyRate: products.includes('margin') ? chosen.hourlyRate : 0n },
  };
}

/** 10,000 of the quote on the account of each product, or 100 coins where they are the margin. */
function balancesOf(
  instruments: readonly InstrumentConfig[],
  drawn: AccountBalances,
): AccountBalances {
  const balances: Record<string, Map<string, bigint>> = {};
  for (const instrument of instruments) {
    const { kind, base } = instrument;
    const own = (balances[kind] ??= new Map(kind === 'spot' ? drawn.spot : []));
    if (kind === 'futures' && instrument.contract === 'inverse') own.set(base, parseFixed('100'));
    else own.set('USDT', parseFixed('10000'));
  }
  return balances;
}

/** Rules of contracts: quantities are whole, and the maximums are 50 times those of a pair, because each contract is worth a tenth of a coin or less. */
function rulesOf(rules: DatedRules['rules'], { kind }: InstrumentConfig): DatedRules['rules'] {
  if (kind !== 'futures') return rules;
  const { maxMarketQuantity, maxLimitQuantity, ...common } = rules;
  return {
    ...common,
    quantityPrecision: 0,
    ...(maxMarketQuantity !== undefined && { maxMarketQuantity: maxMarketQuantity * 50n }),
    ...(maxLimitQuantity !== undefined && { maxLimitQuantity: maxLimitQuantity * 50n }),
  };
}

/** Dated rules of an archive, if they change in the middle of the run. Empty if they stay. */
function datedRules(
  first: ReadonlyMap<InstrumentId, DatedRules['rules']>,
  instruments: readonly InstrumentConfig[],
  change: { readonly start: number } & Partial<NonNullable<Terms['ruleChange']>>,
): ReadonlyMap<InstrumentId, readonly DatedRules[]> {
  const { start, after, tradable, rules } = change;
  if (after === undefined || rules === undefined) return new Map();
  return new Map(
    instruments.map((each) => {
      const before = first.get(each.instrumentId) ?? rules;
      const later = rulesOf({ ...rules, tradable: tradable ?? true }, each);
      return [
        each.instrumentId,
        [
          { from: 0, rules: before },
          { from: start + after, rules: later },
        ],
      ];
    }),
  );
}

const TIER = {
  maxValue: undefined,
  maxLeverage: 100n * FIXED_ONE,
  keepRate: parseFixed('0.005'),
};

function instrumentOf(
  given: InstrumentConfig,
  product: Product,
  { leverage, marginMode }: Terms,
): InstrumentConfig {
  const { symbol, base, intervals } = given;
  if (product === 'spot') return given;
  if (product === 'margin') {
    const instrumentId = createInstrumentId('margin', symbol);
    const terms = { instrumentId, symbol, base, quote: 'USDT', intervals };
    return { ...terms, kind: 'margin', leverage: leverage * FIXED_ONE };
  }
  const isLinear = product === 'linear';
  const quote = isLinear ? 'USDT' : 'USD';
  const contract = `${isLinear ? 'E' : 'I'}-${base}-${quote}`;
  return {
    kind: 'futures',
    instrumentId: createInstrumentId('futures', contract),
    symbol: contract,
    base,
    quote,
    intervals,
    contract: product,
    multiplier: parseFixed(isLinear ? '0.1' : '10'),
    leverage: leverage * FIXED_ONE,
    marginMode,
  };
}

function ofContracts(
  series: readonly CandleSeries[],
  instruments: readonly InstrumentConfig[],
): readonly CandleSeries[] {
  const contracts = new Set(
    instruments.filter(({ kind }) => kind === 'futures').map(({ instrumentId }) => instrumentId),
  );
  return series.filter(({ instrumentId }) => contracts.has(instrumentId));
}
