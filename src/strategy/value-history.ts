import { DomainError } from '../domain/index.js';

/** What has a value with each candle. */
interface Valued {
  readonly value: number;
  readonly previous: number;
}

const MOST_KEPT = 1_000_000;

/** The last values of a line, as many as were asked for; NaN where there has been none. */
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

  /** The value so many candles back. */
  back(candles: number): number {
    const index = this.#newest - candles;
    return this.#values[index < 0 ? index + this.#values.length : index] as number;
  }
}

/** Of the lines of which more than two values are kept. Beside them: those that nobody asked it of are as small as they were. */
const HISTORIES = new WeakMap<Valued, ValueHistory>();

/**
 * The value so many candles back: of 0 the newest, of -1 the one before.
 *
 * @throws {DomainError} `E_INDICATOR_HISTORY` for what is no whole number up to 0, and for more than is kept.
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

/** Candles back from the newest. */
export function checkOffset(offset: number): number {
  if (Number.isSafeInteger(offset) && offset <= 0) return -offset;
  throw new DomainError(
    'E_INDICATOR_HISTORY',
    `expected at(0) for the newest, at(-1) for the one before it and so on, received at(${String(offset)})`,
  );
}

/** Checks how many are to be kept. */
export function checkKept(kept: number, name: string): void {
  if (Number.isSafeInteger(kept) && kept >= 1 && kept <= MOST_KEPT) return;
  throw new DomainError(
    'E_INDICATOR_HISTORY',
    `expected ${name} to be a whole number from 1 to ${String(MOST_KEPT)}, received ${String(kept)}`,
  );
}

/** Keeps the last values of lines. It is fed as an indicator is, with each candle after the one that the lines are of. */
export class ValueRecorder {
  readonly lookback: number;
  readonly convergence: number;
  readonly #lines: readonly Valued[];
  readonly #histories: readonly ValueHistory[];

  /** `lookback`: candles before the lines have their first values; `convergence`: candles from then on until they have forgotten where they began. */
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
