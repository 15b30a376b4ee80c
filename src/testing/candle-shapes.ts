import {
  A_NUMBER,
  A_TEXT,
  checkOptions,
  wholeFrom,
  type OptionCheck,
  type OptionChecks,
} from '../config/index.js';
import { DomainError, formatUtc, type EpochMs, type InstrumentId } from '../domain/index.js';
import { createRandom } from '../engine/index.js';

/** A candle for a test to play, with only the values that the test needs. Prices in quote per base, float64. */
export interface CandleShape {
  readonly close: number;
  /** @defaultValue the previous close; for the first candle its own close */
  readonly open?: number;
  /** @defaultValue the higher of open and close */
  readonly high?: number;
  /** @defaultValue the lower of open and close */
  readonly low?: number;
  /** In base; in contracts for a contract. @defaultValue 1000 */
  readonly volume?: number;
  /** Mark price at the close, for a contract. @defaultValue its close */
  readonly mark?: number;
}

/** Time passes without a candle. */
export const GAP = 'gap';
export type Gap = typeof GAP;

/** A candle for each instrument, by symbol or full id. An instrument that is left out has no candle. */
export type SliceShape = Readonly<Record<string, CandleShape>>;

/** Candles that a test plays within one candle's time. */
export type PlayedShape = CandleShape | SliceShape | Gap;

const DEFAULT_VOLUME = 1_000;

/** Candles that close at these prices, one after the other. @throws {UsageError} `E_USAGE` for something else than numbers. */
export function closes(...prices: readonly number[]): readonly CandleShape[] {
  for (const price of prices) requireNumbers('closes', { price });
  return prices.map((close) => ({ close }));
}

/** Makes `count` candles that stay at one price. @throws {UsageError} `E_USAGE` for something else than numbers. */
export function flat(count: number, price: number): readonly CandleShape[] {
  requireNumbers('flat', { count, price });
  return Array.from({ length: count }, () => ({ close: price, open: price }));
}

/**
 * Makes `count` candles that close at two prices in turn: indicators get values while the market goes nowhere.
 *
 * @throws {UsageError} `E_USAGE` for something else than numbers.
 */
export function wave(count: number, one: number, other: number): readonly CandleShape[] {
  requireNumbers('wave', { count, one, other });
  return Array.from({ length: count }, (_, index) => ({ close: index % 2 === 0 ? one : other }));
}

const COUNT: OptionCheck = { ...wholeFrom(0), isRequired: true };
const PRICE: OptionCheck = { ...A_NUMBER, isRequired: true };

/** A wrong count would make no candles, and a wrong price candles that fail later. @throws {UsageError} `E_USAGE` */
function requireNumbers(name: string, given: Readonly<Record<string, unknown>>): void {
  const checks = Object.keys(given).map((key) => [key, key === 'count' ? COUNT : PRICE] as const);
  checkOptions(given, Object.fromEntries(checks), name);
}

/**
 * Makes candles from marbles: each letter is a candle that closes at its price, each `-` is a {@link GAP}; spaces are ignored.
 *
 * @throws {DomainError} `E_TEST_MARBLES` for a letter without a price; {UsageError} `E_USAGE` for marbles that are no text, or prices that are no
 * object.
 * @example candlesOf('aab-c', { a: 100, b: 101, c: 99 })
 */
export function candlesOf(
  marbles: string,
  prices: Readonly<Record<string, number>>,
): readonly (CandleShape | Gap)[] {
  checkOptions({ marbles, prices }, MARBLES);
  return marbles
    .replaceAll(' ', '')
    .split('')
    .map((letter) => {
      if (letter === '-') return GAP;
      const close = prices[letter];
      if (close !== undefined) return { close };
      const known = Object.keys(prices).join(', ');
      throw new DomainError(
        'E_TEST_MARBLES',
        `marbles "${marbles}": expected - or one of ${known}, received "${letter}"`,
      );
    });
}

const MARBLES: OptionChecks<{ readonly marbles: unknown; readonly prices: unknown }> = {
  marbles: { ...A_TEXT, isRequired: true },
  prices: {
    expected: 'an object such as { a: 100, b: 101 }',
    accepts: (value) => typeof value === 'object' && value !== null,
    isRequired: true,
  },
};

