import { WireFormatError, type VenueOrderId } from '../../domain/index.js';
import type { VenueOrder } from '../../venue/index.js';
import { possibleState } from '../recovery/order-likeness.js';
import type { SentOrderState } from '../session/sent-orders.js';
import type { Found } from './found-updates.js';

/** An order of the bot, with its state at the venue. */
interface OwnState {
  readonly own: SentOrderState;
  readonly state: VenueOrder;
}

/** What the venue shows of the orders of one instrument. */
export interface OwnStates {
  readonly states: readonly OwnState[];
  /** Working orders that are not among the bot's. */
  readonly others: readonly VenueOrder[];
  /** Orders of the bot whose record cannot be true or read. Nothing is known of them. */
  readonly unreadable: ReadonlySet<SentOrderState>;
  readonly failure: { readonly error: WireFormatError } | undefined;
}

/** What a poll has found for one instrument. */
export interface PollNews extends Pick<OwnStates, 'failure'> {
  readonly news: readonly Found[];
}

export const NO_STATES: OwnStates = {
  states: [],
  others: [],
  unreadable: new Set(),
  failure: undefined,
};

/**
 * Finds the bot's orders in a list of working orders, and asks for those that are not in it. An order whose record cannot be read keeps none of the others from
 * being read.
 *
 * @throws errors of `ask`, except unreadable answers.
 */
export async function readOwnStates(
  orders: readonly SentOrderState[],
  open: readonly VenueOrder[],
  ask: (own: SentOrderState) => Promise<VenueOrder | undefined>,
): Promise<OwnStates> {
  const byId = new Map<VenueOrderId | undefined, VenueOrder>(
    open.map((order) => [order.venueOrderId, order]),
  );
  const states: OwnState[] = [];
  const unreadable = new Set<SentOrderState>();
  let failure: OwnStates['failure'];
  for (const own of orders) {
    const listed = byId.get(own.venueOrderId);
    byId.delete(own.venueOrderId);
    try {
      const state = listed ? possibleState(own, listed) : await ask(own);
      if (state !== undefined) states.push({ own, state });
    } catch (error: unknown) {
      if (!(error instanceof WireFormatError)) throw error;
      unreadable.add(own);
      failure ??= { error };
    }
  }
  return { states, others: [...byId.values()], unreadable, failure };
}

/** Why a reading could not be understood; undefined if it could. @throws other errors of the reading. */
export async function unreadableOf(reading: Promise<void>): Promise<OwnStates['failure']> {
  try {
    await reading;
    return undefined;
  } catch (error: unknown) {
    if (error instanceof WireFormatError) return { error };
    throw error;
  }
}

/** Why an instrument was not read, or not wholly; undefined if it was. */
export function failureOf(
  read: PromiseSettledResult<PollNews>,
): { readonly error: unknown } | undefined {
  return read.status === 'rejected' ? { error: read.reason } : read.value.failure;
}
