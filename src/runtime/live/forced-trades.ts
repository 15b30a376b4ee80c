import {
  contractValue,
  directionOf,
  isFinalStatus,
  minFixed,
  multiplyFixed,
  type Direction,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type ForcedCause,
  type FuturesInstrument,
  type InstrumentId,
  type VenueOrderId,
} from '../../domain/index.js';
import { compareIds } from '../../feed/index.js';
import type {
  AccountSource,
  AccountUpdate,
  FuturesAccountSnapshot,
  VenueTrade,
} from '../../venue/index.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import { heldContracts } from './recovery/reconcile.js';
import {
  closeForced,
  isUsedUp,
  maintenanceOf,
  withOwnFill,
  type CarriedSide,
  type MaintenanceTerms,
} from './side-margin.js';

/** What a venue asks of a contract's positions at an instant, and what it charges for an ordinary close, as a ratio. */
export interface ForcedTerms extends MaintenanceTerms {
  readonly takerRate: Fixed;
}

export interface ForcedTradesOptions {
  readonly source: Pick<AccountSource, 'account' | 'order'>;
  readonly portfolio: Portfolio;
  readonly termsAt: (instrumentId: InstrumentId, time: EpochMs) => ForcedTerms;
  readonly signal: AbortSignal;
}

export type ForcedFill = Extract<AccountUpdate, { readonly kind: 'forced-fill' }>;

/** `undecided`: what the venue shows does not fit together yet. */
export type ForcedVerdict =
  | { readonly kind: 'forced'; readonly fills: readonly ForcedFill[] }
  | { readonly kind: 'foreign' | 'undecided' };

/** Executions of one order that no journal knows; all of them close one side. */
interface StrangeClose {
  readonly venueOrderId: VenueOrderId;
  readonly direction: Direction;
  /** In the order in which they happened. */
  readonly trades: readonly VenueTrade[];
  readonly quantity: Fixed;
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];
const FOREIGN: ForcedVerdict = { kind: 'foreign' };
const UNDECIDED: ForcedVerdict = { kind: 'undecided' };

/**
 * Tells closes that the venue made for us from those of strangers: liquidations, and own long netted against own short on the way there.
 *
 * The interface says of neither what it is. An execution of an order that no journal knows counts as forced when everything fits: the order
 * is no LIMIT, closes and has ended; the position was the bot's, and the venue shows that exactly this much of it is gone; and its margin
 * was used up ({@link isUsedUp}), or the fee is that of a forced close and no taker's. Two that close the same contracts of both sides at one
 * price without a fee are netting. Where anything does not fit it is a stranger's.
 */
export class ForcedTrades {
  readonly #options: ForcedTradesOptions;

  constructor(options: ForcedTradesOptions) {
    this.#options = options;
  }

  /** Whether there is a position that the venue could close, or was: one may be over before the engine is told of its first fill. */
  mayConcern(instrumentId: InstrumentId, pending: readonly FillRecord[]): boolean {
    const { instrument, long, short } = this.#options.portfolio.instrument(instrumentId);
    if (instrument.kind !== 'futures') return false;
    const opens = pending.some(({ action }) => action === 'open');
    return opens || long.holding.quantity > 0n || short.holding.quantity > 0n;
  }

  /**
   * Judges executions of unknown orders of one contract. `pending` are the bot's own fills that its engine was not told of yet.
   *
   * @throws errors of the source.
   */
  async judge(
    instrumentId: InstrumentId,
    trades: readonly VenueTrade[],
    pending: readonly FillRecord[],
  ): Promise<ForcedVerdict> {
    const { instrument } = this.#options.portfolio.instrument(instrumentId);
    if (instrument.kind !== 'futures') return FOREIGN;
    const closes = groupByOrder(trades);
    const held = this.#held(instrumentId, pending);
    if (DIRECTIONS.some((direction) => sumOf(closes, direction) > held[direction])) return FOREIGN;
    const { source, signal } = this.#options;
    for (const { venueOrderId } of closes) {
      const order = await source.order({ instrumentId, venueOrderId }, { signal });
      if (order === undefined || !isFinalStatus(order.status)) return UNDECIDED;
      if (order.action !== 'close' || order.type === 'limit') return FOREIGN;
    }
    const account = await source.account('futures', { signal });
    if (account.kind !== 'futures') return FOREIGN;
    const shown = heldContracts(account);
    const fits = DIRECTIONS.every(
      (direction) => shown(instrumentId, direction) === held[direction] - sumOf(closes, direction),
    );
    if (!fits) return UNDECIDED;
    const netted = findNetted(closes);
    const isForced = closes.every(
      (close) => netted.has(close) || netted.size > 0 || this.#wasDue(instrument, close, pending),
    );
    if (!isForced) return FOREIGN;
    const causeOf = (close: StrangeClose): ForcedCause =>
      netted.has(close) ? 'netting' : 'liquidation';
    const told = { closes, causeOf, account, pending };
    return { kind: 'forced', fills: this.#fills(instrument, told) };
  }

  #held(
    instrumentId: InstrumentId,
    pending: readonly FillRecord[],
  ): Readonly<Record<Direction, Fixed>> {
    const { long, short } = this.#options.portfolio.instrument(instrumentId);
    const held = { long: long.holding.quantity, short: short.holding.quantity };
    for (const fill of pending)
      held[directionOf(fill)] += fill.action === 'open' ? fill.quantity : -fill.quantity;
    return held;
  }

