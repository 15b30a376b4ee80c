import { ORDER_CAUSES, type OrderCause, type OrderIntent } from '../../domain/index.js';

/**
 * As what the engine sent an order: `flip` leaves the other side for an entry, and `flatten` every position, where `exit` is what a strategy wanted to
 * leave; `forced` ones are the venue's.
 */
export type OrderRole = 'entry' | 'exit' | 'flip' | 'flatten' | 'take-profit' | 'stop' | 'forced';

interface Origin {
  readonly role: OrderRole;
  readonly intent: OrderIntent;
}

/** Whether an order leaves a position because of what was wanted, not because of its guard. */
export function isExit(role: OrderRole): role is 'exit' | 'flip' | 'flatten' {
  return role === 'exit' || role === 'flip' || role === 'flatten';
}

/** Why an order was sent. Intents of guards and of the venue have no label of a strategy's: theirs says which it is. */
export function causeOf({ role, intent }: Origin): OrderCause {
  if (role === 'entry' || role === 'exit' || role === 'flip') return 'signal';
  if (role === 'flatten') return role;
  const label = 'label' in intent ? intent.label : undefined;
  return ORDER_CAUSES.find((cause) => cause === label) ?? 'signal';
}

/** The label that the strategy gave its intent; undefined where it gave none, and where the intent is not its own. A flip has that of its entry. */
export function labelOf({ role, intent }: Origin): string | undefined {
  return (role === 'entry' || role === 'exit' || role === 'flip') && 'label' in intent
    ? intent.label
    : undefined;
}
