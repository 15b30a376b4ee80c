import { FIXED_ONE, multiplyFixed, type Asset, type Fixed } from '../domain/index.js';
import type { Crossing } from './candle-path.js';
import { roundPathPrice } from './mark-feed.js';
import type { InstrumentMarket } from './instrument-market.js';

/** What counts as good as nothing: the ledger asks for prices above 0. */
const NEXT_TO_NOTHING: Fixed = 1n;

/** By how many pairs an asset may be away from the currency of the account. */
const MOST_HOPS = 3;

/**
 * Prices of the assets of a margin account in its currency: the paths of its pairs at an instant, one after another where no pair leads there
 * directly. An asset that no pair leads to counts nothing.
 */
export class MarginPrices {
  readonly currency: Asset;
  readonly #pairs: readonly InstrumentMarket[];

  constructor(currency: Asset, pairs: readonly InstrumentMarket[]) {
    this.currency = currency;
    this.#pairs = pairs;
  }

  /** Price of one unit of an asset where a path has come to. */
  priceAt(asset: Asset, at: Crossing): Fixed {
    const route = this.routeOf(asset);
    if (route === undefined) return NEXT_TO_NOTHING;
    return route.reduce(
      (price, market) => multiplyFixed(roundPathPrice(market.priceAtCrossing(at)), price),
      FIXED_ONE,
    );
  }

  /** Pairs that lead from an asset to the currency, one after another; undefined where none do. */
  routeOf(asset: Asset, hops = MOST_HOPS): readonly InstrumentMarket[] | undefined {
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

/** What a margin account is valued in: the first quote to which all its assets lead, pair after pair; else the first quote. */
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
