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

/** What a venue of a configuration is made of. */
export interface VenueParts {
  readonly simulation: SimulationConfig;
  readonly path: SimulationConfig['path'];
  readonly instruments: readonly Instrument[];
  readonly driving: ReadonlyMap<InstrumentId, LoadedSeries>;
  readonly span: RunSpan;
  readonly terms: MarketTerms;
  /** Chooses in place of the path, and is told where money decides. @defaultValue nobody */
  readonly branch?: Pick<BranchRun, 'choose' | keyof CashWatch> | undefined;
}

/** Builds the simulated venue a configuration describes. */
export function createVenue(
  parts: VenueParts,
  onUpdate: SimulatedVenueOptions['onUpdate'],
): SimulatedVenue {
  return new SimulatedVenue({ onUpdate, ...createVenueOptions(parts) });
}

/** What a configuration says about its venue: the same for a backtest and for an exchange that is to fill as it does. */
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
    // Last, as wherever options are spread that are read with each order: members after it would give each venue's a shape of its own.
    ...createTradingTerms(options),
  };
}

function createChooser({ path, branch }: VenueParts): SimulatedVenueOptions['chooseOrder'] {
  const own = createPathChooser(path);
  return branch === undefined ? own : (shape, market) => branch.choose(market, own(shape));
}

/** On what terms a configuration trades, whatever its market: the same for candles that are replayed and prices that are polled. */
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

/** What of a simulation says how orders fill. */
export type FillConfig = Pick<
  SimulationConfig,
  'slippage' | 'spreadBps' | 'participation' | 'fillOnTouch' | 'models'
>;

/** How orders fill, as the file of a bot or of a local exchange says it. */
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
