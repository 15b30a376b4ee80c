import { DomainError } from '../domain/index.js';
import type { AnyIndicator } from './indicator.js';

/** What gives an indicator its candles. */
export type Updated = Pick<AnyIndicator, 'update'>;

/** How the engine updates the indicators that only it may update. Kept outside the indicators, so that a strategy cannot reach it. */
const UPDATES = new WeakMap<AnyIndicator, Updated>();

/** From now on only the engine can update this indicator: a strategy that does so too would count candles twice, and every later value would be wrong. */
export function reserveUpdates(indicator: AnyIndicator): void {
  if (UPDATES.has(indicator)) return;
  UPDATES.set(indicator, { update: indicator.update.bind(indicator) });
  // A frozen indicator stays as it is.
  Reflect.defineProperty(indicator, 'update', { value: refuse, configurable: true });
}

/** What the engine calls in place of the indicator's own `update`. */
export function updatesOf(indicator: AnyIndicator): Updated {
  return UPDATES.get(indicator) ?? indicator;
}

function refuse(): never {
  throw new DomainError(
    'E_INDICATOR_UPDATE',
    'update: this indicator belongs to this.indicator(…), which gives it each candle once; for candles of your own, make another one without this.indicator',
  );
}