export interface WalkOptions {
  /** Number of candles. */
  readonly length: number;
  /** The same seed gives the same candles. @defaultValue 1 */
  readonly seed?: number;
  /** Open of the first candle. @defaultValue 100 */
  readonly start?: number;
  /** Largest distance of a close from the previous close, as a ratio. @defaultValue 0.01 */
  readonly step?: number;
}

const WALK: OptionChecks<WalkOptions> = {
  length: { ...wholeFrom(1), isRequired: true },
  ...{ seed: A_NUMBER, start: A_NUMBER, step: A_NUMBER },
};

/**
 * Candles of a seeded random walk, with prices of two decimals.
 *
 * @throws {UsageError} `E_USAGE` for an unknown or wrong option.
 */
export function walk(options: WalkOptions): readonly CandleShape[] {
  checkOptions(options, WALK, 'walk');
  const { length, seed = 1, start = 100, step = 0.01 } = options;
  const random = createRandom(seed);
  const cents = (price: number): number => Math.max(1, Math.round(price * 100)) / 100;
  let last = start;
  return Array.from({ length }, () => {
    const open = last;
    const close = cents(open * (1 + step * (2 * random() - 1)));
    const reach = step * random() * 0.5;
    const high = Math.max(open, close, cents(Math.max(open, close) * (1 + reach)));
    const low = Math.min(open, close, cents(Math.min(open, close) * (1 - reach)));
    last = close;
    return { open, high, low, close, volume: Math.round(random() * 100_000) / 100 };
  });
}

/** Returns the candles of one time by instrument. `resolve` finds an instrument by name; without a name, the first one. */
export function shapesBy(
  played: PlayedShape,
  resolve: (name?: string) => InstrumentId,
): ReadonlyMap<InstrumentId, CandleShape> {
  if (played === GAP) return new Map();
  if (isShape(played)) return new Map([[resolve(), checkedShape(played)]]);
  return new Map(
    Object.entries(played).map(([name, shape]) => [resolve(name), checkedShape(shape)]),
  );
}

/** @throws {DomainError} `E_TEST_CANDLE` for what is neither a candle nor a mapping of candles. */
function isShape(played: CandleShape | SliceShape): played is CandleShape {
  const given: unknown = played;
  if (typeof given !== 'object' || given === null) throw noCandle(JSON.stringify(given));
  return 'close' in given && typeof given.close !== 'object';
}

const SHAPE_KEYS: readonly string[] = ['open', 'high', 'low', 'close', 'volume', 'mark'];

/** A misspelled key would leave its value at the default. */
function checkedShape(shape: CandleShape): CandleShape {
  const given: unknown = shape;
  if (typeof given !== 'object' || given === null) throw noCandle(JSON.stringify(given));
  for (const [key, value] of Object.entries(given)) {
    if (!SHAPE_KEYS.includes(key)) throw noCandle(`the key "${key}"`);
    if (value !== undefined && typeof value !== 'number')
      throw noCandle(`${JSON.stringify(value)} as ${key}`);
  }
  return shape;
}

function noCandle(received: string | undefined): DomainError {
  return new DomainError(
    'E_TEST_CANDLE',
    `expected GAP or a candle with numbers of ${SHAPE_KEYS.join(', ')}, such as { close: 100 } or closes(100, 101), received ${String(received)}`,
  );
}

/** Fills in the missing values of a shape. `before`: the previous close. @throws {DomainError} `E_TEST_CANDLE` */
export function completeShape(
  shape: CandleShape,
  before: number | undefined,
  at: EpochMs,
): Required<CandleShape> {
  const { close } = shape;
  const open = shape.open ?? before ?? close;
  const {
    high = Math.max(open, close),
    low = Math.min(open, close),
    volume = DEFAULT_VOLUME,
    mark = close,
  } = shape;
  const isWhole =
    low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && volume >= 0;
  if (isWhole && Number.isFinite(high + volume) && mark > 0)
    return { open, high, low, close, volume, mark };
  throw new DomainError(
    'E_TEST_CANDLE',
    `the candle at ${formatUtc(at)}: expected 0 < low ≤ open, close ≤ high, volume ≥ 0 and mark > 0, received ${JSON.stringify({ open, high, low, close, volume, mark })}`,
  );
}
