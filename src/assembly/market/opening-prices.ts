import type { EpochMs, Instrument } from '../../domain/index.js';
import type { Engine, PriceSample } from '../../engine/index.js';
import type { WarmStream } from '../../live/index.js';
import type { MarketDataSource } from '../../venue/index.js';
import type { SeriesCursor } from '../replay/series-cursor.js';
import { drivingSeries } from './load-market.js';

type Portfolio = Engine['portfolio'];

/**
 * Lists opening prices of instruments without a closed candle whose price is needed: they are held from the start, value money of any account or what
 * another instrument trades, or their coin is margin. The price is the open of the finest candle that is open at `time`, or otherwise of the next one;
 * without a next one, the last close.
 */
export function listOpeningPrices(
  cursors: readonly SeriesCursor[],
  portfolio: Portfolio,
  time: EpochMs,
): readonly PriceSample[] {
  const finestOf = drivingSeries(cursors);
  return unpriced(portfolio).flatMap(({ id }) => {
    const cursor = finestOf.get(id);
    const price = cursor?.openAt(time) ?? cursor?.rows.close(cursor.closedBy(time) - 1);
    return price === undefined ? [] : [{ instrumentId: id, price }];
  });
}

/**
 * Reads the same prices for a bot that begins: the venue shows the open candle.
 *
 * @throws errors of the source.
 */
export async function readOpeningPrices(
  streams: readonly WarmStream[],
  portfolio: Portfolio,
  {
    source,
    signal,
  }: { readonly source: Pick<MarketDataSource, 'candles'>; readonly signal: AbortSignal },
): Promise<readonly PriceSample[]> {
  const prices: PriceSample[] = [];
  const finestOf = drivingSeries(streams);
  for (const { id } of unpriced(portfolio)) {
    const own = streams.filter(({ instrumentId }) => instrumentId === id);
    const finest = finestOf.get(id);
    if (finest === undefined || own.some(({ history }) => history.length > 0)) continue;
    const [newest] = (await source.candles(id, finest.interval, { limit: 1, signal })).slice(-1);
    if (newest !== undefined) prices.push({ instrumentId: id, price: newest.open });
  }
  return prices;
}

/** Instruments that have no price but need one. */
function unpriced(portfolio: Portfolio): readonly Instrument[] {
  const valuations = portfolio.valuations();
  return [...portfolio.instruments()]
    .filter(({ lastNumber }) => Number.isNaN(lastNumber))
    .filter(
      (account) =>
        account.long.holding.quantity > 0n ||
        valuations.has(account) ||
        pricesItsMargin(account.instrument),
    )
    .map(({ instrument }) => instrument);
}

/** Whether the margin of a contract is the coin that it prices, as for inverse contracts. */
function pricesItsMargin(instrument: Instrument): boolean {
  return instrument.kind === 'futures' && instrument.marginAsset === instrument.base;
}