  /** Whether the margin was used up where it was closed first, or the fee is that of a forced close. */
  #wasDue(
    instrument: FuturesInstrument,
    { direction, trades }: StrangeClose,
    pending: readonly FillRecord[],
  ): boolean {
    const [first] = trades;
    if (first === undefined) return false;
    const terms = this.#options.termsAt(instrument.id, first.time);
    const { side } = this.#side(instrument, { direction, time: first.time, pending });
    const mark = this.#options.portfolio.mark(instrument.id);
    const prices = mark === undefined ? [first.price] : [first.price, mark];
    return (
      prices.some((price) => isUsedUp(side, price, terms)) ||
      trades.every((trade) => isForcedFee(instrument, trade, terms))
    );
  }

  /** A side as it is once the engine is told of the bot's own fills, and what these brought. */
  #side(
    instrument: FuturesInstrument,
    {
      direction,
      time,
      pending,
    }: {
      readonly direction: Direction;
      readonly time: EpochMs;
      readonly pending: readonly FillRecord[];
    },
  ): { readonly side: CarriedSide; readonly result: Fixed } {
    const { portfolio } = this.#options;
    const { holding } = portfolio.instrument(instrument.id)[direction];
    const money = portfolio.isolatedMoney(instrument.id, direction);
    const crossMoney = this.#crossMoney(instrument, direction, time);
    let side: CarriedSide = { instrument, direction, holding, money, crossMoney };
    let result = 0n;
    for (const fill of pending) {
      if (directionOf(fill) !== direction) continue;
      const after = withOwnFill(side, fill);
      side = after.side;
      result += after.result;
    }
    return { side, result };
  }

  /** What the account has for one cross position: its balance, and what the other cross ones earn less what they must keep. */
  #crossMoney(instrument: FuturesInstrument, direction: Direction, time: EpochMs): Fixed {
    const { portfolio, termsAt } = this.#options;
    let money = this.#crossBalance(instrument);
    for (const other of this.#sidesOf(instrument)) {
      const { id, marginMode } = other.instrument;
      const price = portfolio.mark(id) ?? portfolio.last(id);
      const isItself = id === instrument.id && other.direction === direction;
      if (marginMode === 'isolated' || isItself || price === undefined) continue;
      const value = contractValue(other.instrument, other.quantity, price);
      money += portfolio.unrealized(id, other.direction) - maintenanceOf(value, termsAt(id, time));
    }
    return money;
  }

  /** Sides held in contracts of one margin asset. */
  #sidesOf({ marginAsset }: FuturesInstrument): readonly {
    readonly instrument: FuturesInstrument;
    readonly direction: Direction;
    readonly quantity: Fixed;
  }[] {
    return [...this.#options.portfolio.instruments()].flatMap(({ instrument, ...sides }) => {
      if (instrument.kind !== 'futures' || instrument.marginAsset !== marginAsset) return [];
      return DIRECTIONS.map((direction) => ({
        instrument,
        direction,
        quantity: sides[direction].holding.quantity,
      })).filter(({ quantity }) => quantity > 0n);
    });
  }

  #fills(
    instrument: FuturesInstrument,
    {
      closes,
      causeOf,
      account,
      pending,
    }: {
      readonly closes: readonly StrangeClose[];
      readonly causeOf: (close: StrangeClose) => ForcedCause;
      readonly account: FuturesAccountSnapshot;
      readonly pending: readonly FillRecord[];
    },
  ): readonly ForcedFill[] {
    const time = closes[0]?.trades[0]?.time ?? 0;
    const long = this.#side(instrument, { direction: 'long', time, pending });
    const short = this.#side(instrument, { direction: 'short', time, pending });
    const sides = { long: long.side, short: short.side };
    const trades = closes
      .flatMap((close) => close.trades.map((trade) => ({ trade, close })))
      .toSorted((a, b) => compareIds(a.trade.venueTradeId, b.trade.venueTradeId));
    let crossBalance = this.#crossBalance(instrument) + long.result + short.result;
    return trades.map(({ trade, close }, index) => {
      const { side, result, beyond } = closeForced(sides[close.direction], trade);
      sides[close.direction] = side;
      crossBalance += result;
      const isLast = index === trades.length - 1;
      const lost = isLast && isCrossGone(instrument, account) ? -minFixed(crossBalance, 0n) : 0n;
      const isCross = instrument.marginMode === 'cross';
      return forcedFill(instrument, trade, {
        cause: causeOf(close),
        insurance: isCross ? lost : beyond,
      });
    });
  }

  /** Money of the account that no isolated position holds. */
  #crossBalance(instrument: FuturesInstrument): Fixed {
    const { portfolio } = this.#options;
    let balance = portfolio.total(instrument.marginAsset, 'futures');
    for (const { instrument: other, direction } of this.#sidesOf(instrument)) {
      const { margin, kept } = portfolio.isolatedMoney(other.id, direction);
      balance -= margin + kept;
    }
    return balance;
  }
}

