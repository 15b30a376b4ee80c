import { ORDER_CAUSES, type OrderCause, type OrderIntent } from '../../../domain/index.js';

/**
 * The purpose of an order. `exit` carries out an exit intent of the strategy, `flip` leaves the other side for an entry, and `flatten` leaves
 * positions for a flatten. The venue sent a `venue-stop` order when a trigger of ours fired; a `forced` order is the venue's own. Orders of a bracket
 * belong to a single entry.
 */
export type OrderRole =
  | 'entry'
  | 'exit'
  | 'flip'
  | 'flatten'
  | 'take-profit'
  | 'stop'
  | 'venue-stop'
  | 'bracket-take-profit'
  | 'bracket-stop'
  | 'forced';

interface Origin {
  readonly role: OrderRole;
  readonly intent: OrderIntent;
}

/** Whether an order leaves a position because of an intent, not because of a guard. */
export function isExit(role: OrderRole): role is 'exit' | 'flip' | 'flatten' {
  return role === 'exit' || role === 'flip' || role === 'flatten';
}

/** Whether an order is the stop or the take-profit of a bracket. */
export function isOfBracket(role: OrderRole): role is 'bracket-take-profit' | 'bracket-stop' {
  return role === 'bracket-take-profit' || role === 'bracket-stop';
}

/** Why an order was sent. The label of an intent that a guard or the venue made is the cause itself. */
export function causeOf({ role, intent }: Origin): OrderCause {
  if (role === 'entry' || role === 'exit' || role === 'flip') return 'signal';
  if (role === 'flatten') return role;
  if (role === 'bracket-stop') return 'stop-loss';
  if (role === 'bracket-take-profit') return 'take-profit';
  const label = 'label' in intent ? intent.label : undefined;
  return ORDER_CAUSES.find((cause) => cause === label) ?? 'signal';
}

/** The label that the strategy gave its intent; undefined without a label, and for other intents. Orders of a flip or a bracket have the label of the entry. */
export function labelOf({ role, intent }: Origin): string | undefined {
  if (!('label' in intent)) return undefined;
  const isOwn = role === 'entry' || role === 'exit' || role === 'flip' || isOfBracket(role);
  return isOwn ? intent.label : undefined;
}
