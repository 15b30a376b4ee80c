import type { BacktestConfig } from '../../../config/index.js';
import type { Engine, OrderHistory } from '../../../engine/index.js';
import { FillBook } from '../../../feed/index.js';
import { ordersOf, resumeFills, type MarketSessionOptions } from '../../../live/index.js';
import { createInstrument } from '../../market/create-instruments.js';

/** The fills that a continuing bot has received in all its epochs, and for each instrument the trade after which it reads its own trades. */
export function toldFills(
  engine: Engine,
  history: OrderHistory,
  { instruments: configured }: Pick<BacktestConfig, 'instruments'>,
): Required<Pick<MarketSessionOptions, 'lastTrades'>> & { readonly fills: FillBook } {
  const fills = new FillBook();
  const instruments = new Map(
    configured.map((each) => [each.instrumentId, createInstrument(each)]),
  );
  const lastTrades = resumeFills(
    {
      orders: ordersOf(engine, history),
      fills: history.fills,
      feeAssetOf: (id) => {
        const instrument = instruments.get(id);
        return instrument?.kind === 'futures' ? instrument.marginAsset : (instrument?.quote ?? '');
      },
    },
    fills,
  );
  return { fills, lastTrades };
}
