import {
  convertFixed,
  divideHalfEven,
  FIXED_ONE,
  fixedToNumber,
  formatFixed,
  type Asset,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import { valueRateAt, worthAt } from '../figures/fill-value.js';
import type { Trade } from '../result/result-schema.js';
import type { TripSide } from '../figures/round-trips.js';
import { shortfallOfFill } from './arrival-prices.js';
import type { TradeAmounts } from './breakdowns.js';
import type { HeldPrices } from './held-prices.js';
import { addToEnd, describeEnd, type PlacedFill, type TradeEnd } from './trade-end.js';

/** One side of an instrument, with its open trade. */
export interface TradeLine {
  readonly side: TripSide;
  readonly instrument: Instrument;
  readonly isInverse: boolean;
  readonly prices: HeldPrices;
  readonly equityCurrency: Asset;
  /** Undefined while no trade is open. */
  trade: OpenTrade | undefined;
}

/** What an open trade has of its fills and candles, apart from its profit. A plain object: V8 takes longer for the private members of a class. */
export interface OpenTrade {
  readonly line: TradeLine;
  /** Index of the trade, in the order in which trades began. */
  readonly place: number;
  /** Whether the position was held when the run began. */
  readonly isOld: boolean;
  /** Fills that opened the position. Undefined if all of it was held when the run began. */
  entry: TradeEnd | undefined;
  exit: TradeEnd | undefined;
  /** Intents of the fills, each unlike the one before. It starts with the first, as {@link TradeEnd.fills}. */
  intents: number[] | undefined;
  /** Time of the last change of the holding. */
  since: EpochMs;
  /** Worth of all opened quantity, in the equity currency; undefined if it is not known. */
  opened: Fixed | undefined;
  arrival: Fixed | undefined;
  /** Undefined as soon as one of its prices is not known. */
  shortfall: Fixed | undefined;
  /** Units of the equity currency per unit of quote, at the last fill. */
  quoteRate: Fixed;
  mae: Fixed;
  mfe: Fixed;
}

/** Outcome of a trade: at its end, or at the end of the run if it is still open. */
export interface TradeOutcome {
  readonly time: EpochMs;
  /** Before costs. */
  readonly gross: Fixed;
  /** After costs. */
  readonly profit: Fixed;
  readonly isOpen: boolean;
}

/** Adds a fill that the book has taken. `arrival`: the price when its order was sent, if known. */
export function addFill(trade: OpenTrade, fill: PlacedFill, arrival: Fixed | undefined): void {
  const { entry, value } = fill;
  const { record, quoteRate } = value.fill;
  const { intent } = entry;
  const { intents } = trade;
  if (intents === undefined) trade.intents = intent === null ? undefined : [intent];
  else if (intent !== null && intents[intents.length - 1] !== intent) intents.push(intent);
  if (record.action === 'open') {
    if (trade.entry === undefined) trade.arrival = arrival;
    trade.entry = addToEnd(trade.entry, fill);
    if (trade.opened !== undefined) trade.opened += convertFixed(value.value, value.valueRate);
  } else trade.exit = addToEnd(trade.exit, fill);
  if (trade.shortfall !== undefined)
    trade.shortfall =
      arrival === undefined
        ? undefined
        : trade.shortfall + shortfallOfFill(value, trade.line.instrument, arrival);
  trade.quoteRate = quoteRate;
  // From here on, the rest of the position starts at the price of the fill.
  noteProfitAt(trade, record.price);
}

/** Notes the profit at the prices traded since the last fill, with the holding of that time. */
export function watchUntil(trade: OpenTrade, time: EpochMs): void {
  const range = trade.line.prices.between(trade.since, time);
  trade.since = time;
  if (range === undefined) return;
  noteProfitAt(trade, range.low);
  noteProfitAt(trade, range.high);
}

/** Updates MAE and MFE with the profit before costs that the trade had at a price. */
function noteProfitAt(trade: OpenTrade, price: Fixed): void {
  const { line, quoteRate } = trade;
  const { side, instrument, equityCurrency } = line;
  let profit = side.grossPnl;
  if (side.holding.quantity !== 0n && price !== 0n)
    profit += convertFixed(
      gainAt(line, price),
      line.isInverse ? valueRateAt(price, { instrument, quoteRate, equityCurrency }) : quoteRate,
    );
  if (profit < trade.mae) trade.mae = profit;
  if (profit > trade.mfe) trade.mfe = profit;
}

/** Profit of closing what is held at a price, in the asset of {@link worthAt}. */
export function gainAt({ side, instrument, isInverse }: TradeLine, price: Fixed): Fixed {
  const { quantity, entryValue } = side.holding;
  const worth = worthAt(instrument, quantity, price);
  return (side.direction === 'long') === isInverse ? entryValue - worth : worth - entryValue;
}

/** The trade in the form of a result. One literal: joining two objects takes longer than making all their members. */
export function describeTrade(
  trade: OpenTrade,
  { time, gross, profit, isOpen }: TradeOutcome,
  { fees, funding, interest }: TradeAmounts,
): Trade {
  const { exit, opened, arrival, shortfall, intents = [] } = trade;
  const { side } = trade.line;
  const entry = trade.entry && describeEnd(trade.entry, trade.entry.first.entry);
  return {
    instrument: side.instrumentId,
    side: side.direction,
    open: isOpen,
    entry: entry === undefined || trade.isOld ? heldEntry(side, entry) : entry,
    exit: exit === undefined ? null : describeEnd(exit, exit.last),
    duration: time - side.openTime,
    gross: formatFixed(gross),
    fees: formatFixed(fees),
    funding: funding === 0n ? '0' : formatFixed(funding),
    interest: interest === 0n ? '0' : formatFixed(interest),
    profit: formatFixed(profit),
    return: opened ? fixedToNumber(divideHalfEven(profit * FIXED_ONE, opened)) : null,
    mae: formatFixed(trade.mae),
    mfe: formatFixed(trade.mfe),
    arrival: arrival === undefined ? null : formatFixed(arrival),
    shortfall: shortfall === undefined ? null : formatFixed(shortfall),
    // Two neighbors always differ, so a list of two has no duplicate.
    intents: intents.length <= 2 ? intents : [...new Set(intents)],
  };
}

/** Entry of a trade that was held when the run began. `added`: later buys of the same trade; their fills are listed. */
function heldEntry(side: TripSide, added: Trade['entry'] | undefined): Trade['entry'] {
  return {
    time: side.openTime,
    price: added?.price ?? null,
    quantity: formatFixed(side.opened),
    fills: added?.fills ?? [],
    label: added?.label ?? null,
    cause: added?.cause ?? null,
  };
}
