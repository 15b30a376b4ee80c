import {
  divideFixed,
  contractPrice,
  multiplyFixed,
  type Direction,
  type EnterIntent,
  type EpochMs,
  type ExitIntent,
  type Fixed,
  type Holding,
  type InstrumentId,
  type OrderIntent,
  type OrderReference,
  type QuantityUnit,
  type ResolvedRules,
} from '../../domain/index.js';
import type { InstrumentAccount } from '../portfolio/instrument-account.js';
import type { SideLedger } from '../portfolio/side-ledger.js';
import type { VirtualTimer } from '../time/virtual-timer.js';
import type { EntryBracket } from './brackets/bracket.js';
import { averagePriceOf, type EntrySum } from './entry-sum.js';
import type { Guard } from './guards/guard.js';
import { isOfBracket, labelOf, type OrderRole } from './working/order-cause.js';
import {
  isEntry,
  isLeavingAll,
  isOfExit,
  isUnsettled,
  leavesAll,
  ocoOf,
} from './working/order-questions.js';
import { OwnQuotes } from './working/own-quotes.js';
import type { Funds } from './reservation.js';
import { isTooSmall, type TooSmall } from './too-small.js';
import type { SliceSchedule } from './worked/work-state.js';
import type { TalliesOfSide } from './worked/work-tally.js';
import { WorkingOrderList } from './working/working-order-list.js';
import type { ParentOrder, WorkingOrder } from './working/working-order.js';

/** An intent to leave a position or a part of it, waiting for the orders it replaces to end. */
export interface ExitJob {
  readonly intentId: number;
  readonly intent: ExitIntent;
  readonly role: 'exit' | 'flip' | 'flatten' | 'stop';
  /** Set if orders of the intent were sent before. */
  readonly parent?: ParentOrder | undefined;
  /** Whether it also withdraws resting entries, which would open the position again. */
  readonly withdrawsEntries: boolean;
  readonly since: EpochMs;
}

/** The remaining quantity of the orders of one intent, to be sent again. */
export interface Remainder {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly unit: QuantityUnit;
  readonly quantity: Fixed;
  readonly origin?: number | undefined;
  /** Counts the fills of all orders of the intent. @defaultValue in a checkpoint from before it was stored: none yet */
  readonly parent?: ParentOrder | undefined;
  /** When it is given up. @defaultValue never */
  readonly until?: EpochMs | undefined;
  /** Set if it is sent in parts; otherwise it is sent with the next candle. */
  readonly schedule?: SliceSchedule | undefined;
}

/** An entry that waits for the other side to be left, because both cannot be held. */
export interface WaitingEntry {
  readonly intentId: number;
  readonly intent: EnterIntent;
  readonly since: EpochMs;
}

