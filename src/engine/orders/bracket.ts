import type {
  Direction,
  EnterIntent,
  ExitIntent,
  Fixed,
  InstrumentId,
} from '../../domain/index.js';
import type { EntrySum } from './entry-sum.js';
import type { Guard } from './guard.js';
import { isOfBracket } from './order-cause.js';
import type { TooSmall } from './too-small.js';
import type { WorkingOrder } from './working-order.js';
import type { WorkingOrderList } from './working-order-list.js';

const NONE: readonly never[] = [];

/** What guards one entry alone, for as much of it as is filled and not sold yet. */
export interface EntryBracket extends EntrySum {
  /** Number of the entry's intent, or of the first of those that replaced each other. */
  readonly intentId: number;
  readonly intent: EnterIntent;
  /** Its levels; never with a trailing stop. */
  guard: Guard;
  /** Base or contracts; those of a side together are never more than is held. */
  quantity: Fixed;
  /** `fired`: its stop waits for what offers the quantity to end; `stopping`: the order for it works. */
  state: 'guarding' | 'fired' | 'stopping';
  /** Number under which its stop was sent last. */
  stopId?: number | undefined;
  /** Set when the stop fired and sold nothing, so that it is not tried with each sample. */
  stopFailed: boolean;
  /** Number under which its take-profit was sent last. */
  takeProfitId?: number | undefined;
  /** What that was sent for, or refused for, less what it has filled; undefined where it is to be sent. */
  offered?: Fixed | undefined;
  /** Set when the venue refused its take-profit, or that never left: a live venue may take it later. */
  takeProfitFailed?: boolean;
  /** Set when it was found to be too small to be sold. */
  tooSmall?: TooSmall | undefined;
}

/** What all brackets of a side guard. */
export function guardedByBrackets(brackets: readonly EntryBracket[] | undefined): Fixed {
  let guarded = 0n;
  if (brackets !== undefined) for (const { quantity } of brackets) guarded += quantity;
  return guarded;
}

/** Its take-profit while that works: large ones go in several orders. */
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

/** The bracket whose order it is; undefined where that has ended. */
export function ownerOf(
  { brackets }: { readonly brackets: readonly EntryBracket[] | undefined },
  { role, request: { intentId } }: WorkingOrder,
): EntryBracket | undefined {
  if (!isOfBracket(role)) return undefined;
  return brackets?.find(({ takeProfitId, stopId }) =>
    role === 'bracket-stop' ? stopId === intentId : takeProfitId === intentId,
  );
}

/** What closes it, in the name of the entry. */
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

/** What its stop is about to sell. */
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
