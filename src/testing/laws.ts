import {
  formatUtc,
  nounOf,
  splitInstrumentId,
  type InstrumentId,
  type Position,
} from '../domain/index.js';
import { exit } from '../strategy/index.js';
import type { StrategyTest } from './strategy-test.js';

/**
 * What must hold of a strategy after each candle. A law is broken where it returns a text, which says how, or throws, as an assertion does.
 *
 * @param isLast - whether this was the last candle: what the law does to the run then disturbs nothing.
 */
export type Law = (test: StrategyTest, isLast: boolean) => unknown;

/** An exit is refused by these where nothing can be sold: of a closed market, and of what is less than the least order. */
const UNSELLABLE: readonly string[] = [
  'no-rules',
  'not-tradable',
  'nothing-to-close',
  'min-order-quantity',
  'min-order-money',
];

/** Of equity: what is worth less is what an exit could not sell. */
const DUST = 1 / 1_000;

/** What was held at the end of the candle before, by instrument and side. */
const heldBefore = new WeakMap<StrategyTest, ReadonlySet<string>>();

/**
 * What has been held for a candle's time has a stop that is watched, or an exit at work. Of coins that are worth less than a thousandth of equity nothing is asked: steps
 * and minimums may leave so much of an exit.
 */
export const neverNaked: Law = (test) => {
  const before = heldBefore.get(test) ?? new Set();
  const { positions } = test;
  heldBefore.set(test, new Set(positions.map(keyOf)));
  const naked = positions.find(
    (position) =>
      before.has(keyOf(position)) &&
      !isDust(test, position) &&
      !isOpenedAnew(test, position) &&
      !isGuarded(test, position),
  );
  return (
    naked &&
    `${naked.quantity.toString()} of ${naked.instrumentId} ${naked.direction} have been held for a candle without a stop and without an exit, at ${formatUtc(test.now)}`
  );
};

/** An exit of something that can be sold is not refused, whatever state the run is in. It is tried after the last candle. */
export const exitAlwaysPasses: Law = (test, isLast) => {
  if (!isLast) return undefined;
  for (const { instrumentId, direction } of test.positions) {
    const before = test.refusals.length;
    test.want(exit({ instrument: instrumentId, direction }));
    const refused = test.refusals
      .slice(before)
      .find(({ intent, check }) => intent.kind === 'exit' && !UNSELLABLE.includes(check));
    if (refused !== undefined)
      return `an exit of ${instrumentId} ${direction} is refused by ${refused.check}: ${refused.text}`;
  }
  return undefined;
};

/** Nothing is wanted before the strategy is warm: the engine would drop it. */
export const nothingBeforeWarm: Law = (test) =>
  test.dropped === 0
    ? undefined
    : `${String(test.dropped)} ${nounOf(test.dropped, 'intent')} dropped by ${formatUtc(test.now)}, because the strategy was not warm`;

function keyOf({ instrumentId, direction }: Pick<Position, 'instrumentId' | 'direction'>): string {
  return `${instrumentId} ${direction}`;
}

/** Contracts are whole: none is dust. */
function isDust(test: StrategyTest, { instrumentId, entryValue }: Position): boolean {
  return (
    splitInstrumentId(instrumentId).kind !== 'futures' && entryValue.lt(test.equity.times(DUST))
  );
}

/** Whether it was left and entered again within the last candle. */
function isOpenedAnew(test: StrategyTest, { instrumentId, direction }: Position): boolean {
  const since = test.now - test.candleMs;
  const actions = test.fills
    .filter((fill) => isOf(fill, instrumentId) && fill.direction === direction)
    .filter(({ eventTime }) => eventTime > since)
    .map(({ action }) => action);
  return actions.at(-1) === 'open' && actions.includes('close');
}

function isGuarded(test: StrategyTest, { instrumentId, direction }: Position): boolean {
  const hasStop = test.stops.some(
    (stop) => isOf(stop, instrumentId) && stop.direction === direction,
  );
  return (
    hasStop ||
    test.workingOrders.some(
      (order) =>
        isOf(order, instrumentId) &&
        order.action === 'close' &&
        order.side === (direction === 'long' ? 'sell' : 'buy'),
    )
  );
}

function isOf(one: { readonly instrumentId: InstrumentId }, instrumentId: InstrumentId): boolean {
  return one.instrumentId === instrumentId;
}
