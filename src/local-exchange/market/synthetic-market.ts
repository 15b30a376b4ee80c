import { SynthStream, type SynthInstrument } from '../../archive/index.js';
import {
  CandleRows,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type EpochMs,
  type FuturesInstrument,
  type InstrumentRules,
  type SpotInstrument,
} from '../../domain/index.js';
import { GrowingCandles, GrowingFunding } from './growing-columns.js';
import type { ListedSource } from './load-market.js';

/** An instrument to list, and how its candles are made. */
export interface SyntheticListing {
  readonly instrument: SpotInstrument | FuturesInstrument;
  readonly rules: InstrumentRules;
  /** Its price at the origin, volatility and volume. Instrument and rules supply the rest. */
  readonly made: Pick<SynthInstrument, 'startPrice' | 'volatility' | 'dailyVolume' | 'like'>;
}

export interface SyntheticMarketOptions {
  /** Equal seeds and origins give equal candles. */
  readonly seed: number;
  /** Open time of the first candle, at midnight. */
  readonly from: EpochMs;
  readonly listings: readonly SyntheticListing[];
  /** Days for which room is reserved. After them the market stands still. @defaultValue ten years */
  readonly maxDays?: number | undefined;
}

interface GrowingSource {
  readonly source: ListedSource;
  readonly candles: GrowingCandles;
  readonly marks: GrowingCandles | undefined;
  readonly funding: GrowingFunding | undefined;
}

/** Days of history before trading begins. */
const HISTORY_DAYS = 7;
const MAX_DAYS = 3_660;
const CORRELATION = 0.7;
/** Candles reach at least so far ahead of market time: enough for the open candle, the next one, and the next funding. */
const AHEAD_MS = DAY_MS;
const ROWS_PER_DAY = DAY_MS / MINUTE_MS;
const SETTLEMENTS_PER_DAY = DAY_MS / (8 * HOUR_MS);

/**
 * Endless minute candles, made by the archive's seeded generator in whole days, at least one day ahead of market time.
 *
 * The sources are those of an exchange and grow in place. A day adds its rows to memory: 69 KB per instrument, twice that for a contract.
 */
export class SyntheticMarket {
  readonly #stream: SynthStream;
  readonly #growing: readonly GrowingSource[];
  readonly #limit: EpochMs;
  /** The earliest start of trading. */
  readonly start: EpochMs;

  /** @throws {SynthError} `E_SYNTH` as {@link SynthStream}. */
  constructor({ seed, from, listings, maxDays = MAX_DAYS }: SyntheticMarketOptions) {
    this.#stream = new SynthStream({
      ...({ seed, from, interval: '1min', correlation: CORRELATION } as const),
      instruments: listings.map(({ instrument, rules, made }) => ({
        ...made,
        instrumentId: instrument.id,
        pricePrecision: rules.pricePrecision,
        quantityPrecision: instrument.kind === 'futures' ? 0 : rules.quantityPrecision,
      })),
    });
    this.#growing = listings.map((listing) => createSource(listing, maxDays));
    this.#limit = from + maxDays * DAY_MS;
    this.start = from + HISTORY_DAYS * DAY_MS;
    this.growTo(this.start);
  }

  get sources(): readonly ListedSource[] {
    return this.#growing.map(({ source }) => source);
  }

  /** End of the last candle for which there is room. From then on the market stands still. */
  get limit(): EpochMs {
    return this.#limit;
  }

  /** Makes the candles that must exist when market time reaches `time`. */
  growTo(time: EpochMs): void {
    while (this.#stream.end < this.#limit && this.#stream.end < time + AHEAD_MS) {
      const blocks = this.#stream.next(this.#stream.end + DAY_MS);
      for (const [index, { candles, marks, funding }] of blocks.entries()) {
        const growing = this.#growing[index];
        growing?.candles.append(candles.columns);
        if (marks !== undefined) growing?.marks?.append(marks.columns);
        if (funding !== undefined) growing?.funding?.append(funding);
      }
    }
  }
}

function createSource({ instrument, rules }: SyntheticListing, maxDays: number): GrowingSource {
  const candles = new GrowingCandles(maxDays * ROWS_PER_DAY);
  const isContract = instrument.kind === 'futures';
  const marks = isContract ? new GrowingCandles(maxDays * ROWS_PER_DAY) : undefined;
  const funding = isContract ? new GrowingFunding(maxDays * SETTLEMENTS_PER_DAY) : undefined;
  const source: ListedSource = {
    instrument,
    rules: [{ from: 0, rules }],
    tiers: [],
    interval: '1min',
    rows: CandleRows.of(candles.columns),
    volumeUnit: isContract ? 'contracts' : 'base',
    pricePrecision: rules.pricePrecision,
    mark: marks && { interval: '1min', rows: CandleRows.of(marks.columns) },
    funding: funding && { stored: funding.columns },
  };
  return { source, candles, marks, funding };
}
