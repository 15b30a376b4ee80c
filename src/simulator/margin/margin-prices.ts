import { FIXED_ONE, multiplyFixed, type Asset, type Fixed } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { Crossing } from '../path/candle-path.js';
import { roundPathPrice } from '../path/mark-feed.js';

/** Price of an asset without a route: nearly 0, because the ledger needs prices above 0. */
const NEXT_TO_NOTHING: Fixed = 1n;

/** The most pairs on the route from an asset to the currency of the account. */
export const MOST_HOPS = 3;

/** Pairs that lead from an asset to the currency of the account, one after another. The currency has none. */
export type Route = readonly InstrumentMarket[];

/** Price of a pair at a crossing, rounded to 18 decimals. */
export function priceOfPair(market: InstrumentMarket, at: Crossing): Fixed {
  return roundPathPrice(market.priceAtCrossing(at));
}

/** Price at the end of a route, at a crossing. Without a route it is nearly 0. */
export function priceOver(route: Route | undefined, at: Crossing): Fixed {
  if (route === undefined) return NEXT_TO_NOTHING;
  return route.reduce((price, market) => multiplyFixed(priceOfPair(market, at), price), FIXED_ONE);
}

/**
 * Prices of the assets of a margin account in its currency: the paths of its pairs at an instant, multiplied along the route if no pair leads there
 * directly. An asset without a route counts as nearly 0.
 */
export class MarginPrices {
  readonly currency: Asset;
  readonly #pairs: readonly InstrumentMarket[];

  constructor(currency: Asset, pairs: readonly InstrumentMarket[]) {
    this.currency = currency;
    this.#pairs = pairs;
  }

  /** Price of one unit of an asset at a crossing. */
  priceAt(asset: Asset, at: Crossing): Fixed {
    return priceOver(this.routeOf(asset), at);
  }

  /** The route of an asset; undefined if there is none. */
  routeOf(asset: Asset, hops = MOST_HOPS): Route | undefined {
    if (asset === this.currency) return [];
    if (hops === 0) return undefined;
    for (const market of this.#pairs) {
      const { base, quote } = market.source.instrument;
      if (base !== asset || !market.hasStarted) continue;
      const rest = this.routeOf(quote, hops - 1);
      if (rest !== undefined) return [market, ...rest];
    }
    return undefined;
  }
}

/** Currency of a margin account: the first quote to which all its assets lead through pairs; otherwise the first quote. Undefined without pairs. */
export function commonCurrency(pairs: readonly Pair[]): Asset | undefined {
  const assets = new Set(pairs.flatMap(({ base, quote }) => [base, quote]));
  const common = pairs.find(({ quote }) =>
    [...assets].every((asset) => leadsTo(asset, quote, pairs)),
  );
  return (common ?? pairs[0])?.quote;
}

interface Pair {
  readonly base: Asset;
  readonly quote: Asset;
}

function leadsTo(asset: Asset, currency: Asset, pairs: readonly Pair[], hops = MOST_HOPS): boolean {
  if (asset === currency) return true;
  if (hops === 0) return false;
  return pairs.some(
    ({ base, quote }) => base === asset && leadsTo(quote, currency, pairs, hops - 1),
  );
}
