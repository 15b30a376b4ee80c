import type { Brand } from '../amounts/brand.js';
import type { Fixed } from '../amounts/fixed.js';
import { DomainError } from '../errors.js';

export const PRODUCT_KINDS = ['spot', 'margin', 'futures'] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

/** Our stable name of an instrument: `spot:BTCUSDT`, `margin:BTCUSDT`, `futures:E-BTC-USDT`. */
export type InstrumentId = Brand<string, 'InstrumentId'>;

/** An asset's ticker, for example `BTC` or `USDT`. */
export type Asset = string;

interface InstrumentCommon {
  readonly id: InstrumentId;
  /** The venue's own name, for example `BTCUSDT` or `E-BTC-USDT`. */
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  /** Whether it only serves market data: no order is sent to it. @defaultValue false */
  readonly isReadOnly?: boolean;
}

/** Base bought for quote and held. */
export interface SpotInstrument extends InstrumentCommon {
  readonly kind: 'spot';
}

/** A spot pair traded with borrowed assets. */
export interface MarginInstrument extends InstrumentCommon {
  readonly kind: 'margin';
  readonly leverage: Fixed;
}

/**
 * A perpetual contract. Linear: face value in base, margin and PnL in quote. Inverse: face value in quote, margin and PnL in base.
 */
export interface FuturesInstrument extends InstrumentCommon {
  readonly kind: 'futures';
  readonly contract: 'linear' | 'inverse';
  /** Face value of one contract, in base (linear) or quote (inverse). */
  readonly multiplier: Fixed;
  readonly marginAsset: Asset;
  readonly leverage: Fixed;
  readonly marginMode: MarginMode;
}

export type MarginMode = 'cross' | 'isolated';

/** Whether long and short of a contract can be held at once (`hedge`), or only one of them (`oneWay`). */
export type PositionMode = 'hedge' | 'oneWay';

export type Instrument = SpotInstrument | MarginInstrument | FuturesInstrument;

/** Whether a contract has a fixed worth in quote, so that its worth in base falls as the price rises. */
export function isInverse(instrument: Instrument): instrument is FuturesInstrument {
  return instrument.kind === 'futures' && instrument.contract === 'inverse';
}

/**
 * Whether the position in an instrument is where an account keeps an asset: a pair of that account with the asset as base and the equity currency as quote.
 * Its initial balance is such a position, and a fee in the asset is taken from it.
 */
export function keepsAsset(
  { kind, base, quote }: Instrument,
  {
    account,
    asset,
    equityCurrency,
  }: { readonly account: ProductKind; readonly asset: Asset; readonly equityCurrency: Asset },
): boolean {
  return kind !== 'futures' && kind === account && base === asset && quote === equityCurrency;
}

/** @throws {DomainError} `E_INSTRUMENT` when the symbol is empty or holds anything but letters, digits, `-`, `_` and `.`. */
export function createInstrumentId(kind: ProductKind, symbol: string): InstrumentId {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(symbol)) {
    throw new DomainError(
      'E_INSTRUMENT',
      `expected a symbol such as BTCUSDT or E-BTC-USDT, received "${symbol.slice(0, 40)}"`,
    );
  }
  return `${kind}:${symbol}` as InstrumentId;
}

/** @throws {DomainError} `E_INSTRUMENT` unless the text reads `spot:SYMBOL`, `margin:SYMBOL` or `futures:SYMBOL`. */
export function parseInstrumentId(text: string): InstrumentId {
  const [kind, symbol, ...rest] = text.split(':');
  const product = PRODUCT_KINDS.find((candidate) => candidate === kind);
  if (product === undefined || symbol === undefined || rest.length > 0) {
    throw new DomainError(
      'E_INSTRUMENT',
      `expected an instrument such as spot:BTCUSDT, received "${text.slice(0, 40)}"`,
    );
  }
  return createInstrumentId(product, symbol);
}

/** Splits an id into its product and the venue's symbol. */
export function splitInstrumentId(id: InstrumentId): {
  readonly kind: ProductKind;
  readonly symbol: string;
} {
  const colon = id.indexOf(':');
  return { kind: id.slice(0, colon) as ProductKind, symbol: id.slice(colon + 1) };
}

/**
 * Returns the full id of the instrument whose id or bare symbol is `name`.
 *
 * @throws {DomainError} `E_INSTRUMENT_UNKNOWN` if no id or several ids match the name.
 */
export function matchInstrumentId(ids: readonly InstrumentId[], name: string): InstrumentId {
  const [match, ...others] = ids.filter((id) => id === name || id.endsWith(`:${name}`));
  if (match !== undefined && others.length === 0) return match;
  throw new DomainError(
    'E_INSTRUMENT_UNKNOWN',
    `expected one instrument of ${ids.join(', ')}, received "${name}"`,
  );
}
