import type { EpochMs, Instrument, ResolvedRules } from '../domain/index.js';
import type { Accounts } from './accounts.js';
import type { GreedySituation } from './greedy.js';
import type { MarketTape } from './market-tape.js';
import { takerPrice } from './matching.js';
import type { FeeModel } from './models/fee.js';
import type { OrderMatcher } from './order-matcher.js';
import type { WatchedStop } from './path-doubt.js';

const DIRECTIONS = ['long', 'short'] as const;

/** Where what matters to a path is found. */
export interface SituationSource {
  readonly accounts: Accounts;
  readonly matcher: OrderMatcher;
  readonly fees: FeeModel;
}

/** The candle whose path is chosen, and what is not on its tape. */
export interface OpenCandle {
  readonly openTime: EpochMs;
  readonly rules: ResolvedRules;
  readonly stops: readonly WatchedStop[];
}

/** What is held, ordered and watched of the instrument of a tape when the path of its candle is chosen (DESIGN R16). */
export function describeSituation(
  tape: MarketTape,
  { openTime, rules, stops }: OpenCandle,
  { accounts, matcher, fees }: SituationSource,
): GreedySituation {
  const { instrument } = tape.source;
  const { tick, step } = rules;
  return {
    instrument,
    ...held(instrument, accounts),
    orders: matcher.restingOf(instrument.id),
    stops,
    pool: tape.pool(),
    step,
    fees: fees.ratesAt(instrument.id, openTime),
    from: Math.max(tape.cursor, openTime),
    takerPrice: (side, quantity, price) =>
      takerPrice(side, price, { cost: matcher.takerCost(tape, quantity), tick }),
  };
}

function held(
  instrument: Instrument,
  accounts: Accounts,
): Pick<GreedySituation, 'long' | 'short' | 'liquidations'> {
  const { base, id, kind } = instrument;
  if (kind !== 'futures') {
    const long = accounts.of(instrument).totals().get(base) ?? 0n;
    return { long, short: 0n, liquidations: [] };
  }
  const ledger = accounts.futures?.ledger;
  const liquidations = DIRECTIONS.flatMap((direction) => {
    const level = ledger?.expectedLiquidation(id, direction);
    return level === undefined ? [] : [{ direction, level }];
  });
  return {
    long: ledger?.held(id, 'long') ?? 0n,
    short: ledger?.held(id, 'short') ?? 0n,
    liquidations,
  };
}
