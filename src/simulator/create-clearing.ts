import {
  FIXED_ONE,
  maxFixed,
  takerPrice,
  TierBook,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type ResolvedRules,
  type Side,
} from '../domain/index.js';
import type { Accounts } from './accounts.js';
import { PARTS_OF_MS, publishedPrice, type PathPrice } from './candle-path.js';
import { FuturesClearing, type FuturesClearingOptions } from './futures-clearing.js';
import { MarginClearing } from './margin-clearing.js';
import { MarginPrices } from './margin-prices.js';
import type { InstrumentMarket } from './instrument-market.js';
import type { OrderMatcher } from './order-matcher.js';
import type { VenueOptions } from './venue-options.js';

/** What the venue's own acts need of it. */
export interface ClearingParts {
  readonly options: Pick<VenueOptions, 'futures' | 'fees' | 'onUpdate'>;
  readonly accounts: Accounts;
  readonly matcher: OrderMatcher;
  /** In the order of the instruments. */
  readonly markets: readonly InstrumentMarket[];
  readonly rulesAt: (instrumentId: InstrumentId, time: EpochMs) => ResolvedRules;
}

/** What acts for the futures account; undefined where there is none. */
export function createFuturesClearing(parts: ClearingParts): FuturesClearing | undefined {
  const account = parts.accounts.futures;
  if (account === undefined) return undefined;
  const tiers = parts.options.futures?.tiers ?? new TierBook();
  return new FuturesClearing({
    account,
    markets: parts.markets,
    tiersAt: (id, time) => tiers.at(id, time),
    ...forcedTerms(parts, '-1157', 'canceled by a liquidation'),
  });
}

/** What acts for the margin account; undefined where there is none. */
export function createMarginClearing(parts: ClearingParts): MarginClearing | undefined {
  const account = parts.accounts.margin;
  if (account === undefined) return undefined;
  const markets = parts.markets.filter(({ source }) => source.instrument.kind === 'margin');
  return new MarginClearing({
    account,
    markets,
    prices: new MarginPrices(account.ledger.currency, markets),
    fees: parts.options.fees,
    rulesAt: parts.rulesAt,
    ...forcedTerms(parts, 'margin-call', 'canceled by a margin call'),
  });
}

/** How the venue itself trades and cancels for an account. */
function forcedTerms(
  { options, matcher, rulesAt }: ClearingParts,
  code: string,
  text: string,
): Pick<FuturesClearingOptions, 'takerPriceAt' | 'cancelOrders' | 'onUpdate'> {
  return {
    takerPriceAt: (market, { side, quantity, at }) => {
      const { tick } = rulesAt(market.source.instrument.id, at.time);
      const cost = matcher.takerCost(market, quantity);
      return levelPrice(side, market.priceAtCrossing(at), {
        cost,
        tick,
        isMoved: at.part < PARTS_OF_MS,
      });
    },
    cancelOrders: (id, time) => {
      matcher.cancelAll(id, time, { code, text });
    },
    onUpdate: options.onUpdate,
  };
}

/**
 * What a taker trades at where the path has come to a level. Money is rounded to 18 decimals, and so is found to be used up a hair beyond the
 * level: a price within a millionth of a tick is on the tick, or rounding against the taker would lead one tick past it.
 */
function levelPrice(
  side: Side,
  path: PathPrice,
  terms: { readonly cost: Fixed; readonly tick: Fixed; readonly isMoved: boolean },
): Fixed {
  const { cost, tick, isMoved } = terms;
  if (!isMoved) return takerPrice(side, path, { cost, tick });
  const exact = {
    numerator: path.numerator * (side === 'buy' ? FIXED_ONE + cost : FIXED_ONE - cost),
    denominator: path.denominator * FIXED_ONE,
  };
  const near = publishedPrice(exact, maxFixed(tick / 1_000_000n, 1n));
  return takerPrice(side, { numerator: near, denominator: 1n }, { cost: 0n, tick });
}
