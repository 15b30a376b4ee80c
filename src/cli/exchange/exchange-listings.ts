import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { Archive, SynthError } from '../../archive/index.js';
import { splitSymbol, type AssetPair, type LoadedExchangeConfig } from '../../config/index.js';
import {
  createInstrumentId,
  DataError,
  fixedToNumber,
  parseFixed,
  parseInstrumentId,
  splitInstrumentId,
  suggestWord,
  type DatedRules,
  type FuturesInstrument,
  type InstrumentId,
  type InstrumentRules,
  type SpotInstrument,
} from '../../domain/index.js';
import type { ExchangeListing, SyntheticListing } from '../../local-exchange/index.js';
import { problemAt, type Place } from './problem-at.js';

type Contracts = NonNullable<LoadedExchangeConfig['config']['market']['contracts']>;
type SyntheticPairs = NonNullable<
  NonNullable<LoadedExchangeConfig['config']['market']['synthetic']>['pairs']
>;

/** Candles that ship with the package, for an exchange without a config. */
const SHIPPED_CANDLES = fileURLToPath(new URL('../../../backtest/data', import.meta.url));

/** Rules of a pair without rules of its own: those of the shipped candles, whose values are on this grid. */
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

/** Rules of a contract without rules of its own, with sizes as in live records. Source: public material, real contract records. */
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

/**
 * Contracts of an exchange without a config; rules, tiers and funding are the archive's. The first has stored minutes and marks of its own.
 * Of the second only quarters of hours are stored, so it uses the minutes of its pair.
 */
const SHIPPED_CONTRACTS: Contracts = {
  'E-BTC-USDT': { contract: 'linear', multiplier: parseFixed('0.001') },
  'I-BTC-USD': { candlesOf: 'spot:BTCUSDT', contract: 'inverse', multiplier: parseFixed('100') },
};

/** The synthetic pair if the config names none. */
const STANDARD_PAIRS: SyntheticPairs = {
  BTCUSDT: {
    price: parseFixed('62000'),
    volatility: parseFixed('0.5'),
    dailyVolume: parseFixed('20000'),
  },
};

/** Folder of the candles. */
export function archiveFolder({ config, directory }: LoadedExchangeConfig): string {
  const { archive } = config.market;
  return archive === undefined ? SHIPPED_CANDLES : path.resolve(directory, archive);
}

/**
 * Lists the instruments of the exchange.
 *
 * @throws {ConfigError} `E_CONFIG_PAIR` for a symbol whose base and quote are not clear, `E_DATA_ARCHIVE` without the archive, `E_DATA_MISSING` for an
 * instrument without stored candles.
 */
export async function listInstruments(
  loaded: LoadedExchangeConfig,
  archive: Archive,
): Promise<readonly ExchangeListing[]> {
  const { market } = loaded.config;
  const stored = await storedCandles(loaded, archive);
  const pairs = await listPairs(loaded, archive, stored);
  const contracts = market.contracts ?? (market.archive === undefined ? SHIPPED_CONTRACTS : {});
  const listings = [...pairs];
  for (const [symbol, terms] of Object.entries(contracts)) {
    const instrument = contractOf(symbol, terms, loaded);
    const { id } = instrument;
    const { candlesOf } = terms;
    const rules = await rulesOf(loaded, archive, id);
    const source = candlesOf === undefined ? id : parseInstrumentId(candlesOf);
    const place = [
      'market',
      'contracts',
      symbol,
      ...(candlesOf === undefined ? [] : ['candlesOf']),
    ];
    requireStored(source, place, { loaded, stored });
    listings.push({ instrument, rules, candlesOf: source });
  }
  requireListedRules(loaded, listings);
  return listings;
}

interface Stored {
  readonly loaded: LoadedExchangeConfig;
  /** Instruments with stored candles. */
  readonly stored: ReadonlySet<InstrumentId>;
}

function requireStored(id: InstrumentId, place: Place, { loaded, stored }: Stored): void {
  if (stored.has(id)) return;
  throw problemAt(loaded, place, 'E_DATA_MISSING', {
    expected: `candles of one of ${[...stored].join(', ')}`,
    received: `${id}, of which ${archiveFolder(loaded)} has none`,
  });
}

/**
 * Lists the instruments of an exchange with synthetic candles. A contract follows the pair of its `candlesOf`, or a pair with its own base.
 *
 * @throws {ConfigError} `E_CONFIG_PAIR` as {@link listInstruments}, and for a contract without such a pair; `E_CONFIG_VALUE` for a key that is for stored
 * candles.
 */
