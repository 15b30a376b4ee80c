/** What is asked of working orders with each order: functions of an order alone, see {@link WorkingOrderList}. */
import type { OrderIntent } from '../../domain/index.js';
import { isExit } from './order-cause.js';
import type { WorkingOrder } from './working-order.js';

/** Whether an intent leaves the whole position at any price, at once: one that is worked takes its time, and may rest. */
export function leavesAll(intent: OrderIntent): boolean {
  if (intent.kind !== 'exit' || intent.size !== undefined) return false;
  return intent.limitPrice === undefined && intent.work === undefined;
}

/** The group of which one order cancels the others. */
export function ocoOf({ intent }: { readonly intent: OrderIntent }): string | undefined {
  return intent.kind === 'enter' || intent.kind === 'exit' ? intent.oco : undefined;
}

export const isEntry = ({ role }: WorkingOrder): boolean => role === 'entry';

/** An entry that fills as far as it can at once, or not at all. */
export const isTakingEntry = ({ role, canRest }: WorkingOrder): boolean =>
  role === 'entry' && !canRest;

export const isOpeningByQuantity = ({ request }: WorkingOrder): boolean =>
  request.action === 'open' && request.unit !== 'quote';

export const isOpeningByMoney = ({ request }: WorkingOrder): boolean =>
  request.action === 'open' && request.unit === 'quote';

/** Of contracts: asked for their margin. */
export const isOpeningContract = ({ request }: WorkingOrder): boolean => request.action === 'open';

export const isClosing = ({ request }: WorkingOrder): boolean => request.action === 'close';

/** It closes, and may leave what it offers. */
export const isClosingNoMore = ({ request, status }: WorkingOrder): boolean =>
  request.action === 'close' && status === 'canceling';

/** Of an exit, not of a guard. */
export const isOfExit = ({ role }: WorkingOrder): boolean => isExit(role);

export const isRestingExit = ({ role, canRest }: WorkingOrder): boolean => isExit(role) && canRest;

/** It sells all that is held, at any price. */
export const isLeavingAll = ({ intent, isWithdrawn }: WorkingOrder): boolean =>
  leavesAll(intent) && !isWithdrawn;

export const isTakeProfit = ({ role }: WorkingOrder): boolean => role === 'take-profit';

/** It takes what there is, or nothing, and its end decides what else is sent. */
export const isUnsettled = ({ role, canRest }: WorkingOrder): boolean =>
  role !== 'take-profit' && !canRest;

/** It closes, and any exit waits for its end: it is being given up, or gives way. */
export const isGivingWay = ({ role, status, isWithdrawn }: WorkingOrder): boolean =>
  role !== 'entry' &&
  (isWithdrawn ||
    status === 'canceling' ||
    role === 'take-profit' ||
    role === 'bracket-take-profit');

/** The same without what brackets sell, which gives way one by one. */
export const isGivingWayToPart = (order: WorkingOrder): boolean =>
  order.role !== 'bracket-take-profit' && isGivingWay(order);

/** It is still to be canceled for that. */
export const isToGiveWayToPart = (order: WorkingOrder): boolean =>
  order.status !== 'canceling' && isGivingWayToPart(order);

/** It closes, and an exit of the whole position takes its place: what sells at any price goes on, beside what leaves the rest. */
export const isSuperseded = ({ role, intent }: WorkingOrder): boolean =>
  role !== 'entry' && role !== 'bracket-stop' && !leavesAll(intent);

/** It is still to be withdrawn for an exit of the whole position. */
export const isToGiveWay = (order: WorkingOrder): boolean =>
  !isBeingWithdrawn(order) && (isGivingWay(order) || isSuperseded(order));

/** It is still to be withdrawn for an exit that wants no entries. */
export const isEntryToGiveWay = (order: WorkingOrder): boolean =>
  order.role === 'entry' && !isBeingWithdrawn(order);

/** It is to end and works on, because its cancel was refused, or could not be delivered. */
export function isUnended({ isWithdrawn, cancelsRest, status }: WorkingOrder): boolean {
  const works = status === 'open' || status === 'partially-filled';
  return works && (isWithdrawn || cancelsRest);
}

/** Nothing is to be done any more: it is being canceled, and nothing replaces it. */
function isBeingWithdrawn({ isWithdrawn, status, replacement }: WorkingOrder): boolean {
  return isWithdrawn && status === 'canceling' && replacement === undefined;
}
