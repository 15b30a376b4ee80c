import { createHash } from 'node:crypto';
import type { Asset, InstrumentId } from '../../domain/index.js';
import type { EngineCheckpoint } from '../../engine/index.js';
import type { VenueState } from '../../simulator/index.js';
import type { BacktestConfig } from '../../config/index.js';
import type { BranchState } from './branch-points.js';
import { CASH_ACCOUNTS, type Cash } from './cash-tolerance.js';

/** Ids and times of orders: they matter only to a strategy that looks at its orders. */
const ORDER_NAMES: ReadonlySet<string> = new Set([
  'clientOrderId',
  'createdTime',
  'intentId',
  'lastIntentId',
  'stopId',
  'takeProfitId',
  'updatedTime',
  'venueOrderId',
]);

/** Counts that are only reported and decide nothing. */
const REPORTED = 'tallies';

/** The parts of a state. */
interface StateParts {
  readonly engine: EngineCheckpoint;
  readonly venue: VenueState;
  /** Instruments that do not receive a new price at once. */
  readonly staleInstruments: ReadonlySet<InstrumentId>;
  /** Hashes and counts of other things that continue. */
  readonly others: readonly (string | number)[];
  /** The past, for figures of the whole run. */
  readonly history: readonly unknown[];
}

/** The cash that may differ between joined branches. */
interface FreeCash {
  readonly currency: Asset;
  readonly accounts: readonly (typeof CASH_ACCOUNTS)[number][];
}

/**
 * Lists the accounts whose cash may differ. With a loss limit there are none, because the limit reads equity at each close. Spot cash may not differ if
 * the equity currency itself is traded on spot.
 */
export function freeCashOf(config: BacktestConfig): FreeCash {
  const { equityCurrency: currency, risk, instruments } = config;
  const { maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio } = risk.protections;
  const limits = [maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio];
  if (limits.some((limit) => limit !== undefined)) return { currency, accounts: [] };
  const isTraded = instruments.some((one) => one.kind === 'spot' && one.base === currency);
  return { currency, accounts: isTraded ? ['futures'] : CASH_ACCOUNTS };
}

/** Splits the state of a run into parts that must be equal and parts that may differ. */
export function splitState(parts: StateParts, free: FreeCash): BranchState {
  const { engine, venue, staleInstruments, others, history } = parts;
  const cash: Record<keyof Cash, bigint> = { spot: 0n, futures: 0n };
  const balances = engine.balances.filter(({ account, asset, total }) => {
    const place = free.accounts.find((one) => one === account);
    if (asset !== free.currency || place === undefined) return true;
    cash[place] = total;
    return false;
  });
  const prices = engine.prices.filter(({ instrumentId }) => staleInstruments.has(instrumentId));
  const orders: unknown[] = [];
  // A worked order is moved when its time is over, and that counts from when it was sent.
  const worked = engine.orders.map(({ worked: work, createdTime }) => work && createdTime);
  const key = exactText([{ ...engine, balances, prices }, venue, others, worked], (name, value) => {
    if (name === REPORTED) return true;
    if (!ORDER_NAMES.has(name)) return false;
    orders.push(value);
    return true;
  });
  return {
    key: hashOf(key),
    cash,
    orders: hashOf(exactText(orders)),
    history: hashOf(exactText(history)),
  };
}

/** JSON with exact amounts as text. `leavesOut` chooses the members to omit. */
export function exactText(
  value: unknown,
  leavesOut: (name: string, value: unknown) => boolean = () => false,
): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (leavesOut(name, member)) return undefined;
    return typeof member === 'bigint' ? `${String(member)}n` : member;
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
