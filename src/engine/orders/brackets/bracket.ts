import type {
  Direction,
  EnterIntent,
  ExitIntent,
  Fixed,
  InstrumentId,
} from '../../../domain/index.js';
import type { EntrySum } from '../entry-sum.js';
import type { Guard } from '../guards/guard.js';
import { isOfBracket } from '../working/order-cause.js';
import type { TooSmall } from '../too-small.js';
import type { WorkingOrder } from '../working/working-order.js';
import type { WorkingOrderList } from '../working/working-order-list.js';

const NONE: readonly never[] = [];

/** The guard of one entry, for the part of it that is filled and not closed yet. */
export interface EntryBracket extends EntrySum {
  /** Id of the entry's intent, or of the first intent in a chain of replacements. */
  readonly intentId: number;
  readonly intent: EnterIntent;
  /** Its levels; never with a trailing stop. */
  guard: Guard;
  /** Base or contracts; the quantities of a side's brackets together never exceed the holding. */
  quantity: Fixed;
  /** `fired`: its stop waits until other orders that offer the quantity have ended; `stopping`: the stop's order works. */
  state: 'guarding' | 'fired' | 'stopping';
  /** Intent id of its last stop order. */
  stopId?: number | undefined;
  /** Set when the stop fired and sold nothing, so that it is not tried with each sample. */
  stopFailed: boolean;
  /** Intent id of its last take-profit order. */
  takeProfitId?: number | undefined;
  /** Quantity for which the take-profit was sent or refused, less its fills; undefined if it has yet to be sent. */
  offered?: Fixed | undefined;
  /** Set when the venue rejected its take-profit, or when that was never sent: a live venue may accept it later. */
  takeProfitFailed?: boolean;
  /** Set when its quantity was found too small to be sold. */
  tooSmall?: TooSmall | undefined;
}

/** Total quantity of the brackets of a side. */
export function guardedByBrackets(brackets: readonly EntryBracket[] | undefined): Fixed {
  let guarded = 0n;
  if (brackets !== undefined) for (const { quantity } of brackets) guarded += quantity;
  return guarded;
}

/** Working orders of a bracket's take-profit: a large one is split into several orders. */
export function takeProfitsOf(
  { working }: { readonly working: WorkingOrderList },
  { takeProfitId }: EntryBracket,
): readonly WorkingOrder[] {
  if (takeProfitId === undefined) return NONE;
  const own: WorkingOrder[] = [];
  for (const order of working.ofIntent(takeProfitId))
    if (order.role === 'bracket-take-profit' && order.request.intentId === takeProfitId)
      own.push(order);
  return own;
}

/** The bracket that an order belongs to; undefined if the bracket has ended, or for orders of no bracket. */
export function bracketOf(
  { brackets }: { readonly brackets: readonly EntryBracket[] | undefined },
  { role, request: { intentId } }: WorkingOrder,
): EntryBracket | undefined {
  if (!isOfBracket(role)) return undefined;
  return brackets?.find(({ takeProfitId, stopId }) =>
    role === 'bracket-stop' ? stopId === intentId : takeProfitId === intentId,
  );
}

/** The exit intent of a bracket, with the label of its entry. */
export function exitOf(
  {
    instrumentId: instrument,
    direction,
  }: { readonly instrumentId: InstrumentId; readonly direction: Direction },
  { intent: { label } }: EntryBracket,
  quantity: string,
): ExitIntent {
  const named = label === undefined ? {} : { label };
  return { kind: 'exit', instrument, direction, size: { quantity }, ...named };
}

/** Quantity that the working stop orders of a bracket may still sell. */
export function soldByStop(
  { working }: { readonly working: WorkingOrderList },
  { state, stopId }: EntryBracket,
): Fixed {
  let sold = 0n;
  if (state === 'stopping' && stopId !== undefined)
    for (const { request, remaining } of working.ofIntent(stopId))
      if (request.intentId === stopId) sold += remaining;
  return sold;
}
