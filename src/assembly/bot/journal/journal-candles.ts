import { hashColumns } from '../../../archive/index.js';
import type { BacktestConfig } from '../../../config/index.js';
import {
  CandleRows,
  columnsOfCandles,
  fixedFromNumber,
  nominalIntervalMs,
  type Candle,
  type CandleColumns,
  type InstrumentId,
  type Interval,
} from '../../../domain/index.js';
import type { Portfolio } from '../../../engine/index.js';
import type { GapStart, RunGaps } from '../../../report/index.js';
import type { HashedSeries } from '../../identity/hash-inputs.js';
import { drivingSeries } from '../../market/load-market.js';

/** Candles that a bot has received, as a stored series. */
export interface JournalSeries extends HashedSeries {
  readonly rows: CandleRows;
}

/** Collects the candles of a journal, each once: a bot that starts again receives the candles of its warm-up again. */
export class JournalCandles {
  readonly #series: readonly SeriesCandles[];
  readonly #driving: ReadonlyMap<InstrumentId, SeriesCandles>;
  readonly #starts: GapStart[] = [];
  #missing = 0;

  constructor({ instruments }: Pick<BacktestConfig, 'instruments'>) {
    this.#series = instruments.flatMap(({ instrumentId, intervals }) =>
      intervals.map((interval) => new SeriesCandles(instrumentId, interval)),
    );
    this.#driving = drivingSeries(this.#series);
  }

  /** Takes a candle. With `portfolio`, a gap before the candle counts, in money at the present rates. */
  take(candle: Candle, portfolio: Portfolio | undefined): void {
    const { instrumentId, interval } = candle;
    const series = this.#series.find(
      (each) => each.instrumentId === instrumentId && each.interval === interval,
    );
    // The journal may contain streams that the configuration does not have.
    if (series === undefined) return;
    const before = series.last;
    if (!series.add(candle) || before === undefined || portfolio === undefined) return;
    if (this.#driving.get(instrumentId) !== series || candle.openTime === before.closeTime) return;
    this.#missing += Math.max(
      1,
      Math.round((candle.openTime - before.closeTime) / nominalIntervalMs(interval)),
    );
    const { instrument } = portfolio.instrument(instrumentId);
    this.#starts.push({
      instrumentId,
      time: before.closeTime,
      price: fixedFromNumber(before.close),
      worth:
        portfolio.worthOf(
          instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote,
        ) ?? 0n,
    });
  }

  /** Gaps before the candles that were taken with a portfolio. */
  get gaps(): RunGaps {
    return { count: this.#starts.length, missing: this.#missing, starts: this.#starts };
  }

  /** The collected series. A series without a candle is left out. */
  series(): readonly JournalSeries[] {
    return this.#series.flatMap((each) => {
      const { instrumentId, interval, last } = each;
      if (last === undefined) return [];
      const known = each.columns;
      return [
        {
          instrumentId,
          interval,
          rows: CandleRows.of(known),
          info: { columnsSha256: hashColumns(known) },
        },
      ];
    });
  }
}

class SeriesCandles {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly #candles: Candle[] = [];

  constructor(instrumentId: InstrumentId, interval: Interval) {
    this.instrumentId = instrumentId;
    this.interval = interval;
  }

  get last(): Candle | undefined {
    return this.#candles.at(-1);
  }

  /** Returns whether the candle is new. */
  add(candle: Candle): boolean {
    const { last } = this;
    if (last !== undefined && candle.openTime <= last.openTime) return false;
    this.#candles.push(candle);
    return true;
  }

  get columns(): CandleColumns {
    return columnsOfCandles(this.#candles);
  }
}
