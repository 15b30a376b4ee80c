import {
  contractValue,
  FIXED_ONE,
  fixedToNumber,
  type FuturesInstrument,
  type PositionAction,
  type Side,
} from '../../../src/domain/index.js';
import type { SimulatedVenue } from '../../../src/simulator/index.js';
import { START } from '../spot-venue.js';
import type { TwinMarket } from './venue-twins.js';

/** Larger quantities exceed every tier of the tests. */
const MOST_CONTRACTS = 400;

/** Value up to which the tiers of a contract allow its leverage. */
function mostValue({ options }: SimulatedVenue, instrument: FuturesInstrument): number {
  const tiers = options.futures?.tiers?.at(instrument.id, START) ?? [];
  const allowed = tiers.filter(({ maxLeverage }) => maxLeverage >= instrument.leverage).at(-1);
  return allowed?.maxValue === undefined
    ? Number.POSITIVE_INFINITY
    : fixedToNumber(allowed.maxValue);
}

/**
 * Approximate largest size of an order, so that most drawn orders trade: contracts that the account can pay to open, or holds to
 * close; quote that a buy can spend, or base that a sell can give, on margin with loans. It only guides the draws, so it uses
 * floats, and the venues need not agree about it.
 */
export function mostOf(
  { twins, instrument }: TwinMarket,
  { side, action }: { readonly side: Side; readonly action: PositionAction },
): number {
  const { venue } = twins.parts.real;
  const { spot, futures, margin } = venue.accounts;
  const last = twins.last(instrument.id);
  if (instrument.kind === 'futures') {
    if (action === 'close')
      return fixedToNumber(
        futures?.ledger.held(instrument.id, side === 'sell' ? 'long' : 'short') ?? 0n,
      );
    const one = fixedToNumber(contractValue(instrument, FIXED_ONE, last));
    const money = fixedToNumber(futures?.ledger.available(instrument.marginAsset) ?? 0n);
    const value = Math.min(
      money * fixedToNumber(instrument.leverage),
      mostValue(venue, instrument),
    );
    return Math.min(MOST_CONTRACTS, value / one);
  }
  const asset = side === 'buy' ? instrument.quote : instrument.base;
  if (instrument.kind === 'spot')
    return fixedToNumber((spot.totals().get(asset) ?? 0n) - spot.locked(asset));
  const terms = { leverage: instrument.leverage, priceOf: () => last };
  return fixedToNumber(margin?.ledger.available(asset, terms) ?? 0n);
}
