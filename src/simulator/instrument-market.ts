import {
  candleQuantity,
  closeTimeOf,
  divideFloor,
  FIXED_ONE,
  fixedFromNumber,
  fixedIntervalMs,
  maxFixed,
  nominalIntervalMs,
  present,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../domain/index.js';
import {
  CandlePath,
  nearestOrder,
  PARTS_OF_MS,
  priceBetween,
  type CandleShape,
  type Crossing,
  type ExtremeOrder,
  type PathPrice,
} from './candle-path.js';
import { walkFiner, type FinerWalk } from './finer-path.js';
import type { FundingSource } from './funding-schedule.js';
import { PathDoubt } from './path-doubt.js';
import { CandleLookup, type StoredSeries } from './candle-lookup.js';

const WHOLE = { from: undefined, end: Number.POSITIVE_INFINITY } as const;

/** The stored candles that drive one instrument: its finest interval. */
export interface MarketSource extends StoredSeries {
  readonly instrument: Instrument;
  /** What the stored volume counts (declared at import). */
  readonly volumeUnit: 'base' | 'quote' | 'contracts';
  /** Decimals of prices; a hint that makes conversions fast. */
  readonly pricePrecision: number;
  /** Finer candles of the same instrument: the path walks them where they fill a candle (DESIGN R3, `finer`). */
  readonly finer?: StoredSeries | undefined;
  /** Mark prices of a contract. Of at most 1h they liquidate; coarser ones only settle funding (DESIGN R12). @defaultValue last */
  readonly mark?: StoredSeries | undefined;
  /** Funding of a contract (DESIGN R11). @defaultValue none */
  readonly funding?: FundingSource | undefined;
  /** Only candles that open and close within it are traded. @defaultValue all */
  readonly span?: TradedSpan | undefined;
}

/** From when to when is traded. */
export interface TradedSpan {
  /** Undefined: from the first candle on. */
  readonly from: EpochMs | undefined;
  readonly end: EpochMs;
}

/** What a market has to be told: the choices that are not in the candles. */
export interface MarketChoices {
  /** Share of a candle's volume that orders may take, or no limit (DESIGN R6). */
  readonly participation: Fixed | 'off';
  /** Quantity step in force at a time. */
  readonly stepAt: (time: EpochMs) => Fixed;
  /** Which extreme the open candle visits first; asked once per candle, when it first matters. */
  readonly chooseOrder: (shape: CandleShape, market: InstrumentMarket) => ExtremeOrder;
}

/** Replays one instrument: which candle is open, its path, and the volume that is left of it. */
export class InstrumentMarket {
  readonly source: MarketSource;
  /** All its candles, past and future. */
  readonly candles: CandleLookup;
  readonly #choices: MarketChoices;
  /** Of its candles; undefined for months, which differ. */
  readonly #lengthMs: number | undefined;
  /** How far apart its candles open where none is missing. */
  readonly #stepMs: number;
  /** The first row that is traded, and when the last has closed at the latest. */
  readonly #firstRow: number = 0;
  readonly #end: EpochMs;
  /** Row of the open candle, or of the last one that closed; -1 before the first. */
  #row = -1;
  #openTime: EpochMs = Number.NaN;
  #closeTime: EpochMs = Number.NaN;
  #isOpen = false;
  #isAfterEnd = false;
  #path: CandlePath | undefined;
  /** Whether the path of any of its candles was asked for. */
  isPathAsked = false;
  readonly #finer: CandleLookup | undefined;
  /** Finer candles of this candle; looked for once. */
  #walk: FinerWalk | 'none' | undefined;
  #pool: Fixed | undefined;
  /** What orders have taken of the volume that the pool is a share of. */
  #taken: Fixed = 0n;
  /** Everything on the path before this has happened. */
  cursor: EpochMs = Number.NEGATIVE_INFINITY;
  #doubt: PathDoubt | undefined;

  constructor(source: MarketSource, choices: MarketChoices) {
    this.source = source;
    this.candles = new CandleLookup(source, source.pricePrecision);
    this.#choices = choices;
    this.#lengthMs = fixedIntervalMs(source.interval);
    this.#stepMs = nominalIntervalMs(source.interval);
    this.#finer = source.finer && new CandleLookup(source.finer, source.pricePrecision);
    const { from, end } = source.span ?? WHOLE;
    this.#end = end;
    if (from === undefined) return;
    this.#firstRow = source.rows.rowBefore(from) + 1;
    const closed = this.candles.closedBy(from);
    if (closed > 0) this.#enter(closed - 1);
  }

  /** Whether its path may walk finer candles. */
  get hasFiner(): boolean {
    return this.#finer !== undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether its first candle has opened. */
  get hasStarted(): boolean {
    return this.#row >= 0;
  }

  get openTime(): EpochMs {
    return this.#openTime;
  }

  get closeTime(): EpochMs {
    return this.#closeTime;
  }

  get high(): number {
    return this.source.rows.high(this.#row) ?? Number.NaN;
  }

  get low(): number {
    return this.source.rows.low(this.#row) ?? Number.NaN;
  }

  /** When the open candle closes, or the next one opens; Infinity at the end of the data. */
  nextBoundary(): EpochMs {
    if (this.#isOpen) return this.closeTime;
    const open = this.source.rows.openTime(this.#nextRow);
    return this.#closeTimeOf(open) > this.#end ? Number.POSITIVE_INFINITY : open;
  }

  /** A candle that was open when the run began is passed over. */
  get #nextRow(): number {
    return Math.max(this.#row + 1, this.#firstRow);
  }

  /** Moves on without anything happening, to just before what opens at `time`. */
  skipTo(time: EpochMs): void {
    if (this.nextBoundary() >= time) return;
    this.#enter(this.#lastRowBy(time - 1));
    this.cursor = time;
    this.#isOpen = this.closeTime > time;
  }

  /** Moves on without anything happening, over what closes by `time`: what opens then is open. */
  resumeAt(time: EpochMs): void {
    if (this.cursor < time) this.cursor = time;
    if (this.#isOpen && this.closeTime > time) return;
    const row = this.#lastRowBy(time);
    if (row !== this.#row) this.#enter(row);
    this.#isOpen = this.closeTime > time;
  }

  /** The last row that is traded of those that open by `time`; the row where it stands, when none comes after it. */
  #lastRowBy(time: EpochMs): number {
    const { rows } = this.source;
    const next = this.#nextRow;
    if (rows.openTime(next) > time) return this.#row;
    const row = rows.rowAtFrom(next, time, this.#stepMs);
    if (this.#closeTimeOf(rows.openTime(row)) <= this.#end) return row;
    return row > next ? row - 1 : this.#row;
  }

  close(): void {
    this.#isOpen = false;
    this.#doubt = undefined;
  }

  /** After the data: trades once more at the last close, without limit of volume. */
  reopenAtClose(): void {
    this.cursor = this.closeTime;
    this.#isAfterEnd = true;
    this.#isOpen = true;
  }

  open(): void {
    this.#enter(this.#nextRow);
    this.cursor = this.openTime;
    this.#isOpen = true;
  }

  #enter(row: number): void {
    this.#row = row;
    this.#openTime = row < 0 ? Number.NaN : this.source.rows.openTime(row);
    this.#path = undefined;
    this.#walk = undefined;
    this.#doubt = undefined;
    this.#closeTime = this.#closeTimeOf(this.#openTime);
    if (this.source.isPolled !== true) this.beginPool();
  }

  #closeTimeOf(openTime: EpochMs): EpochMs {
    if (this.source.isPolled === true) return openTime;
    return this.#lengthMs === undefined
      ? closeTimeOf(openTime, this.source.interval)
      : openTime + this.#lengthMs;
  }

  /** The oldest rows are gone: the others have moved up by so many. */
  forgetRows(count: number): void {
    this.#row -= count;
  }

  /** Volume counts anew: a candle begins. One that is polled spans many prices. */
  beginPool(): void {
    this.#taken = 0n;
    this.#pool = undefined;
  }

  /** The volume is another than it was taken for; what was taken counts on. */
  renewPool(): void {
    this.#pool = undefined;
  }

  /** Exact numbers of the open candle, or of the last one. */
  shape(): CandleShape {
    const { rows } = this.source;
    const row = this.#row;
    return {
      openTime: this.openTime,
      closeTime: this.closeTime,
      open: this.#exact(rows.open(row)),
      high: this.#exact(rows.high(row)),
      low: this.#exact(rows.low(row)),
      close: this.#exact(rows.close(row)),
    };
  }

  #exact(price: number | undefined): Fixed {
    return this.exact(present(price, 'a candle of the market'));
  }

  /** A stored price, exact. */
  exact(price: number): Fixed {
    return fixedFromNumber(price, this.source.pricePrecision);
  }

  /** Path of the candle. The order of its extremes is chosen at the first call. */
  path(): CandlePath {
    if (this.#path === undefined) {
      this.isPathAsked = true;
      const shape = this.shape();
      const walk = this.#walked(shape);
      this.#path =
        walk === undefined
          ? new CandlePath(shape, this.#choices.chooseOrder(shape, this))
          : new CandlePath(shape, nearestOrder(shape), walk.segments);
    }
    return this.#path;
  }

  /** What orders have taken of the volume of the open candle. */
  get taken(): Fixed {
    return this.#taken;
  }

  /** Which extreme the candle visits first, once that is chosen: to look at it chooses nothing. */
  get chosenOrder(): ExtremeOrder | undefined {
    return this.#path?.order;
  }

  #walked(shape: CandleShape): FinerWalk | undefined {
    if (this.#finer === undefined) return undefined;
    this.#walk ??= walkFiner(shape, this.#finer) ?? 'none';
    return this.#walk === 'none' ? undefined : this.#walk;
  }

  /** Where the path is at an instant, or the last close while no candle is open. At the open itself the path need not be known. */
  priceAt(time: EpochMs): PathPrice {
    if (!this.#isOpen)
      return { numerator: this.#exact(this.source.rows.close(this.#row)), denominator: 1n };
    if (time === this.openTime)
      return { numerator: this.#exact(this.source.rows.open(this.#row)), denominator: 1n };
    return this.path().at(time);
  }

  /** Prices between which the path of the candle stays from an instant on. What it has been through as a whole does not depend on its order. */
  cornersFrom(time: EpochMs): readonly PathPrice[] {
    const shape = this.shape();
    if (time > shape.openTime || this.#walked(shape) !== undefined)
      return this.path().cornersFrom(time);
    const { open, high, low, close } = shape;
    return [open, high, low, close].map((numerator) => ({ numerator, denominator: 1n }));
  }

  /** The same where the path, or another, has come to a level. */
  priceAtCrossing({ time, part }: Crossing): PathPrice {
    if (part === PARTS_OF_MS || !this.#isOpen || time <= this.openTime) return this.priceAt(time);
    const path = this.path();
    return {
      numerator: priceBetween(path.at(time - 1), path.before(time), part),
      denominator: 1n,
    };
  }

  /** What made the path of the candle matter so far. */
  get doubt(): PathDoubt {
    this.#doubt ??= new PathDoubt();
    return this.#doubt;
  }

  /** Whether the hidden path of the candle could have led elsewhere. */
  get isUndecided(): boolean {
    return (
      this.#doubt?.isUndecided(() => {
        const shape = this.shape();
        return this.#walked(shape)?.shapes ?? [shape];
      }) ?? false
    );
  }

  /** Value of what made the path of the candle matter so far, in quote. */
  moneyInDoubt(): Fixed {
    return this.#doubt?.money(this.shape(), this.source.instrument) ?? 0n;
  }

  /** Whether `time` lies within the candle, past its open; where finer candles are walked, within one of them. */
  isUnderWay(time: EpochMs): boolean {
    if (!this.#isOpen || time <= this.openTime || time >= this.closeTime) return false;
    if (this.#finer === undefined) return true;
    const walk = this.#walked(this.shape());
    return walk === undefined || !walk.shapes.some(({ openTime }) => openTime === time);
  }

  /** Volume of the candle in the quantity that orders are in: base, or contracts; see `candleQuantity`. */
  volume(): Fixed {
    const { instrument, rows, volumeUnit: unit } = this.source;
    const volume = fixedFromNumber(present(rows.volume(this.#row), 'a candle'));
    const price = this.#exact(rows.close(this.#row));
    return candleQuantity(instrument, { volume, unit, price });
  }

  /** What orders may still take of the candle: floor(participation × volume) to the step, less what was taken; undefined when off. */
  pool(): Fixed | undefined {
    const { participation, stepAt } = this.#choices;
    if (participation === 'off' || this.#isAfterEnd) return undefined;
    if (this.#pool === undefined) {
      const step = stepAt(this.openTime);
      // One rounding: the product is not cut to 18 decimals before the floor.
      const share = divideFloor(participation * this.volume(), FIXED_ONE * step) * step;
      this.#pool = maxFixed(0n, share - this.#taken);
    }
    return this.#pool;
  }

  take(quantity: Fixed): void {
    // Without a limit of volume nobody asks what was taken.
    if (this.#choices.participation === 'off') return;
    this.#taken += quantity;
    if (this.#pool !== undefined) this.#pool -= quantity;
  }

  /** Whether a price level may lie on the candle: never wrong when it says no. */
  mayReach(level: number, side: 'below' | 'above'): boolean {
    return side === 'below' ? this.low <= level : this.high >= level;
  }
}
