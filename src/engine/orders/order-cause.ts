import { ORDER_CAUSES, type OrderCause, type OrderIntent } from '../../domain/index.js';

/** As what the engine sent an order; `forced` ones are the venue's. */
export type OrderRole = 'entry' | 'exit' | 'take-profit' | 'stop' | 'forced';

interface Origin {
  readonly role: OrderRole;
  readonly intent: OrderIntent;
}

/** Why an order was sent. What the engine or the venue wants by itself says so by its intent's label. */
export function causeOf({ role, intent }: Origin): OrderCause {
  if (role === 'entry') return 'signal';
  const label = 'label' in intent ? intent.label : undefined;
  if (role === 'exit') return label === 'flatten' ? label : 'signal';
  return ORDER_CAUSES.find((cause) => cause === label) ?? 'signal';
}

/** The label that the strategy gave its intent; undefined where it gave none, and where the intent is not its own. */
export function labelOf(order: Origin): string | undefined {
  const { intent } = order;
  return 'label' in intent && causeOf(order) === 'signal' ? intent.label : undefined;
}
