import fc from 'fast-check';

import {
  parseFixed,
  type Instrument,
  type PositionAction,
  type Side,
  type TimeInForce,
} from '../../../src/domain/index.js';
import type { TriggerKind } from '../../../src/venue/index.js';
import { orderOn, type OrderDraft } from '../any-order.js';
import type { ScriptStep } from '../spot-venue.js';
import { arrivalTimes } from './venue-scripts.js';

/** A request to a venue, still without an instrument. */
export interface VenueRequest {
  readonly at: number;
  readonly kind: 'order' | 'condition' | 'cancel';
  readonly type: 'limit' | 'market';
  readonly side: Side;
  readonly action: PositionAction;
  readonly ticks: number;
  readonly amount: number;
  readonly timeInForce: TimeInForce;
  readonly trigger: TriggerKind;
  readonly triggerTicks: number;
  /** Number of the order that a cancel names, modulo the requests up to this one. */
  readonly of: number;
}

const price = fc.integer({ min: 9_890, max: 9_930 });
const text = (ticks: number): string => (ticks / 100).toFixed(2);

/** Requests in order of time: orders of every kind, conditions, and cancels of orders that may exist. */
export function venueRequests(
  minutes: number,
  length: { readonly minLength: number; readonly maxLength: number } = {
    minLength: 4,
    maxLength: 14,
  },
): fc.Arbitrary<readonly VenueRequest[]> {
  const intent: fc.Arbitrary<VenueRequest> = fc.record({
    at: arrivalTimes(minutes),
    kind: fc.constantFrom('order', 'order', 'order', 'order', 'order', 'condition', 'cancel'),
    type: fc.constantFrom('limit', 'limit', 'market'),
    side: fc.constantFrom<Side>('buy', 'sell'),
    // Opening orders are more frequent, so that there are positions to close.
    action: fc.constantFrom<PositionAction>('open', 'open', 'open', 'close'),
    ticks: price,
    amount: fc.integer({ min: 1, max: 3_000 }),
    timeInForce: fc.constantFrom<TimeInForce>('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY'),
    trigger: fc.constantFrom('stop-loss', 'take-profit', 'chase-up', 'chase-down'),
    triggerTicks: price,
    of: fc.nat({ max: 12 }),
  });
  return fc.array(intent, length).map((intents) => [...intents].sort((a, b) => a.at - b.at));
}

/** Commands of the requests for an instrument. A pair has no triggers: there a condition becomes a plain order. */
export function scriptOn(
  instrument: Instrument,
  intents: readonly VenueRequest[],
): readonly ScriptStep[] {
  return intents.map((intent, index): ScriptStep => {
    const { at, kind, of, trigger } = intent;
    if (kind === 'cancel') return { at, cancel: `o${String(of % (index + 1))}` };
    const isContract = instrument.kind === 'futures';
    if (kind !== 'condition' || !isContract)
      return { at, submit: orderOn(instrument, orderDraft(intent, index, isContract)) };
    const fitting = { ...intent, ...fittingTrigger(trigger) };
    const order = orderOn(instrument, orderDraft(fitting, index, true));
    return {
      at,
      condition: { order, trigger, triggerPrice: parseFixed(text(intent.triggerTicks)) },
    };
  });
}

function fittingTrigger(trigger: TriggerKind): Partial<Pick<VenueRequest, 'side' | 'action'>> {
  if (trigger === 'chase-up') return { side: 'buy', action: 'open' };
  if (trigger === 'chase-down') return { side: 'sell', action: 'open' };
  return { action: 'close' };
}

function orderDraft(
  { type, side, action, ticks, amount, timeInForce }: VenueRequest,
  index: number,
  isContract: boolean,
): OrderDraft {
  const contracts = String(1 + Math.floor(amount / 8));
  return {
    id: `o${String(index)}`,
    type,
    side,
    action,
    limitPrice: text(ticks),
    timeInForce,
    quantity: isContract ? contracts : (amount / 1_000).toFixed(3),
    money: isContract ? contracts : (amount / 10).toFixed(1),
  };
}
