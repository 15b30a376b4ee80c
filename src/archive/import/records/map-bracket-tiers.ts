import {
  DataError,
  FIXED_ZERO,
  formatFixed,
  type Fixed,
  type LeverageTier,
} from '../../../domain/index.js';
import { JsonObject } from './json-object.js';
import { findSymbol } from './find-symbol.js';

interface BracketTiersOptions {
  /** File that the JSON came from, for messages. */
  readonly path: string;
  /** The symbol as the file writes it, for example `BTC/USDT:USDT` or `BTCUSDT`. */
  readonly symbol: string;
}

/** Keys of a layout for the values of a tier. */
interface BracketNames {
  readonly floor: string;
  readonly cap: string;
  readonly leverage: string;
  readonly keepRate: string;
}

/** `{ "BTC/USDT:USDT": [{ "minNotional", "maxNotional", "maintenanceMarginRate", "maxLeverage" }] }` */
const BY_SYMBOL: BracketNames = {
  floor: 'minNotional',
  cap: 'maxNotional',
  leverage: 'maxLeverage',
  keepRate: 'maintenanceMarginRate',
};

/** `[{ "symbol": "BTCUSDT", "brackets": [{ "notionalFloor", "notionalCap", "maintMarginRatio", "initialLeverage" }] }]` */
const BRACKET_LIST: BracketNames = {
  floor: 'notionalFloor',
  cap: 'notionalCap',
  leverage: 'initialLeverage',
  keepRate: 'maintMarginRatio',
};

/**
 * Maps the leverage brackets of one contract to tiers, smallest first; undefined when the JSON is no list of brackets.
 *
 * @throws {DataError} `E_DATA_RECORD` naming file and key when the contract is absent, a number is not valid, or a bracket does not begin
 * where the one before it ends.
 */
export function mapBracketTiers(
  json: unknown,
  options: BracketTiersOptions,
): readonly LeverageTier[] | undefined {
  const open = (value: unknown, prefix: string): JsonObject =>
    new JsonObject(value, options.path, prefix);
  if (Array.isArray(json)) {
    const entries = open({ list: json }, '').objects('list');
    if (entries[0]?.has('brackets') !== true) return undefined;
    const entry = findSymbol(entries, (each) => each.text('symbol'), options);
    return readBrackets(entry.objects('brackets'), BRACKET_LIST, options);
  }
  if (!isBracketsBySymbol(json)) return undefined;
  const symbol = findSymbol(Object.keys(json), (each) => each, options);
  return readBrackets(open(json, '').objects(symbol), BY_SYMBOL, options);
}

function isBracketsBySymbol(json: unknown): json is Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null) return false;
  const lists: readonly unknown[] = Object.values(json);
  const bracket = firstOf(lists[0]);
  return typeof bracket === 'object' && bracket !== null && BY_SYMBOL.keepRate in bracket;
}

function firstOf(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const list: readonly unknown[] = value;
  return list[0];
}

function readBrackets(
  brackets: readonly JsonObject[],
  names: BracketNames,
  { path, symbol }: BracketTiersOptions,
): readonly LeverageTier[] {
  const sorted = brackets
    .map((bracket) => ({ bracket, floor: bracket.decimal(names.floor) }))
    .sort((a, b) => (a.floor < b.floor ? -1 : 1));
  let end: Fixed = FIXED_ZERO;
  const tiers = sorted.map(({ bracket, floor }): LeverageTier => {
    if (floor !== end)
      throw bracket.problem(names.floor, `${formatFixed(end)}, the end of the previous bracket`);
    end = bracket.decimal(names.cap);
    return {
      maxValue: end,
      maxLeverage: bracket.decimal(names.leverage),
      keepRate: bracket.decimal(names.keepRate),
    };
  });
  if (tiers.length > 0) return tiers;
  throw new DataError('E_DATA_RECORD', `${path}: ${symbol} has no bracket`);
}
