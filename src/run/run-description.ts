import type { BotDescription } from '../config/index.js';

type Strategy = BotDescription['strategy'];
type Simulation = NonNullable<BotDescription['simulation']>;

/**
 * A bot to backtest, of the shape of its YAML file: the same keys, values, defaults and checks. Amounts, rates and times are text, as they are
 * there. `strategy.path`, `simulation.archive` and `simulation.fees` are left out where a class, candles or a model are handed over instead; these,
 * and every other path, are relative to the folder `directory` of the options.
 */
export interface RunDescription extends Omit<BotDescription, 'strategy' | 'simulation'> {
  readonly strategy?: Omit<Strategy, 'path'> & Partial<Pick<Strategy, 'path'>>;
  readonly simulation: Omit<Simulation, 'archive' | 'fees'> &
    Partial<Pick<Simulation, 'archive' | 'fees'>>;
}

/** A bot to run, on paper or live, likewise. `venue` says where, unless a venue is handed over; then it may hold no address and no module. */
export interface BotRunDescription extends Omit<BotDescription, 'strategy'> {
  readonly strategy?: RunDescription['strategy'];
}
