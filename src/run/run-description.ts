import type { BotDescription } from '../config/index.js';

type Strategy = BotDescription['strategy'];
type Simulation = NonNullable<BotDescription['simulation']>;

/**
 * A bot to backtest, in the shape of its YAML file: the same keys, values, defaults and checks. Amounts, rates and times are text, as in the file. Leave out
 * `strategy.path`, `simulation.archive` or `simulation.fees` if you give a class, candles or a fee model. These and all other paths are relative to the
 * folder `directory` of the options.
 */
export interface RunDescription extends Omit<BotDescription, 'strategy' | 'simulation'> {
  readonly strategy?: Omit<Strategy, 'path'> & Partial<Pick<Strategy, 'path'>>;
  readonly simulation: Omit<Simulation, 'archive' | 'fees'> &
    Partial<Pick<Simulation, 'archive' | 'fees'>>;
}

/** A bot to run, on paper or live, in the same shape. `venue` names the venue. If a venue object is given, `venue` may hold no address and no module. */
export interface BotRunDescription extends Omit<BotDescription, 'strategy'> {
  readonly strategy?: RunDescription['strategy'];
}