export function listSynthetic(loaded: LoadedExchangeConfig): readonly SyntheticListing[] {
  refuseStoredKeys(loaded);
  const { synthetic, contracts = SHIPPED_CONTRACTS } = loaded.config.market;
  const listings = new Map<InstrumentId, SyntheticListing>();
  for (const [symbol, pair] of Object.entries(synthetic?.pairs ?? STANDARD_PAIRS)) {
    const instrument = pairInstrument(symbol, ['market', 'synthetic', 'pairs', symbol], loaded);
    const made = {
      startPrice: fixedToNumber(pair.price),
      volatility: fixedToNumber(pair.volatility),
      dailyVolume: fixedToNumber(pair.dailyVolume),
    };
    const rules = givenRules(loaded, instrument.id) ?? STANDARD_PAIR_RULES;
    listings.set(instrument.id, { instrument, rules, made });
  }
  const pairs = [...listings.values()];
  for (const [symbol, terms] of Object.entries(contracts)) {
    const instrument = contractOf(symbol, terms, loaded);
    const { id, base, quote } = instrument;
    const pair = pairs.find(({ instrument: candidate }) =>
      terms.candlesOf === undefined ? candidate.base === base : candidate.id === terms.candlesOf,
    );
    if (pair === undefined) {
      throw problemAt(loaded, ['market', 'contracts', symbol], 'E_CONFIG_PAIR', {
        expected: 'a contract on a pair that is made',
        received: terms.candlesOf ?? `${base}/${quote}`,
      });
    }
    const rules = givenRules(loaded, id) ?? STANDARD_CONTRACT_RULES;
    const { startPrice, dailyVolume } = pair.made;
    const inMoney = instrument.contract === 'linear' ? 1 : startPrice;
    listings.set(id, {
      instrument,
      rules: { ...rules, quantityPrecision: 0 },
      made: {
        ...pair.made,
        like: pair.instrument.id,
        dailyVolume: (dailyVolume * inMoney) / fixedToNumber(instrument.multiplier),
      },
    });
  }
  requireListedRules(loaded, [...listings.values()]);
  return [...listings.values()];
}

/** What to write beside `market.synthetic` instead of each key that is for stored candles. */
const STORED_KEYS = {
  archive: 'no folder beside market.synthetic, whose candles are made',
  spot: 'no list beside market.synthetic: its pairs are in market.synthetic.pairs',
} as const;

function refuseStoredKeys(loaded: LoadedExchangeConfig): void {
  for (const key of ['archive', 'spot'] as const) {
    const written = loaded.config.market[key];
    if (written === undefined) continue;
    throw problemAt(loaded, ['market', key], 'E_CONFIG_VALUE', {
      expected: STORED_KEYS[key],
      received: JSON.stringify(written),
    });
  }
}

/**
 * Finds the value of the exchange's file that the generator rejects.
 *
 * @param listings - those of {@link listSynthetic}.
 */
export function syntheticProblem(
  error: SynthError,
  loaded: LoadedExchangeConfig,
  listings: readonly SyntheticListing[],
): Error {
  const { option, instrumentId, expected, received } = error.problem;
  const at = (place: Place, wanted: string): Error =>
    problemAt(loaded, place, error.code, { expected: wanted, received });
  const listing = listings.find(({ instrument }) => instrument.id === instrumentId);
  if (listing === undefined) return at(['market', 'synthetic', 'pairs'], 'at least one pair');
  const { kind, id, symbol } = listing.instrument;
  if (option === 'pricePrecision' || option === 'quantityPrecision') {
    const name = loaded.config.market.rules[id] === undefined ? symbol : id;
    return at(['market', 'rules', name, option], `a number ${expected} for synthetic candles`);
  }
  if (kind === 'futures')
    return at(
      ['market', 'contracts', symbol, 'multiplier'],
      `a daily volume ${expected} contracts`,
    );
  const key = option === 'startPrice' ? 'price' : option;
  return at(['market', 'synthetic', 'pairs', symbol, key], `a number ${expected}`);
}

function contractOf(
  symbol: string,
  { contract, multiplier }: Contracts[string],
  loaded: LoadedExchangeConfig,
): FuturesInstrument {
  const { base, quote } = pairOf(symbol, ['market', 'contracts', symbol], loaded);
  const id = createInstrumentId('futures', symbol);
  return {
    ...({ kind: 'futures', id, symbol, base, quote, contract, multiplier } as const),
    marginAsset: contract === 'linear' ? quote : base,
    // The listed leverage and mode. The settings of an account take precedence.
    leverage: parseFixed('5'),
    marginMode: 'isolated',
  };
}