/** Whether nothing is left of the account, and no cross position: then the venue pays what was lost beyond it. */
function isCrossGone(
  { marginAsset }: FuturesInstrument,
  { accounts }: FuturesAccountSnapshot,
): boolean {
  const account = accounts.find((each) => each.marginAsset === marginAsset);
  if (account === undefined) return true;
  const holdsCross = account.positions.some(
    ({ isValid, quantity, marginMode }) => isValid && quantity > 0n && marginMode === 'cross',
  );
  return !holdsCross && account.available + account.locked <= 0n;
}

function groupByOrder(trades: readonly VenueTrade[]): readonly StrangeClose[] {
  const groups = new Map<string, { id: VenueOrderId; trades: VenueTrade[] }>();
  for (const trade of trades.toSorted((a, b) => compareIds(a.venueTradeId, b.venueTradeId))) {
    const known = groups.get(trade.venueOrderId);
    if (known === undefined)
      groups.set(trade.venueOrderId, { id: trade.venueOrderId, trades: [trade] });
    else known.trades.push(trade);
  }
  return [...groups.values()].map(({ id, trades: own }) => ({
    venueOrderId: id,
    direction: own[0]?.side === 'buy' ? 'short' : 'long',
    trades: own,
    quantity: own.reduce((sum, { quantity }) => sum + quantity, 0n),
  }));
}

function sumOf(closes: readonly StrangeClose[], direction: Direction): Fixed {
  return closes
    .filter((close) => close.direction === direction)
    .reduce((sum, { quantity }) => sum + quantity, 0n);
}

/** Pairs that set own long off against own short: as many contracts of both, at one price, for nothing. */
function findNetted(closes: readonly StrangeClose[]): ReadonlySet<StrangeClose> {
  const netted = new Set<StrangeClose>();
  const isFree = ({ trades }: StrangeClose): boolean => trades.every(({ fee }) => fee === 0n);
  for (const long of closes.filter(({ direction }) => direction === 'long').filter(isFree)) {
    const short = closes.find(
      (other) =>
        other.direction === 'short' &&
        !netted.has(other) &&
        isFree(other) &&
        other.quantity === long.quantity &&
        other.trades[0]?.price === long.trades[0]?.price,
    );
    if (short !== undefined) netted.add(long).add(short);
  }
  return netted;
}

/** Whether a fee is that of a forced close, to a thousandth, and this is not what a taker pays. */
function isForcedFee(
  instrument: FuturesInstrument,
  { quantity, price, fee }: VenueTrade,
  { maxFeeRate, takerRate }: ForcedTerms,
): boolean {
  if (maxFeeRate === 0n || isNear(maxFeeRate, takerRate, 100n)) return false;
  const value = contractValue(instrument, quantity, price);
  return isNear(fee, multiplyFixed(value, maxFeeRate), 1_000n);
}

function isNear(actual: Fixed, expected: Fixed, parts: bigint): boolean {
  const distance = actual < expected ? expected - actual : actual - expected;
  return distance * parts <= expected;
}

function forcedFill(
  { id, marginAsset }: FuturesInstrument,
  trade: VenueTrade,
  { cause, insurance }: { readonly cause: ForcedCause; readonly insurance: Fixed },
): ForcedFill {
  const { venueTradeId, side, price, quantity, fee, feeAsset, liquidity, time } = trade;
  return {
    kind: 'forced-fill',
    cause,
    fill: {
      clientOrderId: `${cause}-${venueTradeId}` as FillRecord['clientOrderId'],
      instrumentId: id,
      side,
      action: 'close',
      price,
      quantity,
      fee,
      feeAsset: feeAsset ?? marginAsset,
      liquidity,
      eventTime: time,
      venueTradeId,
    },
    insurance,
    eventTime: time,
  };
}
