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
} from '../domain/index.js';
import type { MarketSource } from './market-source.js';
import { CandleLookup } from './path/candle-lookup.js';
import {
  CandlePath,
  nearestOrder,
  PARTS_OF_MS,
  priceBetween,
  type PathCandle,
  type Crossing,
  type ExtremeOrder,
  type PathPrice,
} from './path/candle-path.js';
import { walkFiner, type FinerWalk } from './path/finer-path.js';
import { PathDoubt } from './path/path-doubt.js';

const WHOLE = { from: undefined, end: Number.POSITIVE_INFINITY } as const;

/** Choices for a market that do not come from the candles. */
interface MarketChoices {
  /** Share of a candle's volume that orders may take, or no limit (DESIGN R6). */
  readonly participation: Fixed | 'off';
  /** Quantity step in force at a time. */
  readonly stepAt: (time: EpochMs) => Fixed;
  /** Which extreme the open candle visits first. Called once per candle, when the answer first matters. */
  readonly chooseOrder: (shape: PathCandle, market: InstrumentMarket) => ExtremeOrder;
}

/** Replays one instrument: its open candle, the path of that candle, and the volume that is left in it. */
export class InstrumentMarket {
  readonly source: MarketSource;
  /** All candles of the instrument, past and future. */
  readonly candles: CandleLookup;
  readonly #choices: MarketChoices;
  /** Length of a candle; undefined for months, because their lengths differ. */
  readonly #lengthMs: number | undefined;
  /** Time between the opens of two neighbors, in ms. */
  readonly #stepMs: number;
  /** The first row that is traded: after a candle that was open when the run began. No traded candle closes after `#end`. */
  readonly #firstRow: number = 0;
  readonly #end: EpochMs;
  /** Row of the open candle, or of the last one that closed; -1 before the first. */
  #row = -1;
  #openTime: EpochMs = Number.NaN;
  #closeTime: EpochMs = Number.NaN;
  #isOpen = false;
  #isAfterEnd = false;
  #path: CandlePath | undefined;
  /** Whether the path of any candle was read. */
  isPathAsked = false;
  readonly #finer: CandleLookup | undefined;
  /** Finer candles of the current candle, looked up once. */
  #walk: FinerWalk | 'none' | undefined;
  #pool: Fixed | undefined;
  /** Quantity that orders have taken of the candle's share. */
  #taken: Fixed = 0n;
  #cursor: EpochMs = Number.NEGATIVE_INFINITY;
  /** The time of the last {@link resumeAt}. */
  #resumedAt: EpochMs = Number.NaN;
  /** Whether its candle is still to be looked up. */
  #isBehind = false;
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