/** One side of one instrument: its working orders, guards and waiting intents. Its sum counts the entries since the position was last flat. */
export interface PositionSide extends EntrySum {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly account: InstrumentAccount;
  readonly ledger: SideLedger;
  readonly funds: Funds;
  readonly working: WorkingOrderList;
  /** Shared by both sides of the instrument. */
  readonly quotes: OwnQuotes;
  /** The opposite side of the instrument. */
  other: PositionSide;
  /**
   * The opposite side, if only one side of the instrument can be held at a time: always on margin, because long and short share one balance, and
   * on futures in one-way mode. Undefined if both sides can be held, and on spot.
   */
  rival: PositionSide | undefined;
  guard: Guard | undefined;
  /** Counts how often a guard was set while there was none. A replaced guard does not count, because the new one keeps its best price. */
  guardNumber: number;
  /** Origins of the entries that were under way when `protect` set the guard: their protections no longer count. */
  overruled: readonly number[];
  /** Brackets of single entries, oldest first; undefined if there are none. Changed by {@link Brackets}. */
  brackets: EntryBracket[] | undefined;
  /** Quantity for which the take-profit was last sent or refused; 0 if it has yet to be sent. */
  takeProfitTried: Fixed;
  /** Set when the venue or risk refused it. It is tried again when there is more to sell, and not for ever. */
  takeProfitRefused: boolean;
  /** Also set if the venue rejected it, or if it was never sent: a live venue may accept it later. */
  takeProfitFailed: boolean;
  /** When rules of the venue first refused a take-profit, or found a quantity too small; undefined again once that was tried by newer rules. */
  hinderedAt: EpochMs | undefined;
  /** Waiting exits, oldest first. Changed, like `waiting`, by {@link WaitingIntents}. */
  exitJobs: ExitJob[];
  /** Exits that the venue rejected, or that were never sent, to be tried again until a newer intent comes; of parts only until the next candle. */
  failedExits: readonly ExitJob[];
  waiting: WaitingEntry | undefined;
  /** Set when the stop fired and sold nothing, so that it is not tried with each sample. */
  stopFailed: boolean;
  /** Set when the holding was found too small to be sold. */
  tooSmall: TooSmall | undefined;
  /** Remaining quantities that are sent again with the next candle (`remainder: resend`), by intent. */
  readonly remainders: Map<number, Remainder>;
  /** The timers of the next parts of remaining quantities that are sent in parts, by intent; undefined if there are none. */
  partTimers: Map<number, VirtualTimer> | undefined;
  /** Tallies of worked intents; undefined if there are none. Changed by {@link WorkTallies}. */
  tallies: TalliesOfSide | undefined;
  /** See {@link AccountView.isHeld}. */
  readonly known: KnownHolding;
}

/** Cached result of the last check of a holding: comparing amounts takes longer than the rest of the work for an intent that changes nothing. */
interface KnownHolding {
  holding: Holding | undefined;
  isNothing: boolean;
  /** The rules by which {@link isHeld} was computed; undefined if it was not computed yet. */
  rules: ResolvedRules | undefined;
  isHeld: boolean;
}

/** Both sides of one instrument. */
export type PositionSides = Readonly<Record<Direction, PositionSide>>;

/** `isOneWay`: whether only one side of a contract can be held at a time. */
export function createPositionSides(
  account: InstrumentAccount,
  funds: Funds,
  isOneWay: boolean,
): PositionSides {
  const quotes = new OwnQuotes();
  const long = createPositionSide(account, 'long', funds, quotes) as PositionSide;
  const short = createPositionSide(account, 'short', funds, quotes) as PositionSide;
  long.other = short;
  short.other = long;
  const { kind } = account.instrument;
  if (kind === 'margin' || (kind === 'futures' && isOneWay)) {
    long.rival = short;
    short.rival = long;
  }
  return { long, short };
}

function createPositionSide(
  account: InstrumentAccount,
  direction: Direction,
  funds: Funds,
  quotes: OwnQuotes,
): Omit<PositionSide, 'other'> {
  return {
    instrumentId: account.instrument.id,
    direction,
    account,
    ledger: account[direction],
    funds,
    working: new WorkingOrderList(),
    quotes,
    rival: undefined,
    guard: undefined,
    guardNumber: 0,
    overruled: [],
    brackets: undefined,
    takeProfitTried: 0n,
    takeProfitRefused: false,
    takeProfitFailed: false,
    hinderedAt: undefined,
    exitJobs: [],
    failedExits: [],
    waiting: undefined,
    stopFailed: false,
    tooSmall: undefined,
    remainders: new Map(),
    partTimers: undefined,
    tallies: undefined,
    entryNotional: 0n,
    entryQuantity: 0n,
    known: { holding: undefined, isNothing: false, rules: undefined, isHeld: false },
  };
}

/** Quantity that a side holds; less than one step counts as 0 (DESIGN R8). */
export function heldQuantity({ ledger }: PositionSide, rules: ResolvedRules | undefined): Fixed {
  const { quantity } = ledger.holding;
  return rules !== undefined && quantity < rules.step ? 0n : quantity;
}

