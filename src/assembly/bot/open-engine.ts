import {
  ConfigError,
  floorToInterval,
  nominalIntervalMs,
  VENUE_INTERVALS,
  type EpochMs,
  type InstrumentId,
  type Interval,
  type VenueInterval,
} from '../../domain/index.js';
import type { Engine, StreamWarmup } from '../../engine/index.js';
import type { LoadedWarmup } from '../../feed/index.js';
import {
  patiently,
  type PatienceOptions,
  type StreamWarming,
  type WarmStream,
} from '../../live/index.js';
import { createEngine, type CreateEngineOptions } from '../create-engine.js';
import type { RunBegin } from '../run-options.js';
import type { RunInputs } from './journal/replay-journal.js';
import { needsGuard } from './position-guard.js';
import {
  describeLack,
  readKnownCandles,
  readToldWarmup,
  readWarmup,
  warmingOf,
  warmupOf,
  type WarmupSources,
} from './read-warmup.js';

export interface OpenEngineOptions
  extends RunInputs, WarmupSources, Omit<CreateEngineOptions, keyof RunInputs | 'constructed'> {
  /** The venue's time. */
  readonly now: EpochMs;
  /** Retries after failures of the source. @defaultValue none: a failure is thrown */
  readonly patience?: PatienceOptions | undefined;
  /**
   * Whether the venue no longer has an instrument. Its warm-up is then what the bot received before, or what the archive has, however few. @defaultValue
   * none is gone
   */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Called right before the strategy is subscribed to and receives its first event. */
  readonly onBegin?: ((begin: RunBegin) => void) | undefined;
}

export interface OpenedEngine {
  /** Started; no event has been processed yet. */
  readonly engine: Engine;
  /** The streams with the candles for the strategy's warm-up. */
  readonly streams: readonly WarmStream[];
  /** For each stream: the candles that it needs, and those that it has. */
  readonly warmings: readonly StreamWarming[];
}

/**
 * Makes the engine of a configuration for a venue, and reads its warm-up there.
 *
 * @throws {ConfigError} when the configuration does not fit the strategy or the venue; {DataError} of the warm-up; errors of the source.
 */
export async function openEngine(options: OpenEngineOptions): Promise<OpenedEngine> {
  const { config, now, terms, patience, log, isGone = () => false } = options;
  const engine = createEngine({ ...options, constructed: now });
  const needed = engine.construct();
  const streams: WarmStream[] = [];
  const warmings: StreamWarming[] = [];
  const told = await readAllTold(options, needed);
  for (const [index, stream] of listStreams(config).entries()) {
    const warmup = warmupOf(stream, needed);
    const readFrom = isGone(stream.instrumentId) ? readKnownCandles : readWarmup;
    const read = () => readFrom(stream, warmup, { ...options, until: now });
    const loaded =
      told?.[index] ?? (await (patience === undefined ? read() : patiently(read, patience)));
    const isNew = options.told === undefined;
    for (const lack of describeLack(stream, warmup, { ...loaded, isNew })) log?.warn(lack);
    const { candles: history } = loaded;
    streams.push({ ...stream, history });
    const until = (told && history.at(-1)?.closeTime) ?? now;
    warmings.push(warmingOf(stream, warmup, { told: history.length, until }));
  }
  const isWarmingUp = streams.some(({ history }) => history.length > 0);
  const started = isWarmingUp ? Math.min(...streams.map((each) => firstOpen(each, now))) : now;
  options.onBegin?.({ constructed: now, started, terms: terms.rulesHash, state: engine.keptState });
  engine.start(started);
  return { engine, streams, warmings };
}

/**
 * The warm-up of every stream from the bot's journal, if something has to be guarded: stops are sampled after the warm-up, and to read it takes a call for
 * each stream. Undefined unless the journal has all of it.
 */
async function readAllTold(
  options: OpenEngineOptions,
  needed: readonly StreamWarmup[],
): Promise<readonly LoadedWarmup[] | undefined> {
  const { config, now, checkpoint } = options;
  if (checkpoint === undefined || !needsGuard(checkpoint)) return undefined;
  const found: LoadedWarmup[] = [];
  for (const stream of listStreams(config)) {
    const loaded = await readToldWarmup(stream, warmupOf(stream, needed), {
      ...options,
      until: now,
    });
    if (loaded === undefined) return undefined;
    found.push(loaded);
  }
  return found;
}

/**
 * The candle streams of a configuration, in the order in which candles of one instant are delivered.
 *
 * @throws {ConfigError} `E_CONFIG_VALUE` for an interval that the venue does not serve.
 */
export function listStreams({
  instruments,
}: RunInputs['config']): readonly Pick<WarmStream, 'instrumentId' | 'interval'>[] {
  return instruments
    .flatMap(({ instrumentId, intervals }) =>
      intervals.map((interval) => ({
        instrumentId,
        interval: venueInterval(instrumentId, interval),
      })),
    )
    .sort((a, b) => nominalIntervalMs(b.interval) - nominalIntervalMs(a.interval));
}

/** Open time of the first warm-up candle; without one, of the candle that is open now. */
function firstOpen({ history, interval }: WarmStream, now: EpochMs): EpochMs {
  return history[0]?.openTime ?? floorToInterval(now, interval);
}

function venueInterval(instrumentId: InstrumentId, interval: Interval): VenueInterval {
  const known = VENUE_INTERVALS.find((each) => each === interval);
  if (known !== undefined) return known;
  throw new ConfigError('E_CONFIG_VALUE', {
    location: { file: '', key: 'instruments' },
    expected: `an interval that the venue serves (${VENUE_INTERVALS.join(', ')}) for ${instrumentId}`,
    received: interval,
  });
}
