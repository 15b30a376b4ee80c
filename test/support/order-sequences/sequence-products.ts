import type { Asset, Instrument, PositionMode } from '../../../src/domain/index.js';
import { parseFixed } from '../../../src/domain/index.js';
import { INVERSE, LINEAR, MARGIN, SPOT } from '../risk/builders.js';

/** A product on which sequences of intents and answers are tried. */
export interface SequenceProduct {
  readonly what: string;
  readonly instrument: Instrument;
  readonly positionMode: PositionMode;
  readonly balances: Readonly<Record<Asset, string>>;
  readonly equityCurrency: Asset;
}

/** At the price of 100 one contract is worth 10, so that the drawn quantities fit contracts as well as base. */
const linear = { ...LINEAR, multiplier: parseFixed('0.1') } as const;
const inverse = { ...INVERSE, marginMode: 'cross' } as const;
const inDollars = { balances: { USDT: '10000' }, equityCurrency: 'USDT' } as const;
const inCoins = { balances: { BTC: '100' }, equityCurrency: 'USD' } as const;

export const SEQUENCE_PRODUCTS: readonly SequenceProduct[] = [
  { what: 'spot', instrument: SPOT, positionMode: 'hedge', ...inDollars },
  { what: 'margin', instrument: MARGIN, positionMode: 'hedge', ...inDollars },
  { what: 'linear, hedge', instrument: linear, positionMode: 'hedge', ...inDollars },
  { what: 'linear, one-way', instrument: linear, positionMode: 'oneWay', ...inDollars },
  { what: 'inverse, hedge', instrument: inverse, positionMode: 'hedge', ...inCoins },
  { what: 'inverse, one-way', instrument: inverse, positionMode: 'oneWay', ...inCoins },
];
