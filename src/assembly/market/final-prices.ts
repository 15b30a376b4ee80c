import type { InstrumentId } from '../../domain/index.js';
import type { Portfolio } from '../../engine/index.js';
import type { FinalPrice } from '../../report/index.js';

/** The price and rate at which the portfolio values each instrument that has a price now. */
export function listFinalPrices(portfolio: Portfolio): ReadonlyMap<InstrumentId, FinalPrice> {
  const prices = new Map<InstrumentId, FinalPrice>();
  for (const { instrument } of portfolio.instruments()) {
    const { id } = instrument;
    const price =
      (instrument.kind === 'futures' ? portfolio.mark(id) : undefined) ?? portfolio.last(id);
    const worth = portfolio.worthOf(
      instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote,
    );
    if (price !== undefined && worth !== undefined) prices.set(id, { price, worth });
  }
  return prices;
}
