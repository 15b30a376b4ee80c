import { A_SWITCH, checkOptions, type OptionCheck } from '../config/index.js';
import {
  formatUtc,
  nounOf,
  splitInstrumentId,
  type InstrumentId,
  type Position,
} from '../domain/index.js';
import { exit } from '../strategy/index.js';
import { StrategyTest } from './strategy-test.js';

/**
 * A rule that must hold for a strategy after each candle. A law is broken if it returns a text, which describes the breach, or throws, as an assertion does.
 *
 * @param isLast - whether this was the last candle. A law may then change the run, because nothing follows.
 */
export type Law = (test: StrategyTest, isLast: boolean) => unknown;

/** Checks that refuse an exit if nothing can be sold: the market is closed, or the quantity is below the smallest order. */
const UNSELLABLE: readonly string[] = [
  'no-rules',
  'not-tradable',
  'nothing-to-close',
  'min-order-quantity',
  'min-order-money',
];

/** A program in JavaScript may ask a law of something else. */
const A_TEST: OptionCheck = {
  expected: 'a test of startStrategy',
  accepts: (value) => value instanceof StrategyTest,
  isRequired: true,
};

/** Ratio of equity. A position of less value is a rest that an exit could not sell. */
const DUST = 1 / 1_000;

/** Positions at the end of the previous candle, by instrument and side. */
const heldBefore = new WeakMap<StrategyTest, ReadonlySet<string>>();

/**
 * Every position that is older than a candle has a watched stop, or an exit that works or waits for orders that it cancels first. Coins of less than a
 * thousandth of equity do not count: steps and minimums may leave so much after an exit.
 */
export const neverNaked: Law = (test) => {
  checkOptions({ test }, { test: A_TEST }, 'neverNaked');
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
    `${naked.quantity.toString()} of ${naked.instrumentId} ${naked.direction} were held for a candle without a stop or an exit, at ${formatUtc(test.now)}`
  );
};

/** An exit of a position that can be sold is never refused, in any state of the run. The law tries it after the last candle. */
export const exitAlwaysPasses: Law = (test, isLast) => {
  const checks = { test: A_TEST, isLast: { ...A_SWITCH, isRequired: true } } as const;
  checkOptions({ test, isLast }, checks, 'exitAlwaysPasses');
  if (!isLast) return undefined;
  for (const { instrumentId, direction } of test.positions) {
    const before = test.refusals.length;
    test.want(exit({ instrument: instrumentId, direction }));
    const refused = test.refusals
      .slice(before)
      .find(({ intent, check }) => intent.kind === 'exit' && !UNSELLABLE.includes(check));
    if (refused !== undefined)
      return `an exit of ${instrumentId} ${direction} was refused by ${refused.check}: ${refused.text}`;
  }
  return undefined;
};

/** The strategy raises no intent before it is warm: the engine would drop it. */
export const nothingBeforeWarm: Law = (test) => {
  checkOptions({ test }, { test: A_TEST }, 'nothingBeforeWarm');
  return test.dropped === 0
    ? undefined
    : `${String(test.dropped)} ${nounOf(test.dropped, 'intent')} dropped by ${formatUtc(test.now)}, because the strategy was not warm`;
};

function keyOf({ instrumentId, direction }: Pick<Position, 'instrumentId' | 'direction'>): string {
  return `${instrumentId} ${direction}`;
}

/** A position in contracts is never dust, because contracts are whole. */
function isDust(test: StrategyTest, { instrumentId, entryValue }: Position): boolean {
  return (
    splitInstrumentId(instrumentId).kind !== 'futures' && entryValue.lt(test.equity.times(DUST))
  );
}

/** Whether the position was closed and opened again within the last candle. */
function isOpenedAnew(test: StrategyTest, { instrumentId, direction }: Position): boolean {
  const since = test.now - test.candleMs;
  const actions = test.fills
    .filter((fill) => isOf(fill, instrumentId) && fill.direction === direction)
    .filter(({ eventTime }) => eventTime > since)
    .map(({ action }) => action);
  return actions.at(-1) === 'open' && actions.includes('close');
}

function isGuarded(test: StrategyTest, { instrumentId, direction }: Position): boolean {
  return (
    [...test.stops, ...test.waitingExits].some(
      (one) => isOf(one, instrumentId) && one.direction === direction,
    ) ||
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
