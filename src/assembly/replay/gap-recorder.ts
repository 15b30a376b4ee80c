import {
  fixedFromNumber,
  nominalIntervalMs,
  present,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { GapStart, RunGaps } from '../../report/index.js';
import type { Portfolio } from '../../engine/index.js';
import type { SeriesCursor } from './series-cursor.js';

/** A gap before a row of a series. */
interface Gap {
  readonly cursor: SeriesCursor;
  readonly row: number;
}

/** Counts the gaps in the candles that drive the venue, and keeps their start times and prices (DESIGN R14). */
export class GapRecorder {
  readonly #driving: ReadonlyMap<InstrumentId, SeriesCursor>;
  readonly #gaps: Gap[] = [];

  /** `driving` is the finest series of each instrument. A gap in a coarser series adds nothing. */
  constructor(driving: ReadonlyMap<InstrumentId, SeriesCursor>) {
    this.#driving = driving;
  }

  /** Notes the gap before the cursor's next candle. */
  note(cursor: SeriesCursor): void {
    if (this.isDriving(cursor)) this.#gaps.push({ cursor, row: cursor.row });
  }

  /**
   * The gaps of a run that began at `from`. Those of its warm-up have ended by then. The report finds the positions itself, because at the start of a gap not
   * all earlier actions of the venue are known.
   */
  figures(portfolio: Portfolio, from: EpochMs): RunGaps {
    const gaps = this.#gaps.filter(({ cursor, row }) => cursor.rows.openTime(row) > from);
    const starts = gaps.map(({ cursor, row }) => this.breakAfter(cursor, row - 1, portfolio));
    return {
      count: gaps.length,
      missing: gaps.reduce((sum, gap) => sum + missingBefore(gap), 0),
      starts: starts.sort((a, b) => a.time - b.time),
    };
  }

  /** The close of a row's candle, with the worth of the quote or margin asset in the equity currency at that time. */
  breakAfter(cursor: SeriesCursor, row: number, portfolio: Portfolio): GapStart {
    const { instrumentId } = cursor;
    const time = cursor.closeTimeAt(row);
    const { instrument } = portfolio.instrument(instrumentId);
    const asset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
    const priceOf = (id: InstrumentId): Fixed | undefined => this.#closeBy(id, time);
    return {
      instrumentId,
      time,
      price: present(priceOf(instrumentId), 'the candle that closed then'),
      worth: portfolio.worthAt(asset, priceOf) ?? 0n,
    };
  }

  /** Whether a series drives the path of its instrument. */
  isDriving(cursor: SeriesCursor): boolean {
    return this.#driving.get(cursor.instrumentId) === cursor;
  }

  /** Close of the last candle that has closed by a time; undefined if there is none. */
  #closeBy(instrumentId: InstrumentId, time: EpochMs): Fixed | undefined {
    const cursor = this.#driving.get(instrumentId);
    const close = cursor?.rows.close(cursor.closedBy(time) - 1);
    return close === undefined ? undefined : fixedFromNumber(close);
  }
}

function missingBefore({ cursor, row }: Gap): number {
  const length = cursor.rows.openTime(row) - cursor.closeTimeAt(row - 1);
  return Math.max(1, Math.round(length / nominalIntervalMs(cursor.interval)));
}
