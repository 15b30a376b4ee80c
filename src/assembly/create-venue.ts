import {
  FIXED_ONE,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type RuleBook,
} from '../domain/index.js';
import type { StopWatch } from '../runtime/index.js';
import {
  createConstantFees,
  createFixedSlippage,
  createSquareRootSlippage,
  SimulatedVenue,
  type SimulatedVenueOptions,
  type SlippageModel,
} from '../simulator/index.js';
import type { PathMode, SimulationConfig, SlippageConfig } from './bot-config.js';
import type { LoadedSeries } from './load-market.js';
import { createPathChooser } from './path-modes.js';

const BASIS_POINT: Fixed = FIXED_ONE / 10_000n;

/** Builds the simulated venue a configuration describes. */
export function createVenue(options: {
  readonly simulation: SimulationConfig;
  readonly path: PathMode;
  readonly instruments: readonly Instrument[];
  readonly driving: ReadonlyMap<InstrumentId, LoadedSeries>;
  readonly rules: RuleBook;
  readonly onUpdate: SimulatedVenueOptions['onUpdate'];
  readonly stopWatches: () => readonly StopWatch[];
}): SimulatedVenue {
  const { simulation, rules, driving } = options;
  return new SimulatedVenue({
    tapes: options.instruments.flatMap((instrument) => {
      const series = driving.get(instrument.id);
      if (series === undefined) return [];
      const { interval, columns, info } = series;
      const pricePrecision = rules.at(instrument.id, columns.openTime[0] ?? 0)?.pricePrecision ?? 8;
      return [{ instrument, interval, columns, volumeUnit: info.volumeUnit, pricePrecision }];
    }),
    rules,
    balances: simulation.balances,
    fees: createConstantFees(simulation.fees),
    slippage: createSlippage(simulation.slippage),
    halfSpread: (simulation.spreadBps * BASIS_POINT) / FIXED_ONE / 2n,
    participation: simulation.participation,
    fillOnTouch: simulation.fillOnTouch,
    chooseOrder: createPathChooser(options.path, options.stopWatches),
    onUpdate: options.onUpdate,
  });
}

function createSlippage(config: SlippageConfig): SlippageModel {
  return config.model === 'fixed'
    ? createFixedSlippage((config.bps * BASIS_POINT) / FIXED_ONE)
    : createSquareRootSlippage(config.coefficient);
}
