import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { Archive } from '../../archive/index.js';
import {
  ConfigError,
  createInstrumentId,
  parseFixed,
  parseInstrumentId,
  splitInstrumentId,
  type FuturesInstrument,
  type InstrumentId,
  type InstrumentRules,
  type SpotInstrument,
} from '../../domain/index.js';
import type { Listing } from '../../local-exchange/index.js';
import { omitUndefined } from '../config/omit-undefined.js';
import { splitSymbol, type AssetPair } from '../config/symbol.js';
import type { LoadedExchangeConfig } from './load-exchange-config.js';

type Contracts = NonNullable<LoadedExchangeConfig['config']['market']['contracts']>;

/** Candles that ship with the package, for an exchange without a config. */
const SHIPPED_CANDLES = fileURLToPath(new URL('../../../backtest/data', import.meta.url));

/** Rules of a pair that nobody gave any: those of the shipped candles, which lie on this grid. */
const STANDARD_PAIR_RULES: InstrumentRules = {
  tradable: true,
  pricePrecision: 2,
  quantityPrecision: 5,
  minOrderQuantity: parseFixed('0.00001'),
  minOrderMoney: parseFixed('5'),
  maxMarketQuantity: parseFixed('1000000'),
  maxMarketMoney: parseFixed('10000000'),
  maxLimitQuantity: parseFixed('1000000'),
  maxWorkingOrders: 500,
};

/** The same for contracts, in the size of live records. Source: public material, real contract records. */
const STANDARD_CONTRACT_RULES: InstrumentRules = {
  tradable: true,
  pricePrecision: 2,
  quantityPrecision: 0,
  minOrderQuantity: parseFixed('1'),
  minOrderMoney: parseFixed('1'),
  maxMarketQuantity: parseFixed('5000000'),
  maxMarketMoney: parseFixed('10000000'),
  maxLimitQuantity: parseFixed('5000000'),
  maxWorkingOrders: 50,
};

/** Contracts that an exchange without a config lists, on the minutes of the shipped pair; rules, tiers and funding are the archive's. */
const SHIPPED_CONTRACTS: Contracts = {
  'E-BTC-USDT': {
    candlesOf: 'spot:BTCUSDT',
    contract: 'linear',
    multiplier: parseFixed('0.001'),
  },
  'I-BTC-USD': { candlesOf: 'spot:BTCUSDT', contract: 'inverse', multiplier: parseFixed('100') },
};

/** Where the candles are. */
export function archiveFolder({ config, directory }: LoadedExchangeConfig): string {
  const { archive } = config.market;
  return archive === undefined ? SHIPPED_CANDLES : path.resolve(directory, archive);
}

/**
 * Makes the list of what is traded.
 *
 * @throws {ConfigError} `E_CONFIG_PAIR` for a symbol that does not tell base and quote.
 */
export async function listInstruments(
  loaded: LoadedExchangeConfig,
  archive: Archive,
): Promise<readonly Listing[]> {
  const { market } = loaded.config;
  const pairs = await listPairs(loaded, archive);
  const contracts = market.contracts ?? (market.archive === undefined ? SHIPPED_CONTRACTS : {});
  const listings = [...pairs];
  for (const [symbol, { candlesOf, contract, multiplier }] of Object.entries(contracts)) {
    const { base, quote } = pairOf(symbol, ['market', 'contracts', symbol], loaded);
    const id = createInstrumentId('futures', symbol);
    const instrument: FuturesInstrument = {
      ...({ kind: 'futures', id, symbol, base, quote, contract, multiplier } as const),
      marginAsset: contract === 'linear' ? quote : base,
      // What an account has set counts; this is what the contract is listed with.
      leverage: parseFixed('5'),
      marginMode: 'isolated',
    };
    const rules = await rulesOf(loaded, archive, id, STANDARD_CONTRACT_RULES);
    listings.push({
      instrument,
      rules: { ...rules, quantityPrecision: 0 },
      candlesOf: candlesOf === undefined ? id : parseInstrumentId(candlesOf),
    });
  }
  return listings;
}

async function listPairs(
  loaded: LoadedExchangeConfig,
  archive: Archive,
): Promise<readonly Listing[]> {
  const symbols = loaded.config.market.spot ?? (await storedPairs(archive));
  const listings: Listing[] = [];
  for (const [index, symbol] of symbols.entries()) {
    const { base, quote } = pairOf(symbol, ['market', 'spot', index], loaded);
    const id = createInstrumentId('spot', symbol);
    const instrument: SpotInstrument = { kind: 'spot', id, symbol, base, quote };
    const rules = await rulesOf(loaded, archive, id, STANDARD_PAIR_RULES);
    listings.push({ instrument, rules, candlesOf: id });
  }
  return listings;
}

async function storedPairs(archive: Archive): Promise<readonly string[]> {
  const entries = await archive.list();
  const symbols = entries
    .map(({ key }) => splitInstrumentId(key.instrumentId))
    .filter(({ kind }) => kind === 'spot')
    .map(({ symbol }) => symbol);
  return [...new Set(symbols)];
}

function pairOf(
  symbol: string,
  place: readonly (string | number)[],
  { document }: LoadedExchangeConfig,
): AssetPair {
  // A contract's name has a letter for its kind in front: E-BTC-USDT, I-BTC-USD.
  const [, base, quote, ...rest] = symbol.split('-');
  if (base !== undefined && quote !== undefined && rest.length === 0) return { base, quote };
  const readings = splitSymbol(symbol);
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return only;
  const expected = 'a symbol that names its base and quote';
  const received = `"${symbol}"`;
  if (document !== undefined) {
    throw document.problem('E_CONFIG_PAIR', place, { expected, received });
  }
  throw new ConfigError('E_CONFIG_PAIR', { location: { file: symbol }, expected, received });
}

/** Rules of the config, else the newest of the archive, else the standard ones. */
async function rulesOf(
  { config }: LoadedExchangeConfig,
  archive: Archive,
  id: InstrumentId,
  standard: InstrumentRules,
): Promise<InstrumentRules> {
  const { symbol } = splitInstrumentId(id);
  const given = config.market.rules[id] ?? config.market.rules[symbol];
  if (given !== undefined) return omitUndefined(given);
  const stored = await archive.rules(id);
  return stored.at(-1)?.rules ?? standard;
}
