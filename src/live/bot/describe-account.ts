import {
  distanceToLiquidation,
  formatFixed,
  shortfallOf,
  type Direction,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type MarginReading,
} from '../../domain/index.js';
import { marginLevel, type Engine } from '../../engine/index.js';
import type { BotStatus } from './bot-control.js';
import { listTriggers } from './describe-triggers.js';

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** Equity, positions and orders of a bot, as shown in its status. */
export function describeAccount(
  engine: Engine,
  instruments: readonly Instrument[],
): Pick<
  BotStatus,
  | 'equity'
  | 'profit'
  | 'positions'
  | 'orders'
  | 'guards'
  | 'triggers'
  | 'worked'
  | 'waiting'
  | 'debts'
  | 'marginLevel'
> {
  const { portfolio, initialEquity } = engine;
  const { equityCurrency: currency } = portfolio;
  const equity = portfolio.equity();
  const level = marginLevel(portfolio);
  return {
    equity: { amount: formatFixed(equity), currency },
    profit:
      initialEquity === undefined
        ? undefined
        : { amount: formatFixed(equity - initialEquity), currency },
    positions: listPositions(engine, instruments),
    orders: listOrders(engine),
    guards: listGuards(engine),
    triggers: listTriggers(engine),
    worked: listWorked(engine),
    waiting: listWaiting(engine),
    debts: portfolio.debts.owed.map(({ asset, principal, interest }) => ({
      asset,
      principal: formatFixed(principal),
      estimatedInterest: formatFixed(interest),
    })),
    marginLevel: level === undefined ? undefined : formatFixed(level),
  };
}

/** Cancels without an answer, as a status lists them. */
export function describeCancels(
  unanswered: ReadonlyMap<InstrumentId, number>,
): BotStatus['cancels'] {
  return [...unanswered].map(([instrumentId, count]) => ({ instrumentId, count }));
}

/** Margins of positions in the venue's latest reading. */
export function describeMargins(readings: readonly MarginReading[] = []): BotStatus['margins'] {
  const text = (amount: Fixed | undefined): string | undefined =>
    amount === undefined ? undefined : formatFixed(amount);
  return readings.map((reading) => ({
    instrumentId: reading.instrumentId,
    direction: reading.direction,
    markPrice: text(reading.markPrice),
    liquidationPrice: text(reading.liquidationPrice),
    distance: text(distanceToLiquidation(reading)),
    marginRate: text(reading.marginRate),
    maintenanceRate: text(reading.maintenanceRate),
    pendingClose: text(reading.pendingClose),
    frozen: reading.frozen,
  }));
}

function listPositions(
  { portfolio, dust }: Engine,
  instruments: readonly Instrument[],
): BotStatus['positions'] {
  return instruments.flatMap(({ id: instrumentId }) =>
    DIRECTIONS.flatMap((direction) => {
      const account = portfolio.instrument(instrumentId);
      const { quantity } = account[direction].holding;
      if (quantity === 0n) return [];
      const isDust = dust.isUnguardable(account, direction);
      return [{ instrumentId, direction, quantity: formatFixed(quantity), isDust }];
    }),
  );
}

function listOrders({ workingOrders }: Engine): BotStatus['orders'] {
  return workingOrders.map(({ request, status, filledQuantity, cause, label }) => ({
    clientOrderId: request.clientOrderId,
    instrumentId: request.instrumentId,
    side: request.side,
    quantity: formatFixed(request.quantity),
    filled: formatFixed(filledQuantity),
    limitPrice: request.type === 'limit' ? formatFixed(request.limitPrice) : undefined,
    status,
    cause,
    label,
  }));
}

function listGuards({ guards }: Engine): BotStatus['guards'] {
  const text = (level: Fixed | undefined): string | undefined =>
    level === undefined ? undefined : formatFixed(level);
  return guards.map(({ instrumentId, direction, quantity, entry, ...levels }) => ({
    instrumentId,
    direction,
    quantity: formatFixed(quantity),
    stop: text(levels.stop),
    takeProfit: text(levels.takeProfit),
    trailingStop: text(levels.trailingStop),
    intentId: entry?.intentId,
    label: entry?.label,
  }));
}

function listWorked({ worked, portfolio }: Engine): BotStatus['worked'] {
  return worked
    .filter(({ to }) => to === undefined)
    .map((work) => {
      const { intentId, instrumentId, side, label, unit } = work;
      const shortfall = shortfallOf(portfolio.instrument(instrumentId).instrument, work);
      return {
        ...{ intentId, instrumentId, side, label, unit },
        arrival: formatFixed(work.arrivalPrice),
        quantity: formatFixed(work.quantity),
        filled: formatFixed(work.filledQuantity),
        averagePrice: shortfall && formatFixed(shortfall.averagePrice),
        shortfallBps: shortfall?.basisPoints,
      };
    });
}

function listWaiting({ waitingIntents }: Engine): BotStatus['waiting'] {
  return waitingIntents.map(({ intentId, intent, instrumentId, direction, since }) => ({
    intentId,
    kind: intent.kind,
    instrumentId,
    direction,
    label: intent.label,
    since,
  }));
}
