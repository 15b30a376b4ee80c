import { FIXED_ONE, type CashWatch, type Instrument, type InstrumentId } from '../domain/index.js';
import { SimulatedVenue, type SimulatedVenueOptions } from '../simulator/index.js';
import type { BranchRun } from './bounds/branch-run.js';
import type { SimulationConfig } from '../config/index.js';
import { fundingSourceOf } from './market/funding-times.js';
import type { LoadedSeries } from './market/load-market.js';
import type { MarketTerms } from './market/load-terms.js';
import { createPathChooser } from './path-modes.js';
import type { RunSpan } from './market/run-span.js';
import { BASIS_POINT, feeModelOf, slippageModelOf } from './venue-models.js';

/** The parts of a configuration's simulated venue. */
interface VenueParts {
  readonly simulation: SimulationConfig;
  readonly path: SimulationConfig['path'];
  readonly instruments: readonly Instrument[];
  readonly driving: ReadonlyMap<InstrumentId, LoadedSeries>;
  readonly span: RunSpan;
  readonly terms: MarketTerms;
  /** Chooses the order of extremes instead of the path, and learns when the run depends on amounts of cash. @defaultValue none */
  readonly branch?: Pick<BranchRun, 'choose' | keyof CashWatch> | undefined;
}

/** Builds the simulated venue a configuration describes. */
export function createVenue(
  parts: VenueParts,
  onUpdate: SimulatedVenueOptions['onUpdate'],
): SimulatedVenue {
  return new SimulatedVenue({ onUpdate, ...createVenueOptions(parts) });
}

/** The options of a configuration's venue: the same for a backtest and for an exchange that must fill like it. */
export function createVenueOptions(options: VenueParts): Omit<SimulatedVenueOptions, 'onUpdate'> {
  const { simulation, terms, driving, span } = options;
  const { rules } = terms;
  return {
    markets: options.instruments.flatMap((instrument) => {
      const series = driving.get(instrument.id);
      if (series === undefined) return [];
      const { interval, rows, info } = series;
      const pricePrecision = rules.at(instrument.id, rows.openTime(0))?.pricePrecision ?? 8;
      const stored = terms.stored.get(instrument.id);
      return [
        {
          instrument,
          interval,
          rows,
          volumeUnit: info.volumeUnit,
          pricePrecision,
          finer: stored?.finer,
          mark: stored?.marks,
          funding:
            instrument.kind === 'futures'
              ? fundingSourceOf(terms, simulation.futures, instrument.id)
              : undefined,
          span,
        },
      ];
    }),
    chooseOrder: createChooser(options),
    cashWatch: options.branch,
    // Spread last, like all options that are read with each order: members after the spread would give the options of each venue a shape of their own.
    ...createTradingTerms(options),
  };
}

function createChooser({ path, branch }: VenueParts): SimulatedVenueOptions['chooseOrder'] {
  const own = createPathChooser(path);
  return branch === undefined ? own : (shape, market) => branch.choose(market, own(shape));
}

/** The trading terms of a configuration, independent of the market: the same for replayed candles and for polled prices. */
export function createTradingTerms({
  simulation,
  terms,
}: Pick<VenueParts, 'simulation' | 'terms'>): Omit<
  SimulatedVenueOptions,
  'onUpdate' | 'markets' | 'chooseOrder'
> {
  return {
    rules: terms.rules,
    balances: simulation.balances,
    futures: {
      positionMode: simulation.futures.positionMode,
      maxFeeRate: simulation.futures.maxFeeRate,
      tiers: terms.tiers,
    },
    margin: simulation.margin,
    fees: feeModelOf(simulation),
    ...createFillTerms(simulation),
  };
}

/** The keys of a simulation that decide how orders fill. */
export type FillConfig = Pick<
  SimulationConfig,
  'slippage' | 'spreadBps' | 'participation' | 'fillOnTouch' | 'models'
>;

/** The fill terms of a bot's or a local exchange's file. */
export function createFillTerms({
  spreadBps,
  participation,
  fillOnTouch,
  ...terms
}: FillConfig): Pick<
  SimulatedVenueOptions,
  'slippage' | 'halfSpread' | 'participation' | 'fillOnTouch'
> {
  return {
    slippage: slippageModelOf(terms),
    halfSpread: (spreadBps * BASIS_POINT) / FIXED_ONE / 2n,
    participation,
    fillOnTouch,
  };
}
