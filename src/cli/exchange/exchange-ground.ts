import { openArchive, SynthError } from '../../archive/index.js';
import type { LoadedExchangeConfig } from '../../config/index.js';
import { DataError, DAY_MS, formatUtc, type EpochMs } from '../../domain/index.js';
import {
  shiftToNow,
  StoredMarket,
  SyntheticMarket,
  type ExchangeBuild,
  type ExchangeState,
} from '../../local-exchange/index.js';
import {
  archiveFolder,
  listInstruments,
  listSynthetic,
  syntheticProblem,
} from './exchange-listings.js';

/** The instruments of an exchange, and the market time at which trading begins. */
interface ExchangeGround extends Pick<ExchangeBuild, 'instruments' | 'growth'> {
  readonly start: EpochMs;
}

interface GroundOptions {
  readonly now: EpochMs;
  /** Stores the values that a later process must begin with, too. */
  readonly state: ExchangeState | undefined;
}

/** Start of synthetic candles, unless the clock is that of this machine or has a start. */
const SYNTHETIC_START = Date.UTC(2025, 0, 8);
const SYNTHETIC_HISTORY_MS = 7 * DAY_MS;

/**
 * Reads the stored candles or starts to make synthetic ones, as the config says.
 *
 * @throws {DataError} as {@link StoredMarket.load}; `E_DATA_RANGE` for a start without candles. {ConfigError} as the lists of instruments, and
 * `E_SYNTH` for a value that the generator of candles rejects.
 */
export async function openGround(
  loaded: LoadedExchangeConfig,
  options: GroundOptions,
): Promise<ExchangeGround> {
  return loaded.config.market.synthetic === undefined
    ? readGround(loaded, options)
    : makeGround(loaded, options);
}

async function readGround(
  loaded: LoadedExchangeConfig,
  { now, state }: GroundOptions,
): Promise<ExchangeGround> {
  const archive = openArchive(archiveFolder(loaded));
  const market = await StoredMarket.load(archive, await listInstruments(loaded, archive));
  const start = startOf(loaded, market);
  const isRealtime = loaded.config.clock.mode === 'realtime';
  const wanted = isRealtime ? shiftToNow(start, now) : 0;
  const shiftMs = Number(state?.keep('shiftMs', String(wanted)) ?? wanted);
  return {
    instruments: market.sources(shiftMs),
    growth: undefined,
    start: isRealtime ? now : start,
  };
}

function makeGround(loaded: LoadedExchangeConfig, { now, state }: GroundOptions): ExchangeGround {
  const { clock, market } = loaded.config;
  const isRealtime = clock.mode === 'realtime';
  const start = isRealtime ? now : (clock.start ?? SYNTHETIC_START);
  const wanted = Math.floor(start / DAY_MS) * DAY_MS - SYNTHETIC_HISTORY_MS;
  const from = Number(state?.keep('synthFrom', String(wanted)) ?? wanted);
  const listings = listSynthetic(loaded);
  try {
    const growth = new SyntheticMarket({ seed: market.synthetic?.seed ?? 1, from, listings });
    return { instruments: growth.sources, growth, start };
  } catch (error: unknown) {
    throw error instanceof SynthError ? syntheticProblem(error, loaded, listings) : error;
  }
}

function startOf({ config, document }: LoadedExchangeConfig, market: StoredMarket): number {
  const { start = market.start } = config.clock;
  if (start >= market.from && start < market.to) return start;
  const expected = `an instant from ${formatUtc(market.from)} to ${formatUtc(market.to)}, where all instruments have candles`;
  throw (
    document?.problem('E_DATA_RANGE', ['clock', 'start'], { expected }) ??
    new DataError('E_DATA_RANGE', `expected ${expected}, received ${formatUtc(start)}`)
  );
}
