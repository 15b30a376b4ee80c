import {
  addToHolding,
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
import { convert, type FillValue } from './fill-value.js';
import type { RunHolding } from './run-record.js';

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
  /** Realized profit or loss less fees; funding and interest are not in fills and not in here. */
  readonly pnl: Fixed;
}

interface OpenTrade {
  readonly openTime: EpochMs;
  readonly quantity: Fixed;
  readonly fees: Fixed;
  readonly grossPnl: Fixed;
}

/** What one instrument and direction holds, and the trade under way; without one, the holding is dust. */
interface Line {
  readonly holding: Holding;
  readonly trade: OpenTrade | undefined;
}

const EMPTY_LINE: Line = { holding: EMPTY_HOLDING, trade: undefined };

/**
 * Pairs fills into trades, each from flat to flat, with the exact profit or loss after fees.
 *
 * Entries of any number form one trade; a part that is closed takes its share of the entry value (DESIGN R15). A close that leaves less
 * than one quantity step leaves the position flat (DESIGN R8): the dust, with its entry value, goes into the next trade, so that
 * nothing is lost between trades. What was held at the start is a trade that began then. A trade still open after the last fill is not returned. Trades come in the order they ended.
 * @throws {InvariantError} `E_OVERCLOSED` when a fill closes more than is held.
 */
export function roundTrips(
  fills: readonly FillValue[],
  opening: { readonly time: EpochMs; readonly holdings: readonly RunHolding[] } = {
    time: 0,
    holdings: [],
  },
): readonly RoundTrip[] {
  const lines = new Map<string, Line>();
  for (const { instrumentId, holding } of opening.holdings) {
    const { quantity } = holding;
    const trade = { openTime: opening.time, quantity, fees: FIXED_ZERO, grossPnl: FIXED_ZERO };
    lines.set(`long ${instrumentId}`, { holding, trade });
  }
  const trips: RoundTrip[] = [];
  for (const value of fills) {
    const { record, step } = value.fill;
    const { instrumentId, eventTime } = record;
    const key = `${value.direction} ${instrumentId}`;
    const line = advance(lines.get(key) ?? EMPTY_LINE, value);
    const { holding, trade } = line;
    const isFlat = record.action === 'close' && holding.quantity < step;
    lines.set(key, isFlat ? { holding, trade: undefined } : line);
    if (!isFlat) continue;
    trips.push({
      instrumentId,
      direction: value.direction,
      openTime: trade.openTime,
      closeTime: eventTime,
      quantity: trade.quantity,
      fees: trade.fees,
      pnl: trade.grossPnl - trade.fees,
    });
  }
  return trips;
}

function advance(line: Line, fill: FillValue): Line & { readonly trade: OpenTrade } {
  const { record } = fill.fill;
  const trade = line.trade ?? {
    openTime: record.eventTime,
    quantity: FIXED_ZERO,
    fees: FIXED_ZERO,
    grossPnl: FIXED_ZERO,
  };
  const fees = trade.fees + fill.fee;
  if (record.action === 'open') {
    const quantity = trade.quantity + fill.quantity;
    const { openTime, grossPnl } = trade;
    return {
      holding: addToHolding(line.holding, fill.quantity, fill.value),
      trade: { openTime, quantity, fees, grossPnl },
    };
  }
  if (fill.quantity > line.holding.quantity) {
    throw new InvariantError(
      'E_OVERCLOSED',
      `expected ${record.instrumentId} to close at most the ${formatFixed(line.holding.quantity)} held, received ${formatFixed(fill.quantity)} at ${String(record.eventTime)}`,
    );
  }
  const { openTime, quantity } = trade;
  const { holding, released } = takeFromHolding(line.holding, fill.quantity);
  const grossPnl = trade.grossPnl + realizedPnl(fill, released);
  return { holding, trade: { openTime, quantity, fees, grossPnl } };
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
  return convert(gain, valueRate);
}
