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
} from '../../domain/index.js';
import { FuturesClearing, type FuturesClearingOptions } from '../futures/futures-clearing.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { MarginClearing } from '../margin/margin-clearing.js';
import { MarginPrices } from '../margin/margin-prices.js';
import type { OrderMatcher } from '../orders/order-matcher.js';
import { PARTS_OF_MS, publishedPrice, type PathPrice } from '../path/candle-path.js';
import type { VenueOptions } from '../venue-options.js';
import type { Accounts } from './accounts.js';

/** The parts of the venue that its clearing needs. */
interface ClearingParts {
  readonly options: Pick<VenueOptions, 'futures' | 'fees' | 'onUpdate'>;
  readonly accounts: Accounts;
  readonly matcher: OrderMatcher;
  /** In the order of the instruments. */
  readonly markets: readonly InstrumentMarket[];
  readonly rulesAt: (instrumentId: InstrumentId, time: EpochMs) => ResolvedRules;
}

/** Creates the clearing of the futures account; undefined without such an account. */
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

/** Creates the clearing of the margin account; undefined without such an account. */
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
 * Price of a taker when the path has reached a level. Money is rounded to 18 decimals, so the crossing may be found slightly beyond the level. A
 * price within a millionth of a tick therefore counts as on the tick. Otherwise rounding against the taker would move it one tick too far.
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
