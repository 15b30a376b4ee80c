import {
  ceilToStep,
  floorToStep,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type ResolvedRules,
  type RiskApproved,
} from '../../../domain/index.js';
import { firingLevel } from '../guards/guard.js';
import { entryPriceOf, type PositionSide } from '../position-side.js';

/** Which stops of contracts are handed to the venue, as conditional orders (DESIGN R9). */
export interface VenueStopTerms {
  /** `family`: stop and take-profit of each position, kept in step with it. `disaster`: one wide stop per position, never moved. */
  readonly kind: 'family' | 'disaster';
  /** For `disaster`: distance from the entry price, as a ratio. */
  readonly distance: Fixed;
  /** For `disaster`: whether a position may be opened while the trigger of an earlier position on its side can fire. */
  readonly orphans: 'refuse' | 'accept';
}

/**
 * States of a trigger. `submitting`: on its way to the venue. `waiting`: at the venue. `unknown`: without an answer. `canceling`: being
 * canceled. `gone`: it has fired, and the report of its order is about to come. `canceled`: kept for a while, because it may have fired before.
 */
export const VENUE_STOP_STATES = [
  'submitting',
  'waiting',
  'unknown',
  'canceling',
  'gone',
  'canceled',
] as const;
type VenueStopState = (typeof VENUE_STOP_STATES)[number];

/** The levels at which the venue closes a position by itself. */
export type VenueStopKind = 'stop-loss' | 'take-profit';

/** A conditional order at the venue that closes the holding of one side, as far as the engine knows. */
export interface VenueStop {
  /** The order that it sends when it fires: a closing MARKET order. */
  readonly request: RiskApproved<OrderRequest>;
  readonly direction: Direction;
  readonly trigger: VenueStopKind;
  /** On the tick. */
  readonly level: Fixed;
  /** Why its order is sent. */
  readonly label: 'stop-loss' | 'trailing-stop' | 'take-profit';
  readonly placedTime: EpochMs;
  /** The venue's id; undefined until the venue gives it. */
  triggerId: string | undefined;
  state: VenueStopState;
  /** When it entered its state. After a cancel without an answer, a time in the future: the cancel is not repeated before. */
  since: EpochMs;
  /** Whether the position that it was made for is closed. It would then close a later position. */
  isOrphan: boolean;
  /** Whether the stop in the process has reached its level, and waits for the end of this trigger. */
  isAwaited: boolean;
}

/** A trigger that should stand at the venue. */
export interface WantedStop extends Pick<VenueStop, 'trigger' | 'level' | 'label'> {
  readonly quantity: Fixed;
}

/** The instrument and the side of a trigger. */
export interface StopPlace {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
}

/** Rounds a level to the tick, away from the price. A last price, which is on the tick, reaches the rounded level when it reaches the level. */
export function onTick(level: Fixed, firesBelow: boolean, { tick }: ResolvedRules): Fixed {
  return firesBelow ? floorToStep(level, tick) : ceilToStep(level, tick);
}

/** Whether a trigger fires at or below its level. */
export function firesBelow({
  trigger,
  direction,
}: Pick<VenueStop, 'trigger' | 'direction'>): boolean {
  return (trigger === 'stop-loss') === (direction === 'long');
}

/** Whether a last price is at or beyond the level of a trigger. */
export function isReached(stop: VenueStop, last: Fixed): boolean {
  return firesBelow(stop) ? last <= stop.level : last >= stop.level;
}

/** Triggers for the guard of a position: its stop, and its take-profit. Without a stop there is no trigger, and the take-profit rests as LIMIT. */
export function familyStops(
  positionSide: PositionSide,
  quantity: Fixed,
  rules: ResolvedRules,
): readonly WantedStop[] {
  const { guard, direction } = positionSide;
  const level = guard && firingLevel(guard, direction);
  if (guard === undefined || level === undefined || quantity <= 0n) return [];
  const isLong = direction === 'long';
  const label = guard.stop === level ? 'stop-loss' : 'trailing-stop';
  const stop = {
    trigger: 'stop-loss',
    level: onTick(level, isLong, rules),
    label,
    quantity,
  } as const;
  if (guard.takeProfit === undefined) return [stop];
  const takeProfit = onTick(guard.takeProfit, !isLong, rules);
  return [stop, { trigger: 'take-profit', level: takeProfit, label: 'take-profit', quantity }];
}

/**
 * The level of the wide trigger: `distance` from the entry price, or, if the position's own stop is not nearer, `distance` beyond that stop. If the
 * position would be liquidated first, it is half way to the liquidation price.
 */
export function disasterLevel(
  positionSide: PositionSide,
  distance: Fixed,
  by: { readonly rules: ResolvedRules; readonly liquidation: Fixed | undefined },
): Fixed {
  const { guard, direction } = positionSide;
  const isLong = direction === 'long';
  const beyond = (price: Fixed): Fixed =>
    isLong ? price - multiplyFixed(price, distance) : price + multiplyFixed(price, distance);
  const entry = entryPriceOf(positionSide);
  const stop = guard && firingLevel(guard, direction);
  const nearest =
    stop === undefined ? entry : isLong ? minFixed(entry, stop) : maxFixed(entry, stop);
  let level = beyond(entry);
  if (isLong ? nearest <= level : nearest >= level) level = beyond(nearest);
  const { liquidation, rules } = by;
  const isTooLate =
    liquidation !== undefined && (isLong ? level <= liquidation : level >= liquidation);
  if (isTooLate) level = (nearest + liquidation) / 2n;
  return onTick(level, isLong, rules);
}

/** Groups triggers that were placed together: a position that is larger than one order needs several. */
export function batchesOf(stops: readonly VenueStop[]): readonly (readonly VenueStop[])[] {
  const batches = new Map<number, VenueStop[]>();
  for (const stop of stops) {
    const { intentId } = stop.request;
    batches.set(intentId, [...(batches.get(intentId) ?? []), stop]);
  }
  return [...batches.values()];
}

/** Contracts of all these triggers together. */
export function sumOf(stops: readonly VenueStop[]): Fixed {
  return stops.reduce((sum, { request }) => sum + request.quantity, 0n);
}

/** Whether a trigger no longer waits. Only the order of a trigger that has fired can still come. */
export function isOver({ state }: VenueStop): boolean {
  return state === 'gone' || state === 'canceled';
}

/** Whether the report of its order may be about to come. No new trigger replaces it before a candle at which that report is overdue. */
export function isFiring({ state, isAwaited }: VenueStop): boolean {
  return state === 'gone' || (state === 'canceling' && isAwaited);
}