/** Whether no order works and no exit or remaining quantity waits on this side. */
export function isIdle({ working, remainders, exitJobs }: PositionSide): boolean {
  return working.size === 0 && remainders.size === 0 && exitJobs.length === 0;
}

/** Whether the whole position is being left at any price: the exit's order works, or waits for the orders that it replaces. */
export function isLeaving({ exitJobs, working }: PositionSide): boolean {
  for (const { intent } of exitJobs) if (leavesAll(intent)) return true;
  return working.closing > 0 && working.some(isLeavingAll);
}

/** Whether an entry works, is to be sent again, or waits for the other side to be left. */
export function isEntering(positionSide: PositionSide): boolean {
  return (
    positionSide.waiting !== undefined ||
    hasRemainder(positionSide, 'enter') ||
    (positionSide.working.size > 0 && positionSide.working.some(isEntry))
  );
}

/** Origins of the entries that work or are to be sent again. */
export function entriesUnderWay({ working, remainders }: PositionSide): readonly number[] {
  const origins = new Set<number>();
  for (const { origin } of working.those(isEntry)) origins.add(origin);
  for (const { role, origin, intentId } of remainders.values())
    if (role === 'entry') origins.add(origin ?? intentId);
  return [...origins];
}

/** Whether a remaining quantity of an entry or an exit is to be sent again. */
export function hasRemainder({ remainders }: PositionSide, kind: 'enter' | 'exit'): boolean {
  if (remainders.size === 0) return false;
  for (const { intent } of remainders.values()) if (intent.kind === kind) return true;
  return false;
}

/** Whether the holding is too small for the venue to sell. Dust blocks no entry, its stop does not fire, and an entry adds to it. */
export function isDust({ tooSmall, ledger, account }: PositionSide): boolean {
  return tooSmall !== undefined && isTooSmall(tooSmall, ledger.holding.quantity, account);
}

/** Whether exits have left no more than dust. It is of a position that is closed; dust that a partial entry has brought is of one that begins. */
export function isLeftOver(positionSide: PositionSide): boolean {
  // Asked with each entry fill, and nearly always false.
  if (!isDust(positionSide)) return false;
  const { account, ledger, entryNotional, entryQuantity } = positionSide;
  const { quantity, entryValue } = ledger.holding;
  // A fee in base makes the quantity of a pair smaller, but not its value at the entry.
  return account.instrument.kind === 'futures'
    ? quantity < entryQuantity
    : entryValue < entryNotional;
}

/** Whether the holding is a rest below one step that exits left; the step may have been coarser than now. It belongs to no position (DESIGN R8). */
export function isRest({ ledger: { holding, isUnopened } }: Pick<PositionSide, 'ledger'>): boolean {
  return !isUnopened && holding.quantity !== 0n && holding.entryValue === 0n;
}

/** Whether the position side's stop may fire. */
export function isWatched(positionSide: PositionSide): boolean {
  return !positionSide.stopFailed && !isDust(positionSide) && !isLeaving(positionSide);
}

/** Whether only take-profits and resting orders work, and no exit waits or is to be sent again. */
export function isSettled(positionSide: PositionSide): boolean {
  if (positionSide.working.some(isUnsettled)) return false;
  return positionSide.exitJobs.length === 0 && !hasRemainder(positionSide, 'exit');
}

/** Quantity that working exits offer, without take-profits. */
export function offeredByExits({ working }: PositionSide): Fixed {
  return working.closing === 0 ? 0n : working.remaining(isOfExit);
}

/** An intent with its role, of a working order or of a waiting intent. */
export interface Wanted {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  /** Id of the original intent, if this replaces an order of it. */
  readonly origin?: number | undefined;
}

