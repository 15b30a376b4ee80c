import {
  DomainError,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type OrderIntent,
  type OrderReason,
  type OrderRequest,
  type OrderStatus,
  type VenueOrderId,
} from '../../../domain/index.js';
import type { EntryBracket } from '../brackets/bracket.js';
import type { Guard } from '../guards/guard.js';
import type { OrderRole } from '../working/order-cause.js';
import type { IntentAttempts } from '../attempt-counter.js';
import { plainIntent } from '../forms/plain-intent.js';
import type { ExitJob, PositionSide, Remainder, WaitingEntry } from '../position-side.js';
import type { WaitingTargets } from '../targets/targets.js';
import type { TooSmall } from '../too-small.js';
import type { WorkState } from '../worked/work-state.js';
import { restoreTallies, takeTallies } from '../worked/work-tallies.js';
import type { WorkTally } from '../worked/work-tally.js';
import { sizeOf, WorkingOrder, type ParentOrder } from '../working/working-order.js';
import type { VenueStop } from '../venue-stops/venue-stop.js';

/** State that an order manager continues from. */
export interface OrdersCheckpoint {
  /** Orders that may still fill, oldest first. */
  readonly orders: readonly OrderCheckpoint[];
  /** Guarded sides, in the order in which their stops are sampled, then other sides with state to keep. */
  readonly sides: readonly SideCheckpoint[];
  /** Proposal counts of intents that may still lead to orders, so that no two orders ever share an id. */
  readonly attempts: readonly IntentAttempts[];
  /** Targets whose purchases wait for their sales. */
  readonly targets?: readonly WaitingTargets[] | undefined;
  /** Triggers at the venue that may fire, oldest first, including those whose position is closed. */
  readonly triggers?: readonly VenueStop[] | undefined;
}

/** A working order with its state. Amounts in its intent are plain text. */
interface OrderCheckpoint {
  readonly request: OrderRequest;
  readonly role: OrderRole;
  readonly direction: Direction;
  readonly intent: OrderIntent;
  /** Id of the original intent, if this order replaces an order of it. @defaultValue that of its request */
  readonly origin?: number | undefined;
  /** What its parent order has filled. @defaultValue its own fills */
  readonly parentFilled?: Fixed | undefined;
  /** An order before it in the list that has the same parent order. @defaultValue none */
  readonly siblingOf?: ClientOrderId | undefined;
  readonly worked?: WorkState | undefined;
  readonly createdTime: EpochMs;
  readonly updatedTime: EpochMs;
  readonly status: OrderStatus;
  readonly venueOrderId?: VenueOrderId | undefined;
  readonly filledQuantity: Fixed;
  readonly filledNotional: Fixed;
  readonly reason?: OrderReason | undefined;
  /** Amount held back for the order, in the asset that it spends. */
  readonly reserved: Fixed;
  readonly referencePrice?: Fixed | undefined;
  readonly cancelsRest: boolean;
  readonly isWithdrawn: boolean;
  /** When the order is to be withdrawn; absent without an expiry. */
  readonly expiry?: EpochMs | undefined;
  readonly replacement?:
    | {
        readonly intentId: number;
        /** Decimal text; absent if the replacement has no limit price. */
        readonly limit?: string | undefined;
        readonly quantity: Fixed;
      }
    | undefined;
}

/** One side of one instrument. Amounts in its intents are plain text. */
interface SideCheckpoint {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly guard?: Guard | undefined;
  /** Entries whose protection a `protect` has replaced. @defaultValue none */
  readonly overruled?: readonly number[] | undefined;
  /** Oldest first. */
  readonly brackets?: readonly EntryBracket[] | undefined;
  readonly isTakeProfitRefused: boolean;
  /** Quantity for which the take-profit was last sent or refused. @defaultValue 0: if it was refused, it is tried once more */
  readonly takeProfitTried?: Fixed | undefined;
  /** @defaultValue false */
  readonly hasTakeProfitFailed?: boolean | undefined;
  /** When rules of the venue kept an order of the side from being sent. @defaultValue they did not */
  readonly hinderedAt?: EpochMs | undefined;
  readonly hasStopFailed: boolean;
  readonly tooSmall?: TooSmall | undefined;
  /** Exits that wait to be sent. */
  readonly exitJobs: readonly ExitJob[];
  /** Exits that the venue has rejected. @defaultValue none */
  readonly failedExits?: readonly ExitJob[] | undefined;
  /** The exit that the venue has rejected, in a checkpoint from before these were several. */
  readonly failedExit?: ExitJob | undefined;
  readonly waiting?: WaitingEntry | undefined;
  readonly rests: readonly Remainder[];
  /** Tallies of worked intents. */
  readonly tallies?: readonly WorkTally[] | undefined;
  readonly entryNotional: Fixed;
  readonly entryQuantity: Fixed;
}

