import {
  absFixed,
  addToHolding,
  convertFixed,
  EMPTY_HOLDING,
  formatFixed,
  InvariantError,
  minFixed,
  shareFixed,
  takeFromHolding,
  type Direction,
  type EpochMs,
  type Fixed,
  type Holding,
  type InstrumentId,
} from '../../domain/index.js';
import type { FillValue } from './fill-value.js';
import type { RunFinancing, RunHolding } from '../run-record.js';

/** A finished trade: flat to flat, of one instrument and direction. Money in the equity currency. */
export interface RoundTrip {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  /** All quantity opened; base or contracts. */
  readonly quantity: Fixed;
  /** Fees of all its fills. */
  readonly fees: Fixed;
  /** Funding and interest of the position, negative when received. */
  readonly financing: Fixed;
  /** Realized profit or loss less fees, funding and interest. */
  readonly pnl: Fixed;
}

/** Holdings at the start of a run, and the costs of holding its positions. */
interface TripContext {
  readonly time: EpochMs;
  readonly holdings: readonly RunHolding[];
  /** In the order they happened. @defaultValue none */
  readonly financings?: readonly RunFinancing[];
}

/**
 * Pairs fills into trades, each from flat to flat, with the exact profit or loss after fees, funding and interest.
 *
 * Any number of entries forms one trade. A closed part takes its share of the entry value (DESIGN R15). A close that leaves less than one quantity step
 * leaves the position flat (DESIGN R8): this dust, with its entry value, goes into the next trade, so that nothing is lost between trades. A position held at
 * the start is a trade that began then. A trade that is still open after the last fill is not returned. Trades are in the order of their ends.
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
    const paid = book.payFee(fill);
    if (paid !== undefined) trips.push(paid);
  }
  return trips;
}

/** State of one side of an instrument. */
export interface TripSide {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Whether a trade is open; without a trade, the holding is dust. */
  readonly isTrading: boolean;
  readonly holding: Holding;
  readonly openTime: EpochMs;
  /** All quantity opened; base or contracts. */
  readonly opened: Fixed;
  readonly fees: Fixed;
  readonly financing: Fixed;
  /** Realized profit before costs. */
  readonly grossPnl: Fixed;
}

/** Both sides of one instrument. */
type LinePair = Readonly<Record<Direction, Line>>;

/** {@link roundTrips}, fill by fill. */
export class TripBook {
  readonly #lines = new Map<InstrumentId, LinePair>();
  /** The pair of the last call. */
  #latest: LinePair | undefined;

  constructor({ time, holdings, financings = [] }: TripContext) {
    for (const { instrumentId, holding } of holdings)
      this.#pair(instrumentId).long.begin(time, holding);
    for (const financing of financings)
      this.#pair(financing.instrumentId)[financing.direction].expect(financing);
  }

  /**
   * Takes a fill. Returns the trade that the fill ends.
   *
   * @throws {InvariantError} as {@link roundTrips}.
   */
  take(value: FillValue): RoundTrip | undefined {
    const { record, step } = value.fill;
    const line = this.#pair(record.instrumentId)[value.direction];
    line.bear(record.eventTime);
    line.advance(value);
    line.bear(record.eventTime);
    line.step = step;
    return record.action === 'close' && line.isFlat ? line.end(record.eventTime) : undefined;
  }

  /** The side that pays the fee of a fill, if a position in the coin of the fee pays it: on margin the short, if the coin is owed. */
  payerOf({ payer }: FillValue): TripSide | undefined {
    return payer === undefined ? undefined : this.#payingLine(payer);
  }