/**
 * Whether a strategy refers to it. A label means only the strategy's own intents, not the orders that the engine derives from them: exits of flips
 * and orders of brackets go on. An intent id also means the replacements of its orders.
 */
export function refersTo(target: OrderReference, one: Wanted): boolean {
  return 'intentId' in target
    ? one.intentId === target.intentId || one.origin === target.intentId
    : one.role !== 'flip' && !isOfBracket(one.role) && labelOf(one) === target.label;
}

/** Whether it is to be given up because an order of another intent in its OCO group has filled. */
export function isRival(filled: WorkingOrder, { intent, origin, intentId }: Wanted): boolean {
  const group = ocoOf({ intent });
  return group !== undefined && group === ocoOf(filled) && (origin ?? intentId) !== filled.origin;
}

/** Average price of the entries since flat, harmonic for inverse contracts. A holding from the start, or a claimed one, has the price of its entry value. */
export function entryPriceOf(positionSide: PositionSide): Fixed {
  const { account, entryQuantity, ledger } = positionSide;
  const { instrument } = account;
  if (entryQuantity !== 0n) return averagePriceOf(positionSide, instrument);
  const { quantity, entryValue } = ledger.holding;
  return instrument.kind === 'futures' && entryValue !== 0n
    ? contractPrice(instrument, quantity, entryValue)
    : divideFixed(entryValue, quantity);
}

/** Keeps the remaining quantity of an order, to be sent again. Rests of one intent, such as the legs of a split order, become one. */
export function keepRemainder(positionSide: PositionSide, order: WorkingOrder): void {
  const { request, intent, role, origin, parent, remaining, expiry } = order;
  const isWanted = !order.isWithdrawn && order.replacement === undefined;
  // A rejected order is not sent again, or that might never end. A rejected part is added to the next part: the number of parts is limited.
  const isLeft =
    order.status === 'canceled' || (order.status === 'rejected' && isSliced(positionSide, order));
  if (!order.takesWhatThereIs || !isWanted || !isLeft || remaining <= 0n) return;
  const { intentId, unit } = request;
  const before = positionSide.remainders.get(intentId);
  if (before === undefined)
    positionSide.remainders.set(intentId, {
      ...{ intentId, intent, role, unit, quantity: remaining, parent },
      ...(origin !== intentId && { origin }),
      // An expiry that is infinitely far away is not stored.
      ...(expiry && Number.isFinite(expiry.due) && { until: expiry.due }),
    });
  else {
    const rest = amountIn(before, unit, remaining);
    if (rest > 0n)
      positionSide.remainders.set(intentId, { ...before, quantity: before.quantity + rest });
  }
}

/** The rest of an order, in the unit of the remaining quantity: a short on margin sells base, even if its size is an amount of quote. */
function amountIn({ unit, schedule }: Remainder, sent: QuantityUnit, remaining: Fixed): Fixed {
  if (unit === sent) return remaining;
  const price = unit === 'quote' ? schedule?.price : undefined;
  return price === undefined ? 0n : multiplyFixed(remaining, price);
}

/** Drops the remaining quantity of an intent, with the timer of its next part. */
export function dropRemainder({ remainders, partTimers }: PositionSide, intentId: number): void {
  remainders.delete(intentId);
  partTimers?.get(intentId)?.cancel();
  partTimers?.delete(intentId);
}

/** Removes and returns the remaining quantities that are sent with the next candle. */
export function takeUnscheduled({ remainders }: PositionSide): readonly Remainder[] {
  if (remainders.size === 0) return [];
  const taken = [...remainders.values()].filter(({ schedule }) => schedule === undefined);
  for (const { intentId } of taken) remainders.delete(intentId);
  return taken;
}

/** Whether an order is one part of a quantity that is sent in parts, and more parts follow. */
export function isSliced({ remainders }: PositionSide, { request }: WorkingOrder): boolean {
  return remainders.size > 0 && remainders.get(request.intentId)?.schedule !== undefined;
}