/** Working orders with what they share. */
export function takeOrderList(orders: readonly WorkingOrder[]): readonly OrderCheckpoint[] {
  const parents = new Map<ParentOrder, ClientOrderId>();
  return orders.map((order) => {
    const { parent, request, filledQuantity } = order;
    const { filledQuantity: parentFilled } = parent;
    const siblingOf = parents.get(parent);
    if (siblingOf === undefined) parents.set(parent, request.clientOrderId);
    return {
      ...takeOrder(order),
      ...(parentFilled !== filledQuantity && { parentFilled }),
      ...(siblingOf !== undefined && { siblingOf }),
    };
  });
}

export function takeOrder(order: WorkingOrder): OrderCheckpoint {
  const { request, role, direction, intent, createdTime, updatedTime, status } = order;
  const { venueOrderId, filledQuantity, filledNotional, reason, reserved } = order;
  const { referencePrice, cancelsRest, isWithdrawn, replacement, expiry, origin, worked } = order;
  return {
    request,
    role,
    direction,
    intent: plainIntent(intent),
    ...(origin !== request.intentId && { origin }),
    ...(worked && { worked }),
    createdTime,
    updatedTime,
    status,
    ...(venueOrderId !== undefined && { venueOrderId }),
    filledQuantity,
    filledNotional,
    ...(reason && { reason }),
    reserved,
    ...(referencePrice !== undefined && { referencePrice }),
    cancelsRest,
    isWithdrawn,
    // An expiry that is infinitely far away is not stored.
    ...(expiry && Number.isFinite(expiry.due) && { expiry: expiry.due }),
    ...(replacement && {
      replacement: {
        intentId: replacement.intentId,
        ...(replacement.limitPrice !== undefined && { limit: String(replacement.limitPrice) }),
        quantity: replacement.quantity,
      },
    }),
  };
}

/** The order as it was, without the timer of its expiry. `sibling`: a restored order that has the same parent order. */
export function restoreOrder(
  from: OrderCheckpoint,
  instrument: Instrument,
  sibling?: WorkingOrder,
): WorkingOrder {
  const { request, role, direction, intent, origin, worked, cancelsRest, createdTime } = from;
  const { referencePrice } = from;
  const size = sizeOf(instrument);
  const parent = sibling?.parent ?? { filledQuantity: from.parentFilled ?? from.filledQuantity };
  const order = new WorkingOrder({
    ...{ request, role, direction, intent, origin, worked, cancelsRest, createdTime, size },
    ...{ parent, referencePrice },
  });
  const { replacement } = from;
  order.continueAs(from.status, from.updatedTime);
  order.venueOrderId = from.venueOrderId;
  order.filledQuantity = from.filledQuantity;
  order.filledNotional = from.filledNotional;
  order.reason = from.reason;
  order.reserved = from.reserved;
  order.isWithdrawn = from.isWithdrawn;
  if (replacement !== undefined) {
    const { intentId, limit: limitPrice, quantity } = replacement;
    order.replaceBy({ intentId, limitPrice, quantity });
  }
  return order;
}

/** Creates the error for an order in an instrument that is not configured. */
export function foreignOrder(
  { request: { clientOrderId, instrumentId } }: OrderCheckpoint,
  known: readonly InstrumentId[],
): DomainError {
  return new DomainError(
    'E_CHECKPOINT',
    `order ${clientOrderId} is carried over, but ${instrumentId} is not among the instruments ${known.join(', ')}`,
  );
}

/** Creates the error for triggers at the venue that the engine would no longer track. */
export function forgottenTriggers(triggers: readonly VenueStop[]): DomainError {
  const ids = triggers.map(({ triggerId, request }) => triggerId ?? request.clientOrderId);
  return new DomainError(
    'E_CHECKPOINT',
    `triggers ${ids.join(', ')} at the venue may fire, and live.venueStops is off: leave it as it was until they are gone`,
  );
}

