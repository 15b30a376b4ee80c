import {
  addFixed,
  addToHolding,
  convertFixed,
  EMPTY_HOLDING,
  formatFixed,
  InvariantError,
  subtractFixed,
  takeFromHolding,
  type Direction,
  type EpochMs,
  type Fixed,
  type Holding,
  type InstrumentId,
} from '../domain/index.js';
import type { FillValue } from './fill-value.js';
import type { RunFinancing, RunHolding } from './run-record.js';

/** A finished trade: flat to flat, of one instrument and direction. Money in the equity currency. */
export interface RoundTrip {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  /** What was opened in all; base or contracts. */
  readonly quantity: Fixed;
  /** Fees of all its fills. */
  readonly fees: Fixed;
  /** Funding and interest of the position, negative when received. */
  readonly financing: Fixed;
  /** Realized profit or loss less fees, funding and interest. */
  readonly pnl: Fixed;
}

/** What a run began with, and what its positions cost to hold. */
export interface TripContext {
  readonly time: EpochMs;
  readonly holdings: readonly RunHolding[];
  /** In the order they happened. @defaultValue none */
  readonly financings?: readonly RunFinancing[];
}

/**
 * Pairs fills into trades, each from flat to flat, with the exact profit or loss after fees, funding and interest.
 *
 * Entries of any number form one trade; a part that is closed takes its share of the entry value (DESIGN R15). A close that leaves less
 * than one quantity step leaves the position flat (DESIGN R8): the dust, with its entry value, goes into the next trade, so that
 * nothing is lost between trades. What was held at the start is a trade that began then. A trade still open after the last fill is not returned. Trades come in the order they ended.
 * @throws {InvariantError} `E_OVERCLOSED` when a fill closes more than is held.
 */
export function roundTrips(
  fills: Iterable<FillValue>,
  context: TripContext = { time: 0, holdings: [] },
): readonly RoundTrip[] {
  const book = new TripBook(context);
  const trips: RoundTrip[] = [];
  for (const fill of fills) {
    const trip = book.take(fill);
    if (trip !== undefined) trips.push(trip);
  }
  return trips;
}

/** What stands on one side of an instrument. */
export interface TripSide {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Whether a trade is under way; without one, what is held is dust. */
  readonly isTrading: boolean;
  readonly holding: Holding;
  readonly openTime: EpochMs;
  /** What was opened in all; base or contracts. */
  readonly opened: Fixed;
  readonly fees: Fixed;
  readonly financing: Fixed;
  /** Realized, before costs. */
  readonly grossPnl: Fixed;
}

/** Both sides of one instrument. */
type LinePair = Readonly<Record<Direction, Line>>;

/** {@link roundTrips}, one fill after the other. */
export class TripBook {
  readonly #lines = new Map<InstrumentId, LinePair>();
  /** The lines that were asked for last. */
  #latest: LinePair | undefined;

  constructor({ time, holdings, financings = [] }: TripContext) {
    for (const { instrumentId, holding } of holdings)
      this.#pair(instrumentId).long.begin(time, holding);
    for (const financing of financings)
      this.#pair(financing.instrumentId)[financing.direction].expect(financing);
  }

  /**
   * Returns the trade that a fill ends.
   *
   * @throws {InvariantError} as {@link roundTrips}.
   */
  take(value: FillValue): RoundTrip | undefined {
    const { record, step } = value.fill;
    const line = this.#pair(record.instrumentId)[value.direction];
    line.bear(record.eventTime);
    line.advance(value);
    line.bear(record.eventTime);
    return record.action === 'close' && line.isBelow(step) ? line.end(record.eventTime) : undefined;
  }

  /** One side of an instrument, as it stands after what was taken: what it shows changes with the next fill. */
  side(instrumentId: InstrumentId, direction: Direction): TripSide {
    return this.#pair(instrumentId)[direction];
  }

  /** Ends a run: dust bears what it cost to hold. Returns that. */
  settle(instrumentId: InstrumentId, direction: Direction, time: EpochMs): Fixed {
    const line = this.#pair(instrumentId)[direction];
    line.bear(time);
    return line.settle(time);
  }

  /** When the oldest of the trades under way began; undefined where there is none. */
  get openSince(): EpochMs | undefined {
    let oldest: EpochMs | undefined;
    for (const { long, short } of this.#lines.values())
      for (const { isTrading, openTime } of [long, short])
        if (isTrading) oldest = Math.min(oldest ?? openTime, openTime);
    return oldest;
  }

  /** What is held of an instrument at a time, after all fills that were taken, long and short together: base, or contracts. Nothing changes. */
  heldAt(instrumentId: InstrumentId, time: EpochMs): Fixed {
    const { long, short } = this.#pair(instrumentId);
    return long.quantityAt(time) + short.quantityAt(time);
  }

  #pair(instrumentId: InstrumentId): LinePair {
    if (instrumentId !== this.#latest?.long.instrumentId)
      this.#latest = this.#lines.get(instrumentId) ?? this.#open(instrumentId);
    return this.#latest;
  }

  #open(instrumentId: InstrumentId): LinePair {
    const pair = { long: new Line(instrumentId, 'long'), short: new Line(instrumentId, 'short') };
    this.#lines.set(instrumentId, pair);
    return pair;
  }
}

