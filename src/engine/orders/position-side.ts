import {
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
import type { EntryBracket } from './bracket.js';
import { averagePriceOf, type EntrySum } from './entry-sum.js';
import { averageEntryPrice, type Guard } from './guard.js';
import { isOfBracket, labelOf, type OrderRole } from './order-cause.js';
import {
  isEntry,
  isLeavingAll,
  isOfExit,
  isUnsettled,
  leavesAll,
  ocoOf,
} from './order-questions.js';
import type { Funds } from './reservation.js';
import type { InstrumentAccount } from '../portfolio/instrument-account.js';
import type { SideLedger } from '../portfolio/side-ledger.js';
import type { OwnQuotes } from './own-quotes.js';
import { isTooSmall, type TooSmall } from './too-small.js';
import type { SliceSchedule } from './work-state.js';
import type { TalliesOfSide } from './work-tally.js';
import type { WorkingOrder } from './working-order.js';
import { WorkingOrderList } from './working-order-list.js';

/** An intent to leave a position or a part of it, waiting for the orders it replaces to end. */
export interface ExitJob {
  readonly intentId: number;
  readonly intent: ExitIntent;
  readonly role: 'exit' | 'flip' | 'flatten' | 'stop';
  /** Whether it withdraws entries that rest, too: they would open again what it leaves. */
  readonly withdrawsEntries: boolean;
  readonly since: EpochMs;
}

/** What the venue left of the orders of one intent. */
export interface Remainder {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly unit: QuantityUnit;
  readonly quantity: Fixed;
  readonly origin?: number | undefined;
  /** Where it is sent in parts; it is sent with the next candle else. */
  readonly schedule?: SliceSchedule | undefined;
}

/** An entry that waits for the other side to be left, where both cannot be held. */
export interface WaitingEntry {
  readonly intentId: number;
  readonly intent: EnterIntent;
  readonly since: EpochMs;
}

/** One side of one instrument: its working orders, its guards, and what is waiting. Its sum is of the entries since the position was last flat. */
export interface PositionSide extends EntrySum {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly account: InstrumentAccount;
  readonly ledger: SideLedger;
  readonly funds: Funds;
  readonly working: WorkingOrderList;
  /** Of both sides of the instrument. */
  readonly quotes: OwnQuotes;
  guard: Guard | undefined;
  /** Counts the guards that were set where there was none: what replaces a guard goes on with its best price. */
  guardNumber: number;
  /** What guards single entries, oldest first; undefined where none does. Changed by {@link Brackets}. */
  brackets: EntryBracket[] | undefined;
  /** Set when the venue or risk refused the take-profit, so that it is not tried for ever. */
  takeProfitRefused: boolean;
  /** Set beside that where it was the venue, or the take-profit never left: a live venue may take it later. */
  takeProfitFailed: boolean;
  /** Oldest first; they and `waiting` are changed by {@link WaitingIntents}. */
  exitJobs: ExitJob[];
  /** An exit of all that the venue refused, or that never left: a live bot tries it again, until something newer is wanted. */
  failedExit: ExitJob | undefined;
  waiting: WaitingEntry | undefined;
  /** Set when the stop fired and sold nothing, so that it is not tried with each sample. */
  stopFailed: boolean;
  /** Set when what is held was found to be too small to be sold. */
  tooSmall: TooSmall | undefined;
  /** Remaining quantities that are sent again with the next candle (`remainder: resend`), by intent. */
  readonly remainders: Map<number, Remainder>;
  /** Of intents that are worked; undefined where none is. Changed by {@link WorkTallies}. */
  tallies: TalliesOfSide | undefined;
  /** See {@link AccountView.isHeld}. */
  readonly known: KnownHolding;
}

/** What was found of a holding when it was looked at last: comparing amounts takes longer than the rest of an intent that changes nothing. */
export interface KnownHolding {
  holding: Holding | undefined;
  isNothing: boolean;
  /** By these rules {@link isHeld} was found; undefined where it has not been looked at. */
  rules: ResolvedRules | undefined;
  isHeld: boolean;
}

export function createPositionSide(
  account: InstrumentAccount,
  direction: Direction,
  funds: Funds,
  quotes: OwnQuotes,
): PositionSide {
  return {
    instrumentId: account.instrument.id,
    direction,
    account,
    ledger: account[direction],
    funds,
    working: new WorkingOrderList(),
    quotes,
    guard: undefined,
    guardNumber: 0,
    brackets: undefined,
    takeProfitRefused: false,
    takeProfitFailed: false,
    exitJobs: [],
    failedExit: undefined,
    waiting: undefined,
    stopFailed: false,
    tooSmall: undefined,
    remainders: new Map(),
    tallies: undefined,
    entryNotional: 0n,
    entryQuantity: 0n,
    known: { holding: undefined, isNothing: false, rules: undefined, isHeld: false },
  };
}

/** What the position side holds; less than one step counts as nothing (DESIGN R8). */
export function heldQuantity({ ledger }: PositionSide, rules: ResolvedRules | undefined): Fixed {
  const { quantity } = ledger.holding;
  return rules !== undefined && quantity < rules.step ? 0n : quantity;
}

/** Whether nothing works or waits on this side. */
export function isIdle({ working, remainders, exitJobs }: PositionSide): boolean {
  return working.size === 0 && remainders.size === 0 && exitJobs.length === 0;
}

/** Whether the whole position is being left at any price: the order for it works, or waits for what it replaces. */
export function isLeaving({ exitJobs, working }: PositionSide): boolean {
  for (const { intent } of exitJobs) if (leavesAll(intent)) return true;
  return working.closing > 0 && working.some(isLeavingAll);
}

/** Whether an entry works, is to be sent again, or waits for the other side to be left. */
export function isEntering(positionSide: PositionSide): boolean {
  return (
    positionSide.waiting !== undefined ||
    hasRemainder(positionSide, 'enter') ||
    positionSide.working.some(isEntry)
  );
}

/** Whether something of an entry or an exit is to be sent again. */
export function hasRemainder({ remainders }: PositionSide, kind: 'enter' | 'exit'): boolean {
  if (remainders.size === 0) return false;
  for (const { intent } of remainders.values()) if (intent.kind === kind) return true;
  return false;
}

/** Whether what is held is less than the venue sells: it blocks no entry, and its stop is not tried. An entry tops it up. */
export function isDust({ tooSmall, ledger, account }: PositionSide): boolean {
  return tooSmall !== undefined && isTooSmall(tooSmall, ledger.holding.quantity, account);
}

/** Whether what is held is what exits left because it was below a step, coarser than the one in force now, perhaps: it was part of no position since (DESIGN R8). */
export function isRest({ ledger: { holding, isUnopened } }: Pick<PositionSide, 'ledger'>): boolean {
  return !isUnopened && holding.quantity !== 0n && holding.entryValue === 0n;
}

/** Whether the position side's stop may fire. */
export function isWatched(positionSide: PositionSide): boolean {
  return !positionSide.stopFailed && !isDust(positionSide) && !isLeaving(positionSide);
}

/** Whether nothing works but take-profits and what rests, and no exit waits or is to be sent again. */
export function isSettled(positionSide: PositionSide): boolean {
  if (positionSide.working.some(isUnsettled)) return false;
  return positionSide.exitJobs.length === 0 && !hasRemainder(positionSide, 'exit');
}

/** What exits that rest offer, take-profits aside. */
export function offeredByExits({ working }: PositionSide): Fixed {
  return working.closing === 0 ? 0n : working.remaining(isOfExit);
}

/** What was wanted: an order that works for it, or what waits. */
export interface Wanted {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  /** The intent that it goes on with, where it replaces an order of that. */
  readonly origin?: number | undefined;
}

/**
 * Whether a strategy means it. By its label it means its own intents alone, not what the engine makes of them: a flip's exit and what a bracket sells go on. By its number it
 * means what replaces its orders as well.
 */
export function refersTo(target: OrderReference, one: Wanted): boolean {
  return 'intentId' in target
    ? one.intentId === target.intentId || one.origin === target.intentId
    : one.role !== 'flip' && !isOfBracket(one.role) && labelOf(one) === target.label;
}

/** Whether it is to be given up once something of another intent in its group has been filled. */
export function isRival(filled: WorkingOrder, { intent, origin, intentId }: Wanted): boolean {
  const group = ocoOf({ intent });
  return group !== undefined && group === ocoOf(filled) && (origin ?? intentId) !== filled.origin;
}

/** Average price of the entries since flat, harmonic for inverse contracts; of what was held from the start, or claimed, as its entry value says. */
export function entryPriceOf(positionSide: PositionSide): Fixed {
  const { account, entryQuantity, ledger } = positionSide;
  const { instrument } = account;
  if (entryQuantity !== 0n) return averagePriceOf(positionSide, instrument);
  const { quantity, entryValue } = ledger.holding;
  return instrument.kind === 'futures' && entryValue !== 0n
    ? contractPrice(instrument, quantity, entryValue)
    : averageEntryPrice(entryValue, quantity);
}

/** Keeps what the venue left of an order to be sent again. Rests of one intent, as of the legs of a split order, become one. */
export function keepRemainder(positionSide: PositionSide, order: WorkingOrder): void {
  const { request, intent, role, origin, remaining } = order;
  const isWanted = !order.isWithdrawn && order.replacement === undefined;
  // What the venue refuses is not asked for without end: a part goes with the next, of which there are so many.
  const isLeft =
    order.status === 'canceled' || (order.status === 'rejected' && isSliced(positionSide, order));
  if (!order.takesWhatThereIs || !isWanted || !isLeft || remaining <= 0n) return;
  const { intentId, unit } = request;
  const before = positionSide.remainders.get(intentId);
  if (before === undefined)
    positionSide.remainders.set(intentId, {
      ...{ intentId, intent, role, unit, quantity: remaining },
      ...(origin !== intentId && { origin }),
    });
  else {
    const rest = amountIn(before, unit, remaining);
    if (rest > 0n)
      positionSide.remainders.set(intentId, { ...before, quantity: before.quantity + rest });
  }
}

/** What is left of an order, in the unit of what is still to be sent: a short on margin sells base, also where an amount was wanted. */
function amountIn({ unit, schedule }: Remainder, sent: QuantityUnit, remaining: Fixed): Fixed {
  if (unit === sent) return remaining;
  const price = unit === 'quote' ? schedule?.price : undefined;
  return price === undefined ? 0n : multiplyFixed(remaining, price);
}

/** Takes what is to be sent with the next candle. */
export function takeUnscheduled({ remainders }: PositionSide): readonly Remainder[] {
  if (remainders.size === 0) return [];
  const taken = [...remainders.values()].filter(({ schedule }) => schedule === undefined);
  for (const { intentId } of taken) remainders.delete(intentId);
  return taken;
}

/** Whether an order is a part of what is sent in parts, and more of them follow. */
export function isSliced({ remainders }: PositionSide, { request }: WorkingOrder): boolean {
  return remainders.size > 0 && remainders.get(request.intentId)?.schedule !== undefined;
}