/** Undefined for a side without state to keep. */
export function takeSide(positionSide: PositionSide): SideCheckpoint | undefined {
  const { instrumentId, direction, guard, exitJobs, waiting, entryNotional, entryQuantity } =
    positionSide;
  const { takeProfitRefused: isTakeProfitRefused, stopFailed: hasStopFailed } = positionSide;
  const { tooSmall, brackets, takeProfitFailed, takeProfitTried, failedExits } = positionSide;
  const { hinderedAt, overruled } = positionSide;
  const rests = [...positionSide.remainders.values()];
  const tallies = takeTallies(positionSide);
  const isPlain =
    guard === undefined && exitJobs.length === 0 && waiting === undefined && rests.length === 0;
  if (
    isPlain &&
    brackets === undefined &&
    tallies === undefined &&
    !isTakeProfitRefused &&
    !hasStopFailed &&
    failedExits.length === 0 &&
    entryQuantity === 0n &&
    hinderedAt === undefined &&
    overruled.length === 0 &&
    !tooSmall
  )
    return undefined;
  return {
    instrumentId,
    direction,
    ...(guard && { guard }),
    ...(overruled.length > 0 && { overruled }),
    ...(brackets && { brackets: brackets.map(copyBracket) }),
    isTakeProfitRefused,
    ...(takeProfitTried > 0n && { takeProfitTried }),
    ...(takeProfitFailed && { hasTakeProfitFailed: true }),
    ...(hinderedAt !== undefined && { hinderedAt }),
    hasStopFailed,
    ...(tooSmall !== undefined && { tooSmall }),
    exitJobs: exitJobs.map(plainPart),
    ...(failedExits.length > 0 && { failedExits: failedExits.map(plainPart) }),
    ...(waiting && { waiting: { ...waiting, intent: plainIntent(waiting.intent) } }),
    rests: rests.map(plainPart),
    ...(tallies && { tallies }),
    entryNotional,
    entryQuantity,
  };
}

/** A copy with plain text for the amounts of its intent, and with a copy of its parent order, which changes with fills. */
function plainPart<Part extends ExitJob | Remainder>(part: Part): Part {
  const { parent, intent } = part;
  const hasFills = parent !== undefined && parent.filledQuantity > 0n;
  return { ...part, intent: plainIntent(intent), parent: hasFills ? { ...parent } : undefined };
}

/** A copy with plain text for the amounts of its intent, needed because brackets change as their entries are filled and sold. */
function copyBracket(bracket: EntryBracket): EntryBracket {
  return { ...bracket, intent: plainIntent(bracket.intent) };
}

function failedExitsOf({ failedExits, failedExit }: SideCheckpoint): readonly ExitJob[] {
  return failedExits ?? (failedExit === undefined ? [] : [failedExit]);
}

/** The parent order of a working order of the same intent, or one of its own. */
function parentOf({ working }: PositionSide, part: ExitJob | Remainder): ParentOrder {
  const { intentId, parent } = part;
  const origin = 'origin' in part ? (part.origin ?? intentId) : intentId;
  for (const order of working.ofIntent(origin)) if (order.origin === origin) return order.parent;
  for (const order of working.ofIntent(intentId))
    if (order.request.intentId === intentId) return order.parent;
  return { filledQuantity: parent?.filledQuantity ?? 0n };
}

/** Restores all state of a side except its guard and brackets. */
export function restoreSide(positionSide: PositionSide, from: SideCheckpoint): void {
  positionSide.takeProfitRefused = from.isTakeProfitRefused;
  positionSide.takeProfitTried = from.takeProfitTried ?? 0n;
  positionSide.takeProfitFailed = from.hasTakeProfitFailed === true;
  positionSide.hinderedAt = from.hinderedAt;
  positionSide.overruled = from.overruled ?? [];
  positionSide.stopFailed = from.hasStopFailed;
  positionSide.tooSmall = from.tooSmall;
  // Parts of one intent count the same fills.
  const parents = new Map<number, ParentOrder>();
  const withParent = <Part extends ExitJob | Remainder>(part: Part): Part => {
    const parent = parents.get(part.intentId) ?? parentOf(positionSide, part);
    parents.set(part.intentId, parent);
    return { ...part, parent };
  };
  positionSide.exitJobs = from.exitJobs.map(withParent);
  positionSide.failedExits = failedExitsOf(from).map(withParent);
  positionSide.waiting = from.waiting;
  for (const rest of from.rests) positionSide.remainders.set(rest.intentId, withParent(rest));
  if (from.tallies !== undefined) restoreTallies(positionSide, from.tallies);
  positionSide.entryNotional = from.entryNotional;
  positionSide.entryQuantity = from.entryQuantity;
}
