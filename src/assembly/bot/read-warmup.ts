import type { Archive } from '../../archive/index.js';
import {
  floorToInterval,
  nominalIntervalMs,
  nounOf,
  present,
  type EpochMs,
} from '../../domain/index.js';
import type { StreamWarmup } from '../../engine/index.js';
import { loadWarmup, pagedCandles, storedCandles, type LoadedWarmup } from '../../feed/index.js';
import type { StreamWarming, WarmStream } from '../../live/index.js';
import type { MarketDataSource } from '../../venue/index.js';
import { describeWeight } from '../seed-weight.js';
import type { ToldCandles } from './journal/told-candles.js';

type Series = Pick<WarmStream, 'instrumentId' | 'interval'>;

/** Sources of warm-up candles. After the venue's newest candles, older ones come from these, in this order: the bot's past, pages of the venue, the archive. */
export interface WarmupSources {
  readonly source: Pick<MarketDataSource, 'candles' | 'capabilities'>;
  /** Candles that the bot received before. @defaultValue none: it is new */
  readonly told?: ToldCandles | undefined;
  readonly archive: Pick<Archive, 'read'> | undefined;
  readonly signal: AbortSignal;
}

/** @throws as `loadWarmup`. */
export function readWarmup(
  series: Series,
  { candles, least, neverForgets }: StreamWarmup,
  { source, told, archive, signal, until }: WarmupSources & { readonly until: EpochMs },
): Promise<LoadedWarmup> {
  const older = [
    ...(told === undefined ? [] : [told(series)]),
    pagedCandles(source, { ...series, signal }),
    ...(archive === undefined ? [] : [storedCandles(archive, series)]),
  ];
  const wantsAllTold = neverForgets && told !== undefined;
  return loadWarmup({ ...series, source, older, candles, least, wantsAllTold, until, signal });
}

/** Most candles that a warm-up from the journal may lack at its end. They are read later with one call, and a venue serves 300. */
const MOST_MISSED = 250;

/**
 * The warm-up of a series from the candles that the bot received before, without a call. Undefined if they are too few, or end too long ago. The market is
 * then read from the end of these candles on, as after a kill.
 */
export async function readToldWarmup(
  series: Series,
  { candles, neverForgets }: StreamWarmup,
  { told, until }: Pick<WarmupSources, 'told'> & { readonly until: EpochMs },
): Promise<LoadedWarmup | undefined> {
  if (candles === 0) return { candles: [], hasAllTold: true, warnings: [] };
  const most = neverForgets ? Number.POSITIVE_INFINITY : candles;
  const known = (await told?.(series).read(until, most)) ?? [];
  const last = known.at(-1);
  const earliest = until - MOST_MISSED * nominalIntervalMs(series.interval);
  if (last === undefined || known.length < candles || last.closeTime < earliest) return undefined;
  return { candles: neverForgets ? known : known.slice(-candles), hasAllTold: true, warnings: [] };
}

/** The newest known candles of a series that the venue no longer has, from the bot's journal, otherwise from the archive. @throws errors of the archive. */
export async function readKnownCandles(
  series: Series,
  { candles }: StreamWarmup,
  { told, archive, until }: WarmupSources & { readonly until: EpochMs },
): Promise<LoadedWarmup> {
  const places = [
    ...(told === undefined ? [] : [told(series)]),
    ...(archive === undefined ? [] : [storedCandles(archive, series)]),
  ];
  for (const place of places) {
    const known = (await place.read(until, candles)).filter(({ closeTime }) => closeTime <= until);
    const newest = known.slice(Math.max(0, known.length - candles));
    if (newest.length > 0) return { candles: newest, hasAllTold: false, warnings: [] };
  }
  return { candles: [], hasAllTold: false, warnings: [] };
}

/** Describes what a warm-up lacks, for the log. */
export function describeLack(
  { instrumentId, interval }: Series,
  { candles, recursive, neverForgets }: StreamWarmup,
  loaded: LoadedWarmup & { readonly isNew: boolean },
): readonly string[] {
  const series = `${instrumentId} ${interval}`;
  const { candles: found, warnings, hasAllTold, isNew } = loaded;
  const lacks = warnings.map((text) => `${series}: older candles are left out: ${text}`);
  if (found.length < candles)
    lacks.push(
      `${series}: ${String(candles - found.length)} of ${String(candles)} warm-up candles ${nounOf(candles - found.length, 'is', 'are')} missing; the start value of an indicator still has a weight of up to ${describeWeight(recursive, found.length)}`,
    );
  if (neverForgets && !isNew && !hasAllTold)
    lacks.push(
      `${series}: ${namesOf(recursive).join(', ')} never forgets its start, and the earlier candles of the bot do not connect to the current ones: it starts again`,
    );
  return lacks;
}

function namesOf(recursive: StreamWarmup['recursive']): readonly string[] {
  return recursive.flatMap(({ name, convergence }) => (Number.isFinite(convergence) ? [] : [name]));
}

/** Finds the warm-up of a series among those that the engine needs. */
export function warmupOf(
  { instrumentId, interval }: Series,
  needed: readonly StreamWarmup[],
): StreamWarmup {
  const found = needed.find(
    (each) => each.instrumentId === instrumentId && each.interval === interval,
  );
  return present(found, `warm-up of ${instrumentId} ${interval}`);
}

/** The candles that a series needs, and how many it has received. */
export function warmingOf(
  { instrumentId, interval }: Series,
  { candles, recursive }: StreamWarmup,
  { told, until }: { readonly told: number; readonly until: EpochMs },
): StreamWarming {
  const next = floorToInterval(until, interval);
  return { instrumentId, interval, candles, recursive, told, next };
}
