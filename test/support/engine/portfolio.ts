import {
  parseFixed,
  type Asset,
  type ClientOrderId,
  type FillRecord,
  type SpotInstrument,
} from '../../../src/domain/index.js';
import { Portfolio } from '../../../src/engine/index.js';
import { SPOT } from '../risk/builders.js';
import { START } from './engine.js';

/** Amounts are decimal text. By default one instrument, BTC for USDT. */
export function aPortfolio(options: {
  readonly instruments?: readonly SpotInstrument[];
  readonly balances?: Readonly<Record<Asset, string>>;
  readonly equityCurrency?: Asset;
}): Portfolio {
  const { instruments = [SPOT], balances = { USDT: '1000' }, equityCurrency = 'USDT' } = options;
  return new Portfolio({
    instruments: instruments.map((instrument) => ({ instrument, pricePrecision: 2 })),
    balances: {
      spot: new Map(Object.entries(balances).map(([asset, amount]) => [asset, parseFixed(amount)])),
    },
    equityCurrency,
  });
}

/** A purchase of 1 at 100 without a fee; `overrides` replaces fields. Amounts are decimal text. */
export function aFillRecord(overrides: {
  readonly instrument?: SpotInstrument;
  readonly side?: FillRecord['side'];
  readonly price?: string;
  readonly quantity?: string;
  readonly fee?: string;
  readonly feeAsset?: Asset;
}): FillRecord {
  const { instrument = SPOT, side = 'buy' } = overrides;
  return {
    clientOrderId: 'test-1-0-0' as ClientOrderId,
    instrumentId: instrument.id,
    side,
    action: side === 'buy' ? 'open' : 'close',
    price: parseFixed(overrides.price ?? '100'),
    quantity: parseFixed(overrides.quantity ?? '1'),
    fee: parseFixed(overrides.fee ?? '0'),
    feeAsset: overrides.feeAsset ?? instrument.quote,
    liquidity: 'taker',
    eventTime: START,
  };
}