  /** Everything on the path before this time has happened. */
  get cursor(): EpochMs {
    if (this.#isBehind) this.#enterResumed();
    return this.#cursor;
  }

  set cursor(time: EpochMs) {
    if (this.#isBehind) this.#enterResumed();
    this.#cursor = time;
  }

  get isOpen(): boolean {
    if (this.#isBehind) this.#enterResumed();
    return this.#isOpen;
  }

  /** Whether its first candle has opened. */
  get hasStarted(): boolean {
    if (this.#isBehind) this.#enterResumed();
    return this.#row >= 0;
  }

  get openTime(): EpochMs {
    if (this.#isBehind) this.#enterResumed();
    return this.#openTime;
  }

  get closeTime(): EpochMs {
    if (this.#isBehind) this.#enterResumed();
    return this.#closeTime;
  }

  get high(): number {
    if (this.#isBehind) this.#enterResumed();
    return this.source.rows.high(this.#row) ?? Number.NaN;
  }

  get low(): number {
    if (this.#isBehind) this.#enterResumed();
    return this.source.rows.low(this.#row) ?? Number.NaN;
  }

  /** When the open candle closes or, if none is open, the next one opens. Infinity at the end of the data. */
  nextBoundary(): EpochMs {
    if (this.isOpen) return this.closeTime;
    const open = this.source.rows.openTime(Math.max(this.#row + 1, this.#firstRow));
    return this.#closeTimeOf(open) > this.#end ? Number.POSITIVE_INFINITY : open;
  }

  /** Skips ahead without events, to just before the candle that opens at `time`. */
  skipTo(time: EpochMs): void {
    if (this.nextBoundary() >= time) return;
    this.#enter(this.#lastRowBy(time - 1));
    this.cursor = time;
    this.#isOpen = this.closeTime > time;
  }

  /**
   * Skips ahead without events, over the candles that close by `time`. A candle that opens at `time` is then open. The candle is looked up when it is
   * needed: of many instruments, few are traded between two calls.
   */
  resumeAt(time: EpochMs): void {
    this.#resumedAt = time;
    this.#isBehind = true;
  }

  /** Looks up the candle of the last {@link resumeAt}. Comes before each use of what depends on the present candle, if the market is behind. */
  #enterResumed(): void {
    const time = this.#resumedAt;
    this.#isBehind = false;
    if (this.#cursor < time) this.#cursor = time;
    if (this.#isOpen && this.#closeTime > time) return;
    const row = this.#lastRowBy(time);
    if (row !== this.#row) this.#enter(row);
    this.#isOpen = this.#closeTime > time;
  }

  /** The last traded row that opens by `time`; the current row if no other follows. */
  #lastRowBy(time: EpochMs): number {
    const { rows } = this.source;
    const next = Math.max(this.#row + 1, this.#firstRow);
    if (rows.openTime(next) > time) return this.#row;
    const row = rows.rowAtFrom(next, time, this.#stepMs);
    if (this.#closeTimeOf(rows.openTime(row)) <= this.#end) return row;
    return row > next ? row - 1 : this.#row;
  }

  close(): void {
    if (this.#isBehind) this.#enterResumed();
    this.#isOpen = false;
    this.#doubt = undefined;
  }

  /** Whether it trades once more at the last close, after the data. Its own price does not move any more, and neither does a mark. */
  get isAfterEnd(): boolean {
    return this.#isAfterEnd;
  }

  /** Continues after the data: trades once more at the last close, without limit of volume. */
  reopenAtClose(): void {
    this.cursor = this.closeTime;
    this.#isAfterEnd = true;
    this.#isOpen = true;
  }

  open(): void {
    if (this.#isBehind) this.#enterResumed();
    this.#enter(Math.max(this.#row + 1, this.#firstRow));
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

  /** Call it after the oldest `count` rows were removed: all other rows have moved up. */
  forgetRows(count: number): void {
    if (this.#isBehind) this.#enterResumed();
    this.#row -= count;
  }

  /** Starts the volume of a new candle. The caller starts it for polled sources, where one candle spans many prices. */
  beginPool(): void {
    this.#taken = 0n;
    this.#pool = undefined;
  }

  /** Recomputes the pool after the volume has changed. Quantities that orders have taken still count. */
  renewPool(): void {
    this.#pool = undefined;
  }

  /** Exact numbers of the open candle, or of the last one. */
  shape(): PathCandle {
    if (this.#isBehind) this.#enterResumed();
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
    return fixedFromNumber(present(price, 'a candle of the market'), this.source.pricePrecision);
  }

  /** A stored price, exact. */
  exact(price: number): Fixed {
    return fixedFromNumber(price, this.source.pricePrecision);
  }

  /** Path of the candle. The order of its extremes is chosen at the first call. */
  path(): CandlePath {
    if (this.#isBehind) this.#enterResumed();
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

  /** Quantity that orders have taken of the volume of the open candle. */
  get taken(): Fixed {
    if (this.#isBehind) this.#enterResumed();
    return this.#taken;
  }

  /** Which extreme the candle visits first, if that is chosen already. Reading it does not choose. */
  get chosenOrder(): ExtremeOrder | undefined {
    if (this.#isBehind) this.#enterResumed();
    return this.#path?.order;
  }

  #walked(shape: PathCandle): FinerWalk | undefined {
    if (this.#finer === undefined) return undefined;
    this.#walk ??= walkFiner(shape, this.#finer) ?? 'none';
    return this.#walk === 'none' ? undefined : this.#walk;
  }

  /** Price of the path at an instant, or the last close while no candle is open. At the open itself no path is chosen. */
  priceAt(time: EpochMs): PathPrice {
    if (this.#isBehind) this.#enterResumed();
    if (this.#isOpen && time !== this.#openTime) return this.path().at(time);
    const { rows } = this.source;
    const price = this.#isOpen ? rows.open(this.#row) : rows.close(this.#row);
    return { numerator: this.#exact(price), denominator: 1n };
  }

  /** Prices between which the path of the candle stays from an instant on. For the whole candle they do not depend on the order of its extremes. */
  cornersFrom(time: EpochMs): readonly PathPrice[] {
    const shape = this.shape();
    if (time > shape.openTime || this.#walked(shape) !== undefined)
      return this.path().cornersFrom(time);
    const { open, high, low, close } = shape;
    return [open, high, low, close].map((numerator) => ({ numerator, denominator: 1n }));
  }

  /** As {@link priceAt}, at a crossing of this path or of another one. */
  priceAtCrossing({ time, part }: Crossing): PathPrice {
    if (part === PARTS_OF_MS || !this.isOpen || time <= this.openTime) return this.priceAt(time);
    const path = this.path();
    return {
      numerator: priceBetween(path.at(time - 1), path.before(time), part),
      denominator: 1n,
    };
  }

  /** The events that made the path of the candle matter so far. */
  get doubt(): PathDoubt {
    if (this.#isBehind) this.#enterResumed();
    this.#doubt ??= new PathDoubt();
    return this.#doubt;
  }

  /** Whether something has happened for which the path of the candle may matter. */
  get isDoubted(): boolean {
    return this.#doubt !== undefined;
  }

  /** Whether another path of the candle could have led to another result. */
  get isUndecided(): boolean {
    return (
      this.#doubt?.isUndecided(() => {
        const shape = this.shape();
        return this.#walked(shape)?.shapes ?? [shape];
      }) ?? false
    );
  }

  /** Value of the events that made the path of the candle matter so far, in quote. */
  moneyInDoubt(): Fixed {
    return this.#doubt?.money(this.shape(), this.source.instrument) ?? 0n;
  }

  /** Whether `time` lies within the candle, after its open. On a path of finer candles: within one of those, after its open. */
  isUnderWay(time: EpochMs): boolean {
    if (this.#isBehind) this.#enterResumed();
    if (!this.#isOpen || time <= this.#openTime || time >= this.#closeTime) return false;
    if (this.#finer === undefined) return true;
    const walk = this.#walked(this.shape());
    return walk === undefined || !walk.shapes.some(({ openTime }) => openTime === time);
  }

  /** Volume of the candle in the unit of order quantities: base, or contracts; see `candleQuantity`. */
  volume(): Fixed {
    if (this.#isBehind) this.#enterResumed();
    const { instrument, rows, volumeUnit: unit } = this.source;
    const volume = fixedFromNumber(present(rows.volume(this.#row), 'a candle'));
    const price = this.#exact(rows.close(this.#row));
    return candleQuantity(instrument, { volume, unit, price });
  }

  /** Volume that orders may still take of the candle: floor(participation × volume) to the step, minus what was taken; undefined when off. */
  pool(): Fixed | undefined {
    const { participation, stepAt } = this.#choices;
    if (participation === 'off' || this.#isAfterEnd) return undefined;
    if (this.#isBehind) this.#enterResumed();
    if (this.#pool === undefined) {
      const step = stepAt(this.openTime);
      // One rounding: the product is not cut to 18 decimals before the floor.
      const share = divideFloor(participation * this.volume(), FIXED_ONE * step) * step;
      this.#pool = maxFixed(0n, share - this.#taken);
    }
    return this.#pool;
  }

  take(quantity: Fixed): void {
    // Without a limit of volume, the taken quantity is not needed.
    if (this.#choices.participation === 'off') return;
    if (this.#isBehind) this.#enterResumed();
    this.#taken += quantity;
    if (this.#pool !== undefined) this.#pool -= quantity;
  }

  /** Whether a price level may lie on the candle. `false` is certain. */
  mayReach(level: number, side: 'below' | 'above'): boolean {
    return side === 'below' ? this.low <= level : this.high >= level;
  }
}
