import {
  DataError,
  divideCeil,
  divideFloor,
  FIXED_ONE,
  FIXED_ZERO,
  formatFixed,
  minFixed,
  resolveRules,
  stepOfPrecision,
  TradingError,
  type Fixed,
  type InstrumentRules,
  type ProductKind,
} from '../../../domain/index.js';
import { JsonObject } from './json-object.js';
import { findSymbol } from './find-symbol.js';

interface ExchangeRulesOptions {
  /** File that the JSON came from, for messages. */
  readonly path: string;
  /** The symbol as the file writes it. */
  readonly symbol: string;
  readonly product: ProductKind;
  /** Face value of one contract of ours, in base. @defaultValue the file's step of quantity */
  readonly multiplier?: Fixed | undefined;
}

/** Rules of one symbol, and the limits of the file that they cannot express. */
export interface MappedRules {
  readonly rules: InstrumentRules;
  /** Face value of one contract, the unit of quantities in `rules`; undefined for spot and margin, and if the file counts contracts itself. */
  readonly multiplier: Fixed | undefined;
  /** Limits of the file without a rule of ours, for example `PERCENT_PRICE`. */
  readonly unmapped: readonly string[];
}

/** Filters that map to rules of ours. Of the others only the name is kept. */
const MAPPED_FILTERS = [
  'PRICE_FILTER',
  'LOT_SIZE',
  'MARKET_LOT_SIZE',
  'NOTIONAL',
  'MIN_NOTIONAL',
  'MAX_NUM_ORDERS',
];

/**
 * Maps a symbol of an exchange-information document (`{ "symbols": [{ "symbol", "status", "filters": [...] }] }`) to rules; undefined
 * when the JSON is no such document.
 *
 * `tickSize` becomes `pricePrecision`, `stepSize` `quantityPrecision`, `minQty` `minOrderQuantity`, `maxQty` the maxima (of a market
 * order the smaller of both filters), the minimum notional `minOrderMoney`, the maximum number of orders `maxWorkingOrders`. A tick or
 * step must be a power of ten of at most 1. Quantities of futures in base become whole contracts: a minimum is rounded up, a maximum
 * down.
 * @throws {DataError} `E_DATA_RECORD` naming file and key when the symbol is absent or a limit cannot be mapped exactly.
 */
export function mapExchangeRules(
  json: unknown,
  options: ExchangeRulesOptions,
): MappedRules | undefined {
  if (typeof json !== 'object' || json === null || !('symbols' in json)) return undefined;
  const root = new JsonObject(json, options.path, '');
  const symbols = root.objects('symbols');
  const record = findSymbol(symbols, (entry) => entry.text('symbol'), options);
  const filters = new FilterList(record);
  const quantities = readQuantities(record, filters, options);
  const price = filters.require('PRICE_FILTER');
  const rules: InstrumentRules = {
    tradable: isTrading(record),
    pricePrecision: precisionOf(price, 'tickSize'),
    ...quantities.rules,
    ...readMoney(filters),
    ...readWorkingOrders(filters),
  };
  requireConsistent(rules, options);
  return { rules, multiplier: quantities.multiplier, unmapped: filters.unmapped() };
}

/** Contracts settled in coin have `contractStatus` instead. */
function isTrading(record: JsonObject): boolean {
  return record.text(record.has('status') ? 'status' : 'contractStatus') === 'TRADING';
}

/** The filters of a symbol by their names. */
class FilterList {
  readonly #record: JsonObject;
  readonly #filters: ReadonlyMap<string, JsonObject>;

  constructor(record: JsonObject) {
    this.#record = record;
    this.#filters = new Map(
      record.objects('filters').map((filter) => [filter.text('filterType'), filter]),
    );
  }

  get(name: string): JsonObject | undefined {
    return this.#filters.get(name);
  }

  require(name: string): JsonObject {
    const filter = this.#filters.get(name);
    if (filter === undefined) throw this.#record.problem('filters', `a filter ${name}`);
    return filter;
  }

  unmapped(): readonly string[] {
    const names = [...this.#filters.keys()].filter((name) => !MAPPED_FILTERS.includes(name));
    const price = this.require('PRICE_FILTER');
    const bounds = ['minPrice', 'maxPrice'].filter((key) => isSet(price, key));
    const money = this.#filters.get('NOTIONAL');
    const isLimitMoney = money !== undefined && isSet(money, 'maxNotional');
    return [
      ...bounds.map((key) => `${key} of PRICE_FILTER`),
      ...(isLimitMoney ? ['maxNotional of NOTIONAL for limit orders'] : []),
      ...names,
    ];
  }
}

function isSet(filter: JsonObject, key: string): boolean {
  return filter.has(key) && filter.decimal(key) > FIXED_ZERO;
}

interface Quantities {
  readonly rules: Pick<
    InstrumentRules,
    'quantityPrecision' | 'minOrderQuantity' | 'maxMarketQuantity' | 'maxLimitQuantity'
  >;
  readonly multiplier: Fixed | undefined;
}

