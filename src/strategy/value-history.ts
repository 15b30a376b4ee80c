import { DomainError } from '../domain/index.js';

/** Something that has a value with each candle. */
interface Valued {
  readonly value: number;
  readonly previous: number;
}

const MOST_KEPT = 1_000_000;

/** The last `length` values of a line; NaN for candles without a value. */
class ValueHistory {
  readonly #values: Float64Array;
  #newest = 0;

  constructor(length: number) {
    this.#values = new Float64Array(length).fill(Number.NaN);
  }

  get length(): number {
    return this.#values.length;
  }

  push(value: number): void {
    this.#newest = this.#newest + 1 === this.#values.length ? 0 : this.#newest + 1;
    this.#values[this.#newest] = value;
  }

  /** The value `candles` candles before the newest. */
  back(candles: number): number {
    const index = this.#newest - candles;
    return this.#values[index < 0 ? index + this.#values.length : index] as number;
  }
}

/** Histories of the lines with a `keep` option. Kept outside the lines, so that lines without a history stay small. */
const HISTORIES = new WeakMap<Valued, ValueHistory>();

/**
 * Returns an earlier value of a line: 0 gives the newest, -1 the value one candle before.
 *
 * @throws {DomainError} `E_INDICATOR_HISTORY` if the offset is not a whole number up to 0, or the value is not kept.
 */
export function valueAt(line: Valued, offset: number): number {
  if (offset === 0) return line.value;
  if (offset === -1) return line.previous;
  const candles = checkOffset(offset);
  const history = HISTORIES.get(line);
  if (history !== undefined && candles < history.length) return history.back(candles);
  const most = history === undefined ? 2 : Math.max(2, history.length);
  throw new DomainError(
    'E_INDICATOR_HISTORY',
    `at(${String(offset)}) is farther back than the ${String(most)} values that are kept: write this.indicator(…, { keep: ${String(candles + 1)} })`,
  );
}

/** Returns the number of candles before the newest. */
export function checkOffset(offset: number): number {
  if (Number.isSafeInteger(offset) && offset <= 0) return -offset;
  throw new DomainError(
    'E_INDICATOR_HISTORY',
    `expected at(0) for the newest, at(-1) for the one before it and so on, received at(${String(offset)})`,
  );
}

/** Checks a number of values or candles to keep. */
export function checkKept(kept: number, name: string): void {
  if (Number.isSafeInteger(kept) && kept >= 1 && kept <= MOST_KEPT) return;
  throw new DomainError(
    'E_INDICATOR_HISTORY',
    `expected ${name} to be a whole number from 1 to ${String(MOST_KEPT)}, received ${String(kept)}`,
  );
}

/** Keeps the last values of lines. It is updated with each candle like an indicator, after the indicator that owns the lines. */
export class ValueRecorder {
  readonly lookback: number;
  readonly convergence: number;
  readonly #lines: readonly Valued[];
  readonly #histories: readonly ValueHistory[];

  /** `lookback`: candles before the first values of the lines; `convergence`: see `AnyIndicator.convergence`. */
  constructor(
    lines: readonly Valued[],
    kept: number,
    { lookback, convergence }: { readonly lookback: number; readonly convergence: number },
  ) {
    checkKept(kept, 'keep');
    this.lookback = lookback + kept - 1;
    this.convergence = convergence;
    this.#lines = lines;
    this.#histories = lines.map((line) => {
      const history = new ValueHistory(kept);
      HISTORIES.set(line, history);
      return history;
    });
  }

  update(): void {
    const histories = this.#histories;
    for (let index = 0; index < histories.length; index += 1)
      (histories[index] as ValueHistory).push((this.#lines[index] as Valued).value);
  }
}
