import {
  DataError,
  formatUtc,
  isSameCandle,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../domain/index.js';
import type { MarketDataSource } from '../venue/index.js';
import { MOST_CANDLES, withoutState } from './candle-tracker.js';

/** A source of candles older than the newest ones of the venue. */
export interface OlderCandles {
  /** Name of the source, for texts: `the archive`. */
  readonly name: string;
  /**
   * Whether these candles were given to the bot before. Such candles join by one equal candle, even if the venue has revised others since. Only they
   * show where an indicator that never forgets has begun.
   */
  readonly isOwn: boolean;
  /** Reads at most `most` candles that opened before a time, plus the available ones from then on; oldest first, empty if there are none. */
  read(before: EpochMs, most: number): Promise<readonly Candle[]>;
}

export interface WarmupOptions {
  readonly source: Pick<MarketDataSource, 'candles'>;
  /** Candles that close later belong to the run and are left out. */
  readonly until: EpochMs;
  /** Sources of older candles, the best first. */
  readonly older: readonly OlderCandles[];
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** Number of closed candles to load. */
  readonly candles: number;
  /** Smallest sufficient number, if there are no more. @defaultValue `candles` */
  readonly least?: number | undefined;
  /** Whether to load all candles that the bot got before, however many. @defaultValue false */
  readonly wantsAllTold?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** The warm-up candles of a stream. */
export interface LoadedWarmup {
  /** Closed, oldest first. */
  readonly candles: readonly Candle[];
  /** Whether they include all candles that the bot got before, from the first on. */
  readonly hasAllTold: boolean;
  /** Texts about older candles that do not fit. */
  readonly warnings: readonly string[];
}

/**
 * Reads the closed candles that a strategy gets before it may trade: the newest from the venue and, if these are too few, older ones from each
 * source, joined at candles that both have.
 *
 * @throws {DataError} with fewer than `least` candles: `E_WARMUP_JOIN` if older ones do not join, otherwise `E_WARMUP_SHORT`; errors of the source
 * and of the sources of older candles.
 */
export async function loadWarmup(options: WarmupOptions): Promise<LoadedWarmup> {
  const { candles, until, wantsAllTold = false } = options;
  const { least = candles } = options;
  if (candles === 0 && !wantsAllTold) return { candles: [], hasAllTold: false, warnings: [] };
  const polled = await readNewest(options, wantsAllTold ? MOST_CANDLES : candles);
  const { joined, firstTold, warnings } = await joinOlder(
    polled.filter(({ closed, closeTime }) => closed && closeTime <= until).map(withoutState),
    options,
  );
  const wanted =
    firstTold === undefined
      ? joined.slice(Math.max(0, joined.length - candles))
      : joined.filter(({ openTime }) => openTime >= firstTold);
  if (wanted.length < least) throw tooShort(options, wanted.length, warnings);
  return { candles: wanted, hasAllTold: firstTold !== undefined, warnings };
}

/** Reads the candles from before the start and those since: while a reading waits for the venue's limits, further candles close. */
async function readNewest(
  { source, instrumentId, interval, until, signal }: WarmupOptions,
  candles: number,
): Promise<Awaited<ReturnType<WarmupOptions['source']['candles']>>> {
  // The newest is still open, and one may have closed since the start.
  for (let since = 2; ;) {
    const limit = Math.min(MOST_CANDLES, candles + since);
    const polled = await source.candles(instrumentId, interval, { limit, signal });
    const late = polled.filter(({ closeTime }) => closeTime > until).length;
    if (late <= since || polled.length < limit || limit === MOST_CANDLES) return polled;
    since = late + 2;
  }
}

interface Joined {
  readonly joined: readonly Candle[];
  /** Open time of the first candle that the bot got. */
  readonly firstTold: EpochMs | undefined;
  readonly warnings: readonly string[];
}

/** Puts older candles before those of the venue. Candles that do not reach these may reach the candles of another source. */
async function joinOlder(newest: readonly Candle[], options: WarmupOptions): Promise<Joined> {
  const { candles, wantsAllTold = false } = options;
  const waiting = [...options.older];
  const problems = new Map<OlderCandles, string>();
  let joined = newest;
  let firstTold: EpochMs | undefined;
  for (let at = 0; at < waiting.length;) {
    const older = waiting[at] as OlderCandles;
    const [first] = joined;
    const wantsAll = wantsAllTold && older.isOwn;
    if (first === undefined || (joined.length >= candles && !wantsAll)) {
      at += 1;
      continue;
    }
    const most = wantsAll ? Number.POSITIVE_INFINITY : candles - joined.length;
    const found = await older.read(first.openTime, most);
    const problem = found.length === 0 ? undefined : findSeam(joined, found, older);
    if (found.length === 0 || problem !== undefined) {
      if (problem !== undefined) problems.set(older, problem);
      at += 1;
      continue;
    }
    if (wantsAll) firstTold = found[0]?.openTime;
    joined = [...found.filter(({ openTime }) => openTime < first.openTime), ...joined];
    problems.delete(older);
    waiting.splice(at, 1);
    at = 0;
  }
  return { joined, firstTold, warnings: [...problems.values()] };
}

/** Why older candles do not join: they end before the others begin, or differ from them; undefined if they join. */
function findSeam(
  joined: readonly Candle[],
  found: readonly Candle[],
  { name, isOwn }: OlderCandles,
): string | undefined {
  const [first] = joined;
  const byOpen = new Map(joined.map((candle) => [candle.openTime, candle]));
  const common = found.filter(({ openTime }) => byOpen.has(openTime));
  if (common.length === 0) {
    return `expected ${name} to reach ${formatUtc(first?.openTime ?? 0)} (start of the later candles), received candles to ${formatUtc(found.at(-1)?.openTime ?? 0)}`;
  }
  const isSame = (candle: Candle): boolean =>
    isSameCandle(candle, byOpen.get(candle.openTime) ?? candle);
  if (isOwn && common.some(isSame)) return undefined;
  const other = common.find((candle) => !isSame(candle));
  if (other === undefined) return undefined;
  const { close, volume, openTime } = byOpen.get(other.openTime) ?? other;
  return `expected ${name} to have the venue's candle of ${formatUtc(openTime)} (close ${String(close)}, volume ${String(volume)}), received another (close ${String(other.close)}, volume ${String(other.volume)})`;
}

function tooShort(
  { instrumentId, interval, candles, least = candles }: WarmupOptions,
  found: number,
  [problem]: readonly string[],
): DataError {
  const series = `${instrumentId} ${interval}`;
  if (problem !== undefined) {
    return new DataError(
      'E_WARMUP_JOIN',
      `${series}: older candles do not connect to those of the venue: ${problem}; bring the archive up to date with: evenkeel data download`,
    );
  }
  return new DataError(
    'E_WARMUP_SHORT',
    `${series}: expected ${String(least)} closed candles to warm up with, received ${String(found)}; import older ones with: evenkeel data import`,
  );
}
