import { formatUtc, nounOf, present, type EpochMs, type InstrumentId } from '../../domain/index.js';
import { compareStreams, type StreamWarmup } from '../../engine/index.js';
import { describeWeight } from '../seed-weight.js';
import type { LoadedSeries } from '../market/load-market.js';
import { SeriesCursor } from './series-cursor.js';

/**
 * Places a cursor on each series so that exactly its warm-up comes before `from`. If less is stored, the first candles of the range complete the warm-up,
 * and `warn` is called.
 */
export function createCursors(
  series: readonly LoadedSeries[],
  options: {
    readonly from: EpochMs | undefined;
    /** Candles that close later are not delivered. */
    readonly until: EpochMs;
    readonly warmup: readonly StreamWarmup[];
    readonly warn: (warning: string) => void;
  },
): readonly SeriesCursor[] {
  return [...series].sort(compareStreams).map((loaded) => {
    const { instrumentId, interval, info } = loaded;
    const stream = options.warmup.find(
      (candidate) => candidate.instrumentId === instrumentId && candidate.interval === interval,
    );
    const { candles, least, recursive } = present(stream, `warm-up of ${instrumentId} ${interval}`);
    // If the whole series is delivered, its last rows need not be read yet.
    const cursor = new SeriesCursor(loaded, info.to <= options.until ? undefined : options.until);
    const before = options.from === undefined ? 0 : cursor.closedBy(options.from);
    if (options.from !== undefined && before < least) {
      options.warn(
        `${instrumentId} ${interval}: ${String(before)} of ${String(least)} warm-up candles ${nounOf(before, 'is', 'are')} stored before ${formatUtc(options.from)}; the first of the range complete them`,
      );
    } else if (options.from !== undefined && before < candles) {
      options.warn(
        `${instrumentId} ${interval}: ${String(candles - before)} of ${String(candles)} warm-up candles ${nounOf(candles - before, 'is', 'are')} missing before ${formatUtc(options.from)}; at the start what an indicator began from still weighs up to ${describeWeight(recursive, before)}`,
      );
    }
    // With delayed data, a candle that closed before the run may become known only after it.
    cursor.row = Math.min(cursor.end, Math.max(0, before - candles));
    return cursor;
  });
}

/** The cursors of the finest series of each instrument, which drive the venue. */
export function listDrivingCursors(
  cursors: readonly SeriesCursor[],
  driving: ReadonlyMap<InstrumentId, LoadedSeries>,
): ReadonlyMap<InstrumentId, SeriesCursor> {
  const finest = cursors.filter(
    ({ instrumentId, interval }) => driving.get(instrumentId)?.interval === interval,
  );
  return new Map(finest.map((cursor) => [cursor.instrumentId, cursor]));
}
