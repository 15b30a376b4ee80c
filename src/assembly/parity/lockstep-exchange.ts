import { InvariantError, type EpochMs } from '../../domain/index.js';
import {
  buildVenueExchange,
  SimulatedAccount,
  type LocalExchange,
} from '../../local-exchange/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { createVenueOptions } from '../create-venue.js';
import { drivingSeries } from '../market/load-market.js';
import type { LoadedMarket } from '../market/prepare-market.js';
import { findRunSpan } from '../market/run-span.js';
import { createPathChooser } from '../path-modes.js';
import { LOCKSTEP_KEY } from './lockstep-client.js';
import type { TransportTime } from './transport-time.js';

/** Whose account the bot of a parity run trades on. */
export const LOCKSTEP_USER = '7';

export interface LockstepExchangeOptions {
  readonly config: BacktestConfig;
  readonly market: LoadedMarket;
  readonly from: EpochMs;
  readonly transport: TransportTime;
}

/** The exchange of a parity run: the venue of the backtest, served. */
export function createLockstepExchange(options: LockstepExchangeOptions): LocalExchange {
  const { config, market, from, transport } = options;
  const { simulation } = config;
  const { series, terms } = market;
  return buildVenueExchange({
    venue: createVenueOptions({
      simulation,
      path: simulation.path,
      instruments: config.instruments.map(createInstrument),
      driving: drivingSeries(series),
      span: findRunSpan(simulation, series),
      terms,
    }),
    start: from,
    account: { name: 'parity', userId: LOCKSTEP_USER, ...LOCKSTEP_KEY },
    updatePollMs: simulation.updatePollMs,
    // As candles do, marks come late: a mark is told with the candles of its instant.
    seen: {
      order: createPathChooser(simulation.path),
      markDelayMs: simulation.dataDelayMs,
      fundingRateKnown: simulation.futures.fundingRateKnown,
    },
    profile: config.live.venueStops === 'family' ? 'family' : 'interface',
    faults: { seed: 1, rules: [] },
    limits: {},
    transport,
  });
}

/** The venue under the parity account: which samples of last can matter is known to its candles alone. */
export function venueUnder(account: unknown): SimulatedAccount['venue'] {
  if (account instanceof SimulatedAccount) return account.venue;
  throw new InvariantError('E_MISSING', 'the account is not simulated');
}
