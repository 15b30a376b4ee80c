import {
  contractValue,
  FIXED_ONE,
  fixedToNumber,
  type FuturesInstrument,
  type PositionAction,
  type Side,
} from '../../src/domain/index.js';
import type { SimulatedVenue } from '../../src/simulator/index.js';
import { START } from './spot-venue.js';
import type { TwinMarket } from './venue-twins.js';

/** More are worth more than any tier of the tests. */
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
 * About how much an order may ask for, so that most of what is drawn is traded, not refused: contracts that one to open can pay for at last, or
 * one to close finds; quote that a purchase can spend, or base that a sale can give, on margin with what may be borrowed. For aiming only,
 * so in floats, and no matter whether the venues agree about it.
 */
export function mostOf(
  { twins, instrument }: TwinMarket,
  { side, action }: { readonly side: Side; readonly action: PositionAction },
): number {
  const { venue } = twins.parts.real;
  const { futures, margin } = venue.accounts;
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
    return fixedToNumber((venue.balances().get(asset) ?? 0n) - venue.locked(asset));
  const terms = { leverage: instrument.leverage, priceOf: () => last };
  return fixedToNumber(margin?.ledger.available(asset, terms) ?? 0n);
}
