import {
  DomainError,
  formatFixed,
  type InstrumentId,
  type OrderReference,
  type Refusal,
} from '../../domain/index.js';
import type { GuardProblem } from './guards/guard.js';
import { describeSaid } from './forms/intent-keys.js';
import type { PositionSide } from './position-side.js';
import type { VenueStop } from './venue-stops/venue-stop.js';

// Refusals by the order manager itself, before it asks risk.

/** Reason at the end of the run: for orders that have not arrived, and for waiting intents. */
export const END_OF_RUN = { code: 'end-of-run', text: 'end of run' } as const;

export function protectionRefusal({ field, expected, received }: GuardProblem): Refusal {
  return {
    check: 'invalid-protection',
    limit: expected,
    actual: received,
    unit: field,
    text: `${field}: expected ${expected}, received ${received}`,
  };
}

/** For an entry, while a trigger at the venue could close the position that it opens. */
export function orphanRefusal(
  instrumentId: InstrumentId,
  { request, triggerId, level, direction }: VenueStop,
): Refusal {
  const id = triggerId ?? request.clientOrderId;
  return {
    check: 'venue-trigger',
    limit: 'no trigger of an earlier position',
    actual: request.clientOrderId,
    unit: 'triggers',
    text: `trigger ${id} at ${formatFixed(level)} was made for an earlier ${direction} position in ${instrumentId} and may fire: it would close what is opened`,
  };
}

export function leavingRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'leaving-position',
    limit: 'no exit under way',
    actual: 'an exit',
    unit: 'orders',
    text: `the whole position in ${instrumentId} is being left: nothing is added to it, and no part of it is left by itself`,
  };
}

/** For a waiting intent or a replacement, when a newer intent takes its place. */
export function supersededRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'superseded',
    limit: 'the newest intent',
    actual: 'a newer one',
    unit: 'intents',
    text: `a newer intent took its place before it was sent in ${instrumentId}`,
  };
}

/** For the replacement of an order that the venue did not cancel. */
export function uncanceledRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'not-canceled',
    limit: 'an order that is canceled',
    actual: 'one that works on',
    unit: 'orders',
    text: `the venue did not cancel the order in ${instrumentId}: it works on as it was, and nothing replaces it`,
  };
}

/** For the replacement of an order that the engine sent by itself. */
export function guardRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'not-replaceable',
    limit: 'an order of an entry or an exit',
    actual: 'one of the engine',
    unit: 'orders',
    text: `the order in ${instrumentId} guards a position or leaves one by itself: protect moves its level`,
  };
}

/** For the replacement of a MARKET order. */
export function marketRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'not-replaceable',
    limit: 'a LIMIT order',
    actual: 'a MARKET order',
    unit: 'orders',
    text: `the MARKET order in ${instrumentId} takes what there is: it has no price and no rest to replace`,
  };
}

/** For the replacement of an order that had no quantity left. */
export function nothingLeftRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'nothing-to-replace',
    limit: '> 0',
    actual: '0',
    unit: 'quantity',
    text: `nothing was left of the order in ${instrumentId} that could be sent on other terms`,
  };
}

/** For a replacement that names no working order. */
export function noOrderRefusal(target: OrderReference): Refusal {
  const name =
    'intentId' in target ? `intent ${String(target.intentId)}` : `the label "${target.label}"`;
  return {
    check: 'nothing-to-replace',
    limit: 'a working order',
    actual: 'none',
    unit: 'orders',
    text: `no order of ${name} works: nothing is replaced`,
  };
}

/** For a waiting intent, when a new candle comes. */
export function outdatedRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'outdated',
    limit: 'the candle it was made for',
    actual: 'a newer candle',
    unit: 'candles',
    text: `what it waited for in ${instrumentId} had not ended when the next candle came: it is not sent at a price of before`,
  };
}

/** For a waiting intent, when the run ends. */
export function endedRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: END_OF_RUN.code,
    limit: 'a run that goes on',
    actual: 'its end',
    unit: 'runs',
    text: `the run ended before it was sent in ${instrumentId}`,
  };
}

/** For a waiting exit, when its position is already closed. */
export function closedRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'nothing-to-close',
    limit: '> 0',
    actual: '0',
    unit: 'quantity',
    text: `nothing to close: the position in ${instrumentId} was closed before the exit was sent`,
  };
}

/** For a waiting intent that is canceled. */
export function canceledRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'canceled',
    limit: 'not canceled',
    actual: 'canceled',
    unit: 'intents',
    text: `it was canceled before it was sent in ${instrumentId}`,
  };
}

export function goodForRefusal(goodForMs: number): Refusal {
  return {
    check: 'invalid-good-for',
    limit: '> 0',
    actual: String(goodForMs),
    unit: 'ms',
    text: `goodForMs: expected milliseconds > 0, received ${String(goodForMs)}`,
  };
}

/** For a worked order that needs the last price, to rest there or to compare with it. */
export function priceRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'no-price',
    limit: 'a last price',
    actual: 'none',
    unit: 'price',
    text: `no last price of ${instrumentId} is known yet, from which an order could be worked`,
  };
}

/** For an entry that was carried over from an earlier epoch, while the new strategy warms up. */
export function warmingRefusal(): Refusal {
  return {
    check: 'warming-up',
    limit: 'a warm strategy',
    actual: 'one that warms up',
    unit: 'strategy',
    text: 'nothing is entered before the strategy is warm',
  };
}

export function noPositionRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'no-position',
    limit: '> 0',
    actual: '0',
    unit: 'quantity',
    text: `there is no position in ${instrumentId} to protect`,
  };
}

export function sidesRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'both-sides-held',
    limit: 'one side',
    actual: 'long and short',
    unit: 'positions',
    text: `long and short of ${instrumentId} are held: say which of them to protect by its direction`,
  };
}

/** For an entry that waited for the other side to be left, when that side is still held. */
export function rivalRefusal({ instrumentId, direction, ledger }: PositionSide): Refusal {
  return {
    check: 'other-side-held',
    limit: '0',
    actual: formatFixed(ledger.holding.quantity),
    unit: 'quantity',
    text: `the ${direction} position in ${instrumentId} could not be left, and only one side of it can be held`,
  };
}

/**
 * Plugins may be JavaScript, so values that the types rule out can still arrive.
 *
 * @throws {DomainError} `E_INTENT_UNKNOWN`, always.
 */
export function refuseKind(intent: unknown): never {
  const isObject = typeof intent === 'object' && intent !== null;
  const said: unknown = isObject && 'kind' in intent ? intent.kind : intent;
  throw new DomainError(
    'E_INTENT_UNKNOWN',
    `expected an intent of kind enter, exit, protect, cancel, replace, flatten or target, as enterLong() and the others make it, received ${said === undefined ? 'undefined' : describeSaid(said)}`,
  );
}
