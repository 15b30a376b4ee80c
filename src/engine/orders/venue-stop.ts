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
} from '../../domain/index.js';
import { firingLevel } from './guard.js';
import { entryPriceOf, type PositionSide } from './position-side.js';

/** Which stops of contracts are handed to the venue, as conditional orders (DESIGN R9). */
export interface VenueStopTerms {
  /** `family`: stop and take-profit of each position, kept in step with it. `disaster`: one wide stop per position, never moved. */
  readonly kind: 'family' | 'disaster';
  /** Of `disaster`: how far from the entry price, as a ratio. */
  readonly distance: Fixed;
  /** Of `disaster`: whether a position may be opened while the trigger of an earlier one on its side can fire. */
  readonly orphans: 'refuse' | 'accept';
}

/**
 * How far a trigger has come: on its way, waiting at the venue, without a known answer, being taken away, no longer waiting: then it has
 * fired, and its order is about to be told of; or taken away, and remembered for a while, because it may have fired before that.
 */
export const VENUE_STOP_STATES = [
  'submitting',
  'waiting',
  'unknown',
  'canceling',
  'gone',
  'canceled',
] as const;
export type VenueStopState = (typeof VENUE_STOP_STATES)[number];

/** The levels at which the venue closes a position by itself. */
export type VenueStopKind = 'stop-loss' | 'take-profit';

/** A conditional order at the venue that closes what is held of one side, as far as the engine knows. */
export interface VenueStop {
  /** What it sends when it fires: a MARKET order that closes. */
  readonly request: RiskApproved<OrderRequest>;
  readonly direction: Direction;
  readonly trigger: VenueStopKind;
  /** On the tick. */
  readonly level: Fixed;
  /** Why its order is sent. */
  readonly label: 'stop-loss' | 'trailing-stop' | 'take-profit';
  readonly placedTime: EpochMs;
  /** The venue's, where it has given one. */
  triggerId: string | undefined;
  state: VenueStopState;
  /** Since when it is in its state. */
  since: EpochMs;
  /** Whether the position that it was made for is closed: it would close a later one. */
  isOrphan: boolean;
  /** Whether the stop in the process has come to its level and waits for its end. */
  isAwaited: boolean;
}

/** A trigger as it is to be. */
export interface WantedStop extends Pick<VenueStop, 'trigger' | 'level' | 'label'> {
  readonly quantity: Fixed;
}

/** What a trigger of a contract says of its place. */
export interface StopPlace {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
}

/** On the tick, on the far side: a last price, which is on the tick, comes to the one when it comes to the other. */
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

/** Triggers for the guard of a position: its stop, and beside one its take-profit, which rests as LIMIT otherwise. */
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
 * The level of the one wide trigger: so far from the entry price, or where the position's own stop is not nearer, so far beyond that. Where the
 * position would be liquidated before, half way to there.
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
