/** Questions about working orders. Each depends on the order alone, see {@link WorkingOrderList}. */
import type { OrderIntent } from '../../../domain/index.js';
import { isExit } from './order-cause.js';
import type { WorkingOrder } from './working-order.js';

/** Whether an intent leaves the whole position at once and at any price. A worked exit does not: it takes time, and may rest. */
export function leavesAll(intent: OrderIntent): boolean {
  if (intent.kind !== 'exit' || intent.size !== undefined) return false;
  return intent.limitPrice === undefined && intent.work === undefined;
}

/** The OCO group of an intent: a fill of one order cancels the others. */
export function ocoOf({ intent }: { readonly intent: OrderIntent }): string | undefined {
  return intent.kind === 'enter' || intent.kind === 'exit' ? intent.oco : undefined;
}

export const isEntry = ({ role }: WorkingOrder): boolean => role === 'entry';

/** An entry that cannot rest: it fills at once, as far as possible or not at all. */
export const isTakingEntry = ({ role, canRest }: WorkingOrder): boolean =>
  role === 'entry' && !canRest;

export const isOpeningByQuantity = ({ request }: WorkingOrder): boolean =>
  request.action === 'open' && request.unit !== 'quote';

export const isOpeningByMoney = ({ request }: WorkingOrder): boolean =>
  request.action === 'open' && request.unit === 'quote';

/** For contracts, to sum up their margin. */
export const isOpeningContract = ({ request }: WorkingOrder): boolean => request.action === 'open';

export const isClosing = ({ request }: WorkingOrder): boolean => request.action === 'close';

/** A closing order that is being canceled, and may leave its quantity unsold. */
export const isClosingNoMore = ({ request, status }: WorkingOrder): boolean =>
  request.action === 'close' && status === 'canceling';

/** A closing order that leaves the position, or a part of it. A take-profit only guards it. */
export const isLeavingOrder = ({ request, role }: WorkingOrder): boolean =>
  request.action === 'close' && role !== 'take-profit' && role !== 'bracket-take-profit';

/** An order of an entry or an exit that is being canceled, and is not replaced. */
export const isEnding = (order: WorkingOrder): boolean => {
  const { role, status, isWithdrawn, replacement } = order;
  if (replacement !== undefined || !(isWithdrawn || status === 'canceling')) return false;
  return role === 'entry' || isLeavingOrder(order);
};

/** Such an order that leaves the position. */
export const isLeavingNoMore = (order: WorkingOrder): boolean =>
  isLeavingOrder(order) && order.status === 'canceling' && order.replacement === undefined;

/** An order of an exit, not of a guard. */
export const isOfExit = ({ role }: WorkingOrder): boolean => isExit(role);

export const isRestingExit = ({ role, canRest }: WorkingOrder): boolean => isExit(role) && canRest;

/** An exit of the whole position at any price that is not withdrawn. */
export const isLeavingAll = ({ intent, isWithdrawn }: WorkingOrder): boolean =>
  leavesAll(intent) && !isWithdrawn;

export const isTakeProfit = ({ role }: WorkingOrder): boolean => role === 'take-profit';

/** An order that cannot rest: its end decides what is sent next. */
export const isUnsettled = ({ role, canRest }: WorkingOrder): boolean =>
  role !== 'take-profit' && !canRest;

/** A closing order whose end any exit waits for: it is being canceled, or is a take-profit that exits cancel. */
export const isGivingWay = ({ role, status, isWithdrawn }: WorkingOrder): boolean =>
  role !== 'entry' &&
  (isWithdrawn ||
    status === 'canceling' ||
    role === 'take-profit' ||
    role === 'bracket-take-profit');

/** As {@link isGivingWay}, without take-profits of brackets, which are canceled one by one. */
export const isGivingWayToPart = (order: WorkingOrder): boolean =>
  order.role !== 'bracket-take-profit' && isGivingWay(order);

/** An order of {@link isGivingWayToPart} that still has to be canceled. */
export const isToGiveWayToPart = (order: WorkingOrder): boolean =>
  order.status !== 'canceling' && isGivingWayToPart(order);

/** A closing order that an exit of the whole position replaces. Exits of the whole position at any price and stops of brackets work on beside it. */
export const isSuperseded = ({ role, intent }: WorkingOrder): boolean =>
  role !== 'entry' && role !== 'bracket-stop' && !leavesAll(intent);

/** An order that still has to be withdrawn for an exit of the whole position. */
export const isToGiveWay = (order: WorkingOrder): boolean =>
  !isBeingWithdrawn(order) && (isGivingWay(order) || isSuperseded(order));

/** An entry that still has to be withdrawn for an exit that withdraws entries. */
export const isEntryToGiveWay = (order: WorkingOrder): boolean =>
  order.role === 'entry' && !isBeingWithdrawn(order);

/** An order that should end but works on, because its cancel was refused or could not be delivered. */
export function isUnended({ isWithdrawn, cancelsRest, status }: WorkingOrder): boolean {
  const works = status === 'open' || status === 'partially-filled';
  return works && (isWithdrawn || cancelsRest);
}

/** A withdrawn order that needs no further action: it is being canceled, and nothing replaces it. */
function isBeingWithdrawn({ isWithdrawn, status, replacement }: WorkingOrder): boolean {
  return isWithdrawn && status === 'canceling' && replacement === undefined;
}