function pairInstrument(
  symbol: string,
  place: Place,
  loaded: LoadedExchangeConfig,
): SpotInstrument {
  const { base, quote } = pairOf(symbol, place, loaded);
  return { kind: 'spot', id: createInstrumentId('spot', symbol), symbol, base, quote };
}

async function listPairs(
  loaded: LoadedExchangeConfig,
  archive: Archive,
  stored: ReadonlySet<InstrumentId>,
): Promise<readonly ExchangeListing[]> {
  const symbols = loaded.config.market.spot ?? storedPairs(stored);
  const listings: ExchangeListing[] = [];
  for (const [index, symbol] of symbols.entries()) {
    const place = ['market', 'spot', index];
    const instrument = pairInstrument(symbol, place, loaded);
    const { id } = instrument;
    requireStored(id, place, { loaded, stored });
    const rules = await rulesOf(loaded, archive, id);
    listings.push({ instrument, rules, candlesOf: id });
  }
  return listings;
}

async function storedCandles(
  loaded: LoadedExchangeConfig,
  archive: Archive,
): Promise<ReadonlySet<InstrumentId>> {
  const entries = await archive.list().catch((error: unknown) => {
    if (!(error instanceof DataError) || error.code !== 'E_DATA_ARCHIVE') throw error;
    const problem = { expected: 'a folder of stored candles', received: archiveFolder(loaded) };
    throw problemAt(loaded, ['market', 'archive'], error.code, problem);
  });
  return new Set(entries.map(({ key }) => key.instrumentId));
}

function storedPairs(stored: ReadonlySet<InstrumentId>): readonly string[] {
  return [...stored]
    .map(splitInstrumentId)
    .filter(({ kind }) => kind === 'spot')
    .map(({ symbol }) => symbol);
}

function pairOf(symbol: string, place: Place, loaded: LoadedExchangeConfig): AssetPair {
  // The name of a contract begins with a letter for its kind: E-BTC-USDT, I-BTC-USD.
  const [, base, quote, ...rest] = symbol.split('-');
  if (base !== undefined && quote !== undefined && rest.length === 0) return { base, quote };
  const readings = splitSymbol(symbol);
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return only;
  const expected = 'a symbol that names its base and quote';
  const received = `"${symbol}"`;
  throw problemAt(loaded, place, 'E_CONFIG_PAIR', { expected, received });
}

/** @throws {ConfigError} `E_CONFIG_VALUE` for rules of an instrument that is not listed: a typing error would leave the instrument with standard rules. */
function requireListedRules(
  loaded: LoadedExchangeConfig,
  listings: readonly Pick<ExchangeListing, 'instrument'>[],
): void {
  const symbols = listings.map(({ instrument: { symbol } }) => symbol);
  const known = [...symbols, ...listings.map(({ instrument: { id } }) => id)];
  for (const name of Object.keys(loaded.config.market.rules)) {
    if (known.includes(name)) continue;
    const meant = suggestWord(name, known);
    throw problemAt(loaded, ['market', 'rules', name], 'E_CONFIG_VALUE', {
      expected: `one of the listed instruments ${symbols.join(', ')}`,
      received: `"${name}"`,
      suggestion: meant === undefined ? undefined : `did you mean "${meant}"?`,
    });
  }
}

/** Rules that the config gives, by id or by symbol. */
function givenRules(
  { config }: LoadedExchangeConfig,
  id: InstrumentId,
): InstrumentRules | undefined {
  return config.market.rules[id] ?? config.market.rules[splitInstrumentId(id).symbol];
}

/** Rules of the config; otherwise those of the archive with their dates; otherwise the standard ones. */
async function rulesOf(
  loaded: LoadedExchangeConfig,
  archive: Archive,
  id: InstrumentId,
): Promise<readonly DatedRules[]> {
  const isContract = splitInstrumentId(id).kind === 'futures';
  const given = givenRules(loaded, id);
  const stored = given === undefined ? await archive.rules(id) : [{ from: 0, rules: given }];
  const standard = isContract ? STANDARD_CONTRACT_RULES : STANDARD_PAIR_RULES;
  const dated = stored.length === 0 ? [{ from: 0, rules: standard }] : stored;
  // Quantities of contracts are whole numbers.
  return isContract
    ? dated.map(({ from, rules }) => ({ from, rules: { ...rules, quantityPrecision: 0 } }))
    : dated;
}
