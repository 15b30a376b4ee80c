import {
  addToHolding,
  convertFixed,
  EMPTY_HOLDING,
  FIXED_ZERO,
  formatFixed,
  InvariantError,
  takeFromHolding,
  type Direction,
  type EpochMs,
  type Fixed,
  type Holding,
  type InstrumentId,
} from '../domain/index.js';
import type { FillValue } from './fill-value.js';
import type { RunCarry, RunHolding } from './run-record.js';

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
  readonly carry: Fixed;
  /** Realized profit or loss less fees, funding and interest. */
  readonly pnl: Fixed;
}

interface OpenTrade {
  readonly openTime: EpochMs;
  readonly quantity: Fixed;
  readonly fees: Fixed;
  readonly carry: Fixed;
  readonly grossPnl: Fixed;
}

/** What one instrument and direction holds, and the trade under way; without one, the holding is dust. */
interface Line {
  readonly holding: Holding;
  readonly trade: OpenTrade | undefined;
}

const EMPTY_LINE: Line = { holding: EMPTY_HOLDING, trade: undefined };

/** What a run began with, and what its positions cost to hold. */
export interface TripContext {
  readonly time: EpochMs;
  readonly holdings: readonly RunHolding[];
  /** In the order they happened. @defaultValue none */
  readonly carries?: readonly RunCarry[];
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
  for (const fill of fills) book.take(fill);
  return book.trips;
}

/** {@link roundTrips}, one fill after the other. */
export class TripBook {
  /** Those that have ended. */
  readonly trips: RoundTrip[] = [];
  readonly #lines: Map<string, Line>;
  readonly #carries: ReadonlyMap<string, RunCarry[]>;

  constructor(context: TripContext) {
    this.#lines = openLines(context);
    this.#carries = groupCarries(context.carries ?? []);
  }

  /** @throws {InvariantError} as {@link roundTrips}. */
  take(value: FillValue): void {
    const { record, step } = value.fill;
    const { instrumentId, eventTime } = record;
    const key = `${value.direction} ${instrumentId}`;
    const carries = this.#carries.get(key);
    const before = bear(this.#lines.get(key) ?? EMPTY_LINE, carries, eventTime);
    const line = bear(advance(before, value), carries, eventTime);
    const { holding, trade } = line;
    const isFlat = record.action === 'close' && holding.quantity < step;
    this.#lines.set(key, isFlat ? { holding, trade: undefined } : line);
    if (!isFlat || trade === undefined) return;
    const { openTime, quantity, fees, carry, grossPnl } = trade;
    this.trips.push({
      instrumentId,
      direction: value.direction,
      openTime,
      closeTime: eventTime,
      quantity,
      fees,
      carry,
      pnl: grossPnl - fees - carry,
    });
  }
}

function openLines({ time: openTime, holdings }: TripContext): Map<string, Line> {
  return new Map(
    holdings.map(({ instrumentId, holding }) => [
      `long ${instrumentId}`,
      { holding, trade: { ...newTrade(openTime), quantity: holding.quantity } },
    ]),
  );
}

function newTrade(openTime: EpochMs): OpenTrade {
  return {
    openTime,
    quantity: FIXED_ZERO,
    fees: FIXED_ZERO,
    carry: FIXED_ZERO,
    grossPnl: FIXED_ZERO,
  };
}

/** By line, as lists that are used up from their start. */
function groupCarries(carries: readonly RunCarry[]): ReadonlyMap<string, RunCarry[]> {
  const groups = new Map<string, RunCarry[]>();
  for (const carry of carries) {
    const key = `${carry.direction} ${carry.instrumentId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [carry]);
    else group.push(carry);
  }
  return groups;
}

/** Puts what a position cost to hold up to a time on the trade under way; without one it waits for the fill of that time. */
function bear(line: Line, carries: RunCarry[] | undefined, time: EpochMs): Line {
  if (carries === undefined || line.trade === undefined) return line;
  let { holding, trade } = line;
  while ((carries[0]?.time ?? Number.POSITIVE_INFINITY) <= time) {
    const carry = carries.shift();
    if (carry === undefined) break;
    trade = { ...trade, carry: trade.carry + carry.cost };
    holding = addToHolding(holding, carry.accrued.quantity, carry.accrued.value);
  }
  return { holding, trade };
}

function advance(line: Line, fill: FillValue): Line & { readonly trade: OpenTrade } {
  const { record } = fill.fill;
  const trade = line.trade ?? newTrade(record.eventTime);
  const fees = trade.fees + fill.fee;
  if (record.action === 'open') {
    return {
      holding: addToHolding(line.holding, fill.quantity, fill.value),
      trade: { ...trade, quantity: trade.quantity + fill.quantity, fees },
    };
  }
  if (fill.quantity > line.holding.quantity && !fill.mayExceed) {
    throw new InvariantError(
      'E_OVERCLOSED',
      `expected ${record.instrumentId} to close at most the ${formatFixed(line.holding.quantity)} held, received ${formatFixed(fill.quantity)} at ${String(record.eventTime)}`,
    );
  }
  const { holding, released } = takeFromHolding(line.holding, fill.quantity);
  return {
    holding,
    trade: { ...trade, fees, grossPnl: trade.grossPnl + realizedPnl(fill, released) },
  };
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
