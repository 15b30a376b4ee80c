import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { decimal } from '../../../src/domain/index.js';

/**
 * Limits of one instrument as a large venue publishes them: kind, symbol, price and quantity precision, smallest quantity, largest LIMIT
 * and MARKET quantity, smallest money, working orders, face value. The lots of futures are taken for contracts.
 */
export type PublishedLimits = readonly [
  string,
  string,
  number,
  number,
  string,
  string,
  string,
  string,
  number,
  string,
];

interface Filter {
  readonly filterType: string;
  readonly [name: string]: unknown;
}

/**
 * Reads lists of instruments (`…spot….json.gz`, `…usdm….json.gz`, each with `symbols` and their `filters`) from a folder; empty without a folder.
 * An instrument without a tick has no limits to read and is left out.
 */
export function readPublishedLimits(folder: string | undefined): readonly PublishedLimits[] {
  if (folder === undefined) return [];
  const lists = readdirSync(folder).filter((name) =>
    /(spot|usdm)-exchangeInfo.*\.json\.gz$/.test(name),
  );
  return lists.flatMap((name) => {
    const text = gunzipSync(readFileSync(join(folder, name))).toString('utf8');
    const { symbols } = JSON.parse(text) as {
      readonly symbols: readonly { readonly symbol: string; readonly filters: readonly Filter[] }[];
    };
    const kind = name.includes('spot') ? 'spot' : 'futures';
    return symbols.flatMap(({ symbol, filters }) => limitsOf(kind, symbol, filters) ?? []);
  });
}

function limitsOf(
  kind: 'spot' | 'futures',
  symbol: string,
  filters: readonly Filter[],
): readonly PublishedLimits[] | undefined {
  const read = (type: string, name: string): string => {
    const value = filters.find(({ filterType }) => filterType === type)?.[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '0';
  };
  const lot = decimal(read('LOT_SIZE', 'stepSize'));
  const tick = decimal(read('PRICE_FILTER', 'tickSize'));
  if (lot.lte(0) || tick.lte(0)) return undefined;
  const isSpot = kind === 'spot';
  const inLots = (quantity: string): string =>
    decimal(quantity)
      .div(isSpot ? 1 : lot)
      .toFixed();
  const most = read('LOT_SIZE', 'maxQty');
  const market = read('MARKET_LOT_SIZE', 'maxQty');
  return [
    [
      kind,
      symbol,
      tick.decimalPlaces(),
      isSpot ? lot.decimalPlaces() : 0,
      inLots(read('LOT_SIZE', 'minQty')),
      inLots(most),
      inLots(decimal(market).gt(0) ? market : most),
      isSpot ? read('NOTIONAL', 'minNotional') : read('MIN_NOTIONAL', 'notional'),
      Number(read('MAX_NUM_ORDERS', isSpot ? 'maxNumOrders' : 'limit')),
      isSpot ? '1' : lot.toFixed(),
    ],
  ];
}
