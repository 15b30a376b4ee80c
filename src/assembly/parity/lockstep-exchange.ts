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

/** The owner of the account on which the bot of a parity run trades. */
export const LOCKSTEP_USER = '7';

interface LockstepExchangeOptions {
  readonly config: BacktestConfig;
  readonly market: LoadedMarket;
  readonly from: EpochMs;
  readonly transport: TransportTime;
}

/** Makes the exchange of a parity run: it serves the venue of the backtest. */
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
    // Marks are late like candles: a mark becomes known together with the candles of its instant.
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

/** Returns the venue of the parity account. Only the venue's candles show which samples of last can matter. */
export function venueUnder(account: unknown): SimulatedAccount['venue'] {
  if (account instanceof SimulatedAccount) return account.venue;
  throw new InvariantError('E_MISSING', 'the account is not simulated');
}
