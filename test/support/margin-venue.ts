import {
  CandleRows,
  createInstrumentId,
  parseFixed,
  RuleBook,
  type Asset,
  type MarginInstrument,
} from '../../src/domain/index.js';
import { SimulatedVenue } from '../../src/simulator/index.js';
import type { VenueUpdate } from '../../src/venue/index.js';
import { fixedMap } from './margin/builders.js';
import { BTC_USDT, termsOf, venueColumns, type VenueSetup } from './spot-venue.js';

/** BTCUSDT on margin. */
export function aMarginPair(leverage: string): MarginInstrument {
  const id = createInstrumentId('margin', BTC_USDT.symbol);
  return { ...BTC_USDT, kind: 'margin', id, leverage: parseFixed(leverage) };
}

/** A venue that trades BTCUSDT on margin, with all its reported updates. */
export function aMarginVenue(
  setup: Omit<VenueSetup, 'ethCandles' | 'balances'> & {
    readonly balances: Readonly<Record<Asset, string>>;
    readonly leverage: string;
    /** @defaultValue 0 */
    readonly hourlyRate?: string;
  },
): { readonly venue: SimulatedVenue; readonly updates: readonly VenueUpdate[] } {
  const updates: VenueUpdate[] = [];
  const instrument = aMarginPair(setup.leverage);
  const rules = new RuleBook();
  const record = { tradable: true, pricePrecision: 2, quantityPrecision: 3, ...setup.rules };
  rules.set(instrument.id, [{ from: 0, rules: record }]);
  const venue = new SimulatedVenue({
    markets: [
      {
        instrument,
        interval: '1min',
        rows: CandleRows.of(venueColumns(setup.candles ?? [])),
        volumeUnit: 'base',
        pricePrecision: 2,
      },
    ],
    rules,
    balances: { margin: fixedMap(setup.balances) },
    margin: { hourlyRate: parseFixed(setup.hourlyRate ?? '0') },
    ...termsOf(setup),
    onUpdate: (update) => updates.push(update),
  });
  return { venue, updates };
}
