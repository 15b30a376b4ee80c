import {
  MINUTE_MS,
  nominalIntervalMs,
  splitInstrumentId,
  type InstrumentId,
  type Interval,
  type ProductKind,
} from '../domain/index.js';
import { MARKET_PLAN, type MarketPlan } from './market-feed.js';

/** Periods of the polls of one's own account. */
export interface AccountPlan {
  /** Grid of polls of an instrument while orders work there (DESIGN R2). @defaultValue 2000 */
  readonly workingMs: number;
}

export const ACCOUNT_PLAN: AccountPlan = { workingMs: 2_000 };

/** One stream that a bot wants polled. `account`: orders and executions of an instrument, two calls each time, as while orders work. */
export type FeedDemand =
  | {
      readonly kind: 'candles';
      readonly instrumentId: InstrumentId;
      readonly interval: Interval;
    }
  | {
      readonly kind: 'ticker' | 'depth' | 'trades' | 'mark' | 'account';
      readonly instrumentId: InstrumentId;
    };

/**
 * Calls per second that the polls of these streams need in the busiest minute, by product; streams that are wanted twice are polled once.
 * Calls that are made again, because something is late or failed, come on top: half of a budget should stay free.
 */
export function callsPerSecond(
  demands: readonly FeedDemand[],
  plan: Partial<MarketPlan> & Partial<AccountPlan> = {},
): ReadonlyMap<ProductKind, number> {
  const periods = { ...MARKET_PLAN, ...ACCOUNT_PLAN, ...plan };
  const perMinute = new Map<string, { readonly product: ProductKind; readonly calls: number }>();
  for (const demand of demands) {
    const { kind, instrumentId } = demand;
    const name = `${kind} ${instrumentId} ${kind === 'candles' ? demand.interval : ''}`;
    const product = splitInstrumentId(instrumentId).kind;
    perMinute.set(name, { product, calls: callsPerMinute(demand, periods) });
  }
  const perSecond = new Map<ProductKind, number>();
  for (const { product, calls } of perMinute.values()) {
    perSecond.set(product, (perSecond.get(product) ?? 0) + calls / 60);
  }
  return perSecond;
}

function callsPerMinute(demand: FeedDemand, periods: MarketPlan & AccountPlan): number {
  switch (demand.kind) {
    case 'candles':
      // At a full hour or day the long intervals close as well: each counts once in the busiest minute.
      return Math.max(1, MINUTE_MS / nominalIntervalMs(demand.interval));
    case 'ticker':
      return MINUTE_MS / periods.tickerMs;
    case 'depth':
      return MINUTE_MS / periods.depthMs;
    case 'trades':
      return MINUTE_MS / periods.tradesMs;
    case 'mark':
      return MINUTE_MS / periods.markMs;
    case 'account':
      return (2 * MINUTE_MS) / periods.workingMs;
  }
}
