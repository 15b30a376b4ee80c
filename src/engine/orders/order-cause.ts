import { ORDER_CAUSES, type OrderCause, type OrderIntent } from '../../domain/index.js';

/**
 * As what the engine sent an order: `flip` leaves the other side for an entry, and `flatten` every position, where `exit` is what a strategy wanted to
 * leave; `venue-stop` ones the venue has sent when a trigger of ours fired, and `forced` ones are the venue's. Those of a bracket are of one entry alone.
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

/** Whether an order leaves a position because of what was wanted, not because of its guard. */
export function isExit(role: OrderRole): role is 'exit' | 'flip' | 'flatten' {
  return role === 'exit' || role === 'flip' || role === 'flatten';
}

/** Whether an order closes what its bracket guards of one entry. */
export function isOfBracket(role: OrderRole): role is 'bracket-take-profit' | 'bracket-stop' {
  return role === 'bracket-take-profit' || role === 'bracket-stop';
}

/** Why an order was sent. Intents of guards and of the venue have no label of a strategy's: theirs says which it is. */
export function causeOf({ role, intent }: Origin): OrderCause {
  if (role === 'entry' || role === 'exit' || role === 'flip') return 'signal';
  if (role === 'flatten') return role;
  if (role === 'bracket-stop') return 'stop-loss';
  if (role === 'bracket-take-profit') return 'take-profit';
  const label = 'label' in intent ? intent.label : undefined;
  return ORDER_CAUSES.find((cause) => cause === label) ?? 'signal';
}

/** The label that the strategy gave its intent; undefined where it gave none, and where the intent is not its own. A flip and a bracket have that of their entry. */
export function labelOf({ role, intent }: Origin): string | undefined {
  const isOwn = role === 'entry' || role === 'exit' || role === 'flip' || isOfBracket(role);
  return isOwn && 'label' in intent ? intent.label : undefined;
}