function readQuantities(
  record: JsonObject,
  filters: FilterList,
  options: ExchangeRulesOptions,
): Quantities {
  const lot = filters.require('LOT_SIZE');
  const market = filters.get('MARKET_LOT_SIZE');
  const step = lot.decimal('stepSize');
  if (market !== undefined) requireSameLot(market, lot);
  const multiplier = contractSize(record, lot, options);
  const isContract = options.product === 'futures';
  const size = multiplier ?? FIXED_ONE;
  // Contracts are whole: if the file counts contracts, its step must be 1.
  if (isContract && multiplier === undefined && step !== FIXED_ONE) {
    throw lot.problem('stepSize', 'a step of 1, because quantities of the file are in contracts');
  }
  const minimum = divideCeil(lot.decimal('minQty') * FIXED_ONE, size);
  const maximum = divideFloor(lot.decimal('maxQty') * FIXED_ONE, size);
  const marketMaximum =
    market !== undefined && isSet(market, 'maxQty')
      ? minFixed(maximum, divideFloor(market.decimal('maxQty') * FIXED_ONE, size))
      : maximum;
  const whole = (quantity: Fixed, round: typeof divideCeil): Fixed =>
    isContract ? round(quantity, FIXED_ONE) * FIXED_ONE : quantity;
  return {
    rules: {
      quantityPrecision: isContract ? 0 : precisionOf(lot, 'stepSize'),
      ...(minimum > FIXED_ZERO && { minOrderQuantity: whole(minimum, divideCeil) }),
      ...(maximum > FIXED_ZERO && { maxLimitQuantity: whole(maximum, divideFloor) }),
      ...(marketMaximum > FIXED_ZERO && { maxMarketQuantity: whole(marketMaximum, divideFloor) }),
    },
    multiplier,
  };
}

/** A step or minimum of 0 means: as for limit orders. Others would need rules of their own. */
function requireSameLot(market: JsonObject, lot: JsonObject): void {
  for (const key of ['stepSize', 'minQty']) {
    if (!isSet(market, key) || market.decimal(key) === lot.decimal(key)) continue;
    const expected = `0, or ${formatFixed(lot.decimal(key))} as for limit orders`;
    throw market.problem(key, expected);
  }
}

/** Size of one contract in the file's unit of quantity; undefined if the file counts contracts itself, or the product is not futures. */
function contractSize(
  record: JsonObject,
  lot: JsonObject,
  { product, multiplier, path }: ExchangeRulesOptions,
): Fixed | undefined {
  if (product !== 'futures') return undefined;
  if (record.has('contractSize')) {
    const face = record.decimal('contractSize');
    if (multiplier === undefined || multiplier === face) return undefined;
    throw record.problem('contractSize', `the given multiplier ${formatFixed(multiplier)}`);
  }
  const step = lot.decimal('stepSize');
  if (step <= FIXED_ZERO) throw lot.problem('stepSize', 'a step above 0');
  const size = multiplier ?? step;
  if (size % step === FIXED_ZERO) return size;
  throw new DataError(
    'E_DATA_RECORD',
    `${path}: expected a multiplier that is a multiple of the step ${formatFixed(step)}, received ${formatFixed(size)}`,
  );
}

function readMoney(filters: FilterList): Pick<InstrumentRules, 'minOrderMoney' | 'maxMarketMoney'> {
  const filter = filters.get('NOTIONAL') ?? filters.get('MIN_NOTIONAL');
  if (filter === undefined) return {};
  const key = filter.has('minNotional') ? 'minNotional' : 'notional';
  const minimum = filter.decimal(key);
  const hasMaximum =
    isSet(filter, 'maxNotional') &&
    filter.has('applyMaxToMarket') &&
    filter.flag('applyMaxToMarket');
  return {
    ...(minimum > FIXED_ZERO && { minOrderMoney: minimum }),
    ...(hasMaximum && { maxMarketMoney: filter.decimal('maxNotional') }),
  };
}

function readWorkingOrders(filters: FilterList): Pick<InstrumentRules, 'maxWorkingOrders'> {
  const filter = filters.get('MAX_NUM_ORDERS');
  if (filter === undefined) return {};
  return { maxWorkingOrders: filter.count(filter.has('maxNumOrders') ? 'maxNumOrders' : 'limit') };
}

/** @throws {DataError} `E_DATA_RECORD` unless the step is 1, 0.1, 0.01, … */
function precisionOf(filter: JsonObject, key: string): number {
  const step = filter.decimal(key);
  for (let decimals = 0; decimals <= LARGEST_PRECISION; decimals += 1) {
    if (step === stepOfPrecision(decimals)) return decimals;
  }
  throw filter.problem(
    key,
    'a power of ten of at most 1, because the venue defines steps by decimals only',
  );
}

const LARGEST_PRECISION = 18;

function requireConsistent(rules: InstrumentRules, { path, symbol }: ExchangeRulesOptions): void {
  try {
    resolveRules(rules);
  } catch (error) {
    if (!(error instanceof TradingError)) throw error;
    throw new DataError('E_DATA_RECORD', `${path}: ${symbol}: ${error.message}`, { cause: error });
  }
}
