import type { Instrument, InstrumentId } from '../domain/index.js';
import type { Engine, PriceSample } from '../runtime/index.js';
import type { SeriesCursor } from './series-cursor.js';

/** Opens of what is held from the start, coins that are margin included, and has no price yet. */
export function listOpeningPrices(
  cursors: readonly SeriesCursor[],
  portfolio: Engine['portfolio'],
): readonly PriceSample[] {
  const prices = new Map<InstrumentId, number>();
  for (const cursor of cursors) {
    const { instrumentId } = cursor;
    const { instrument, lastNumber, long } = portfolio.instrument(instrumentId);
    const open = cursor.nextOpen();
    if (open === undefined || !Number.isNaN(lastNumber)) continue;
    if (long.holding.quantity === 0n && !pricesItsMargin(instrument)) continue;
    if (!prices.has(instrumentId)) prices.set(instrumentId, open);
  }
  return [...prices].map(([instrumentId, price]) => ({ instrumentId, price }));
}

/** Whether the margin of a contract is the coin it prices, as of inverse ones. */
function pricesItsMargin(instrument: Instrument): boolean {
  return instrument.kind === 'futures' && instrument.marginAsset === instrument.base;
}
