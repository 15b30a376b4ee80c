import {
  CandleRows,
  createInstrumentId,
  parseFixed,
  resampleCandles,
  RuleBook,
  type Asset,
  type MarginInstrument,
} from '../../../src/domain/index.js';
import { SimulatedVenue } from '../../../src/simulator/index.js';
import type { VenueUpdate } from '../../../src/venue/index.js';
import { termsOf, venueColumns, type VenueCandle } from '../spot-venue.js';
import { fixedMap, type Amounts } from './builders.js';

/** A pair on margin, at a leverage of 5. */
export function aRoutePair(base: Asset, quote: Asset): MarginInstrument {
  const symbol = `${base}${quote}`;
  const id = createInstrumentId('margin', symbol);
  return { kind: 'margin', id, symbol, base, quote, leverage: parseFixed('5') };
}

/**
 * A venue that trades some pairs on margin without costs, with all its reported updates. Prices have two decimals, quantities three. With the interval
 * `5min` it trades candles of five minutes, on the path of the given minutes.
 */
export function aRouteVenue(
  balances: Amounts,
  candles: ReadonlyMap<MarginInstrument, readonly VenueCandle[]>,
  interval: '1min' | '5min' = '1min',
): { readonly venue: SimulatedVenue; readonly updates: readonly VenueUpdate[] } {
  const updates: VenueUpdate[] = [];
  const rules = new RuleBook();
  const record = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };
  for (const { id } of candles.keys()) rules.set(id, [{ from: 0, rules: record }]);
  const venue = new SimulatedVenue({
    markets: [...candles].map(([instrument, minutes]) => {
      const columns = venueColumns(minutes);
      const common = { instrument, interval, volumeUnit: 'base', pricePrecision: 2 } as const;
      const finer = { interval: '1min', rows: CandleRows.of(columns) } as const;
      if (interval === '1min') return { ...common, rows: finer.rows };
      const { columns: long } = resampleCandles(columns, '1min', interval);
      return { ...common, rows: CandleRows.of(long), finer };
    }),
    rules,
    balances: { margin: fixedMap(balances) },
    ...termsOf({}),
    onUpdate: (update) => updates.push(update),
  });
  return { venue, updates };
}
