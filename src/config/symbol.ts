import { editDistance, type Asset } from '../domain/index.js';

/** Assets that prices are commonly quoted in. A symbol without a separator is split before one of them. */
const QUOTE_ASSETS: readonly Asset[] = [
  'USDT',
  'USDC',
  'FDUSD',
  'TUSD',
  'BUSD',
  'DAI',
  'USD',
  'EUR',
  'GBP',
  'TRY',
  'BRL',
  'JPY',
  'AUD',
  'BTC',
  'ETH',
  'BNB',
];

/** Finds the symbol that the user probably meant: in capitals, or with the most similar quote asset. */
export function suggestSymbol(symbol: string): string | undefined {
  const capitals = symbol.toUpperCase();
  if (splitSymbol(capitals).length > 0) return capitals === symbol ? undefined : capitals;
  const near = QUOTE_ASSETS.find((quote) => {
    const written = capitals.slice(-quote.length);
    return capitals.length > quote.length && editDistance(written, quote) === 1;
  });
  return near && `${capitals.slice(0, -near.length)}${near}`;
}

export interface AssetPair {
  readonly base: Asset;
  readonly quote: Asset;
}

/**
 * Reads base and quote out of a venue's symbol: `BTCUSDT`, `BTC-USDT`, `BTC_USDT`, `E-BTC-USDT`.
 *
 * Returns every reading, so that a caller can refuse to guess: `BTCTUSD` is BTC in TUSD, or BTCT in USD.
 */
export function splitSymbol(symbol: string): readonly AssetPair[] {
  const parts = symbol.split(/[-_]/);
  if (parts.length > 1) {
    const isContract = parts.length === 3 && /^[EHIS]$/.test(parts[0] ?? '');
    const [base, quote, ...rest] = isContract ? parts.slice(1) : parts;
    const isPair = base !== undefined && quote !== undefined && base !== '' && quote !== '';
    return isPair && rest.length === 0 ? [{ base, quote }] : [];
  }
  return QUOTE_ASSETS.filter((quote) => symbol.endsWith(quote) && symbol.length > quote.length).map(
    (quote) => ({ base: symbol.slice(0, -quote.length), quote }),
  );
}