  #payingLine(payer: InstrumentId): Line {
    const { long, short } = this.#pair(payer);
    return short.holding.quantity > 0n ? short : long;
  }

  /**
   * Takes the fee of a fill that was taken before from the position in the coin of the fee, as if it had been sold at its worth. Returns the trade that this
   * ends.
   */
  payFee({ payer, fee, fill: { record } }: FillValue): RoundTrip | undefined {
    if (payer === undefined) return undefined;
    const line = this.#payingLine(payer);
    line.bear(record.eventTime);
    return line.payFee(record.fee, fee) ? line.end(record.eventTime) : undefined;
  }

  /** One side of an instrument after the fills taken so far. The returned object changes with the next fill. */
  side(instrumentId: InstrumentId, direction: Direction): TripSide {
    return this.#pair(instrumentId)[direction];
  }

  /** Ends a run: books the holding costs up to `time` on the open trade, or on the dust. Returns the costs of dust. */
  settle(instrumentId: InstrumentId, direction: Direction, time: EpochMs): Fixed {
    const line = this.#pair(instrumentId)[direction];
    line.bear(time);
    return line.settle(time);
  }

  /** Start of the oldest open trade; undefined without an open trade. */
  get openSince(): EpochMs | undefined {
    let oldest: EpochMs | undefined;
    for (const { long, short } of this.#lines.values())
      for (const { isTrading, openTime } of [long, short])
        if (isTrading) oldest = Math.min(oldest ?? openTime, openTime);
    return oldest;
  }

  /** Holding of an instrument at a time after all fills taken so far, long and short together: base, or contracts. Changes nothing. */
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
 * Holding of one instrument and direction, with its open trade; without a trade, the holding is dust. It changes in place: copying an object of amounts takes
 * longer than adding them.
 */
class Line implements TripSide {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Costs of holding, in order of time. Those before `#borne` are already booked on a trade. */
  readonly #financings: RunFinancing[] = [];
  #borne = 0;
  // Members, not getters: each listed trade reads them a dozen times.
  holding: Holding = EMPTY_HOLDING;
  isTrading = false;
  openTime: EpochMs = 0;
  opened: Fixed = 0n;
  fees: Fixed = 0n;
  financing: Fixed = 0n;
  grossPnl: Fixed = 0n;
  /** Quantity step in force at the last fill. */
  step: Fixed = 0n;
  /** Quantity that fees of other instruments' fills have taken. */
  #feesPaid: Fixed = 0n;

  constructor(instrumentId: InstrumentId, direction: Direction) {
    this.instrumentId = instrumentId;
    this.direction = direction;
  }

  /** Begins a trade with a holding. */
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

  /** Quantity held at a time, including the interest in base that an open trade has to bear until then. */
  quantityAt(time: EpochMs): Fixed {
    let { quantity } = this.holding;
    if (!this.isTrading) return quantity;
    for (let place = this.#borne; place < this.#financings.length; place += 1) {
      const next = this.#financings[place];
      if (next === undefined || next.time > time) break;
      quantity += next.accrued.quantity;
    }
    return quantity;
  }

  get isFlat(): boolean {
    const { quantity } = this.holding;
    return quantity < this.step || quantity === 0n;
  }

  /**
   * Takes a fee in base out of a long, or adds it to a short, as if it had been sold at `worth`; a rebate as if it had been bought. Without a trade the
   * worth stays with the dust. Returns whether it leaves nothing but dust of a trade.
   */
  payFee(fee: Fixed, worth: Fixed): boolean {
    const isLong = this.direction === 'long';
    const paid = absFixed(fee);
    if (fee > 0n !== isLong) {
      this.holding = addToHolding(this.holding, paid, absFixed(worth));
      return false;
    }
    const taken = minFixed(paid, this.holding.quantity);
    const value = shareFixed(absFixed(worth), taken, paid);
    this.#feesPaid += taken;
    if (!this.isTrading) {
      this.holding = addToHolding(this.holding, -taken, -value);
      return false;
    }
    const { holding, released } = takeFromHolding(this.holding, taken);
    this.holding = holding;
    this.grossPnl += isLong ? value - released : released - value;
    return this.isFlat;
  }

  /** Books the holding costs up to a time on the open trade. Without a trade they wait for the next fill. */
  bear(time: EpochMs): void {
    if (this.isTrading && this.#borne < this.#financings.length)
      this.financing += this.#bearUpTo(time);
  }

  /** Books the holding costs that waited while no new trade came, and returns them. Returns 0 while a trade is open. */
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
    this.fees += fill.fee;
    if (action === 'open') {
      this.holding = addToHolding(this.holding, fill.quantity, fill.value);
      this.opened += fill.quantity;
      return;
    }
    this.#assertHeld(fill);
    const { holding, released } = takeFromHolding(this.holding, fill.quantity);
    this.holding = holding;
    this.grossPnl += realizedPnl(fill, released);
  }

  #assertHeld({ fill: { record }, quantity, mayExceed }: FillValue): void {
    const held = this.holding.quantity;
    // A sale that was under way when a fee was taken may be of all that was held before.
    if (mayExceed || quantity <= held + this.#feesPaid) return;
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
      pnl: this.grossPnl - this.fees - this.financing,
    };
  }
}

/**
 * Profit of a closing fill compared with the entry value it releases. An inverse contract is worth face ÷ price in base, so a long earns as this worth falls.
 */
function realizedPnl(
  { direction, value, valueRate, isInverse }: FillValue,
  released: Fixed,
): Fixed {
  const gain = (direction === 'long') === isInverse ? released - value : value - released;
  return convertFixed(gain, valueRate);
}