/**
 * What one instrument and direction holds, and the trade under way; without one, the holding is dust. It changes in place: to copy what
 * holds amounts takes longer than to add them.
 */
class Line implements TripSide {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** What it will cost to hold, in order; those before `#borne` are on a trade. */
  readonly #financings: RunFinancing[] = [];
  #borne = 0;
  // Members, not getters: each trade that is listed reads them a dozen times.
  holding: Holding = EMPTY_HOLDING;
  isTrading = false;
  openTime: EpochMs = 0;
  opened: Fixed = 0n;
  fees: Fixed = 0n;
  financing: Fixed = 0n;
  grossPnl: Fixed = 0n;

  constructor(instrumentId: InstrumentId, direction: Direction) {
    this.instrumentId = instrumentId;
    this.direction = direction;
  }

  /** Begins with what is held, as a trade. */
  begin(time: EpochMs, holding: Holding): void {
    this.#beginTrade(time);
    this.holding = holding;
    this.opened = holding.quantity;
  }

  #beginTrade(time: EpochMs): void {
    this.isTrading = true;
    this.openTime = time;
    this.opened = 0n;
    this.fees = 0n;
    this.financing = 0n;
    this.grossPnl = 0n;
  }

  expect(financing: RunFinancing): void {
    this.#financings.push(financing);
  }

  /** What is held once a trade under way has borne what it cost to hold up to a time. */
  quantityAt(time: EpochMs): Fixed {
    let { quantity } = this.holding;
    if (!this.isTrading) return quantity;
    for (let place = this.#borne; place < this.#financings.length; place += 1) {
      const next = this.#financings[place];
      if (next === undefined || next.time > time) break;
      quantity = addFixed(quantity, next.accrued.quantity);
    }
    return quantity;
  }

  isBelow(step: Fixed): boolean {
    return this.holding.quantity < step;
  }

  /** Puts what the position cost to hold up to a time on the trade under way; without one it waits for the fill of that time. */
  bear(time: EpochMs): void {
    if (this.isTrading && this.#borne < this.#financings.length)
      this.financing += this.#bearUpTo(time);
  }

  /** Bears what has waited for a trade that did not come. Returns what it cost. */
  settle(time: EpochMs): Fixed {
    return this.isTrading ? 0n : this.#bearUpTo(time);
  }

  #bearUpTo(time: EpochMs): Fixed {
    let cost = 0n;
    for (
      let next = this.#financings[this.#borne];
      next !== undefined && next.time <= time;
      next = this.#financings[this.#borne]
    ) {
      const { quantity, value } = next.accrued;
      this.#borne += 1;
      cost += next.cost;
      this.holding = addToHolding(this.holding, quantity, value);
    }
    return cost;
  }

  /** @throws {InvariantError} as {@link roundTrips}. */
  advance(fill: FillValue): void {
    const { action, eventTime } = fill.fill.record;
    if (!this.isTrading) this.#beginTrade(eventTime);
    this.fees = addFixed(this.fees, fill.fee);
    if (action === 'open') {
      this.holding = addToHolding(this.holding, fill.quantity, fill.value);
      this.opened = addFixed(this.opened, fill.quantity);
      return;
    }
    this.#assertHeld(fill);
    const { holding, released } = takeFromHolding(this.holding, fill.quantity);
    this.holding = holding;
    this.grossPnl = addFixed(this.grossPnl, realizedPnl(fill, released));
  }

  #assertHeld({ fill: { record }, quantity, mayExceed }: FillValue): void {
    const held = this.holding.quantity;
    if (mayExceed || quantity <= held) return;
    throw new InvariantError(
      'E_OVERCLOSED',
      `expected ${record.instrumentId} to close at most the ${formatFixed(held)} held, received ${formatFixed(quantity)} at ${String(record.eventTime)}`,
    );
  }

  /** Ends the trade under way. */
  end(closeTime: EpochMs): RoundTrip {
    this.isTrading = false;
    return {
      instrumentId: this.instrumentId,
      direction: this.direction,
      openTime: this.openTime,
      closeTime,
      quantity: this.opened,
      fees: this.fees,
      financing: this.financing,
      pnl: subtractFixed(this.grossPnl - this.fees, this.financing),
    };
  }
}

/**
 * Profit of a closing fill against the entry value it releases. Inverse contracts are worth face ÷ price in base, so they earn when
 * that falls.
 */
function realizedPnl(
  { direction, value, valueRate, isInverse }: FillValue,
  released: Fixed,
): Fixed {
  const gain = (direction === 'long') === isInverse ? released - value : value - released;
  return convertFixed(gain, valueRate);
}
