import { A_FUNCTION, checkOptions, wholeFrom, type OptionChecks } from '../../config/index.js';
import { HOUR_MS, parseInstrumentId, type Candle } from '../../domain/index.js';
import type { AnyIndicator } from '../../strategy/index.js';
import { completeShape, walk, type CandleShape } from '../candle-shapes.js';
import { broken, requireFactory, withFunctions, type ContractTest } from './contract-test.js';

/** Options of an indicator's contract. */
export interface IndicatorQuestions<I extends AnyIndicator> {
  /** Returns the numbers that the indicator shows. @defaultValue `value` of the indicator and of each of its lines */
  readonly values?: (indicator: I) => readonly number[];
  /** Number of candles of a seeded random walk. @defaultValue 500, or more until the indicator has converged */
  readonly candles?: number;
}

const QUESTIONS: OptionChecks<IndicatorQuestions<AnyIndicator>> = {
  ...{ values: A_FUNCTION, candles: wholeFrom(1) },
};

const START = Date.parse('2025-01-01T00:00:00Z');
/** Largest number of candles for an indicator that converges slowly. */
const MOST = 20_000;
/** Tolerance as a ratio of the largest value: the beginning keeps a weight of a billionth, and sums are rounded. */
const SAME = 1e-8;

/**
 * The contract of an indicator, which warm-up, restarts and searches rely on: its lookback is the number of candles before its first value, its declared
 * convergence is true, it shares no state with others, and it does not write to candles.
 *
 * @param create - makes an indicator that has not received a candle yet.
 * @throws {UsageError} `E_USAGE` for something else than a function, or unknown questions; {DomainError} `E_TEST_CONTRACT` if `create` makes no indicator.
 */
export function indicatorContract<I extends AnyIndicator>(
  create: () => I,
  questions: IndicatorQuestions<I> = {},
): readonly ContractTest[] {
  requireFactory('indicatorContract', create);
  checkOptions(questions, QUESTIONS, 'questions');
  const played = new PlayedIndicator(create, questions);
  return [
    {
      name: 'has its first value at the candle after its lookback, and NaN before',
      run: () => {
        played.beginsAfterLookback();
      },
    },
    {
      name: 'has a number at every later candle, also if prices do not move',
      run: () => {
        played.isFinite();
      },
    },
    {
      name: 'depends only on its own candles, not on other instances',
      run: () => {
        played.isAlone();
      },
    },
    {
      name: 'does not change candles',
      run: () => {
        played.leavesCandles();
      },
    },
    {
      name: 'forgets earlier candles as fast as its convergence declares',
      run: () => {
        played.forgets();
      },
    },
  ];
}

class PlayedIndicator<I extends AnyIndicator> {
  readonly #create: () => I;
  readonly #values: (indicator: I) => readonly number[];
  readonly #lookback: number;
  readonly #convergence: number;
  /** Number of candles after which the values no longer depend on the beginning. */
  readonly #settled: number;
  readonly #candles: readonly Candle[];

  constructor(create: () => I, { values = shownBy, candles }: IndicatorQuestions<I>) {
    const { lookback, convergence = 0 } = withFunctions(create(), 'update');
    this.#create = create;
    this.#values = values;
    this.#lookback = lookback;
    this.#convergence = convergence;
    this.#settled = lookback + (Number.isFinite(convergence) ? convergence : 0);
    const length = candles ?? Math.min(MOST, Math.max(500, 2 * this.#settled + 50));
    this.#candles = candlesOf(walk({ length }));
  }

  #play(candles: readonly Candle[]): readonly (readonly number[])[] {
    const indicator = this.#create();
    return candles.map((candle) => {
      indicator.update(candle);
      return this.#values(indicator);
    });
  }

  beginsAfterLookback(): void {
    const lookback = this.#lookback;
    if (!Number.isInteger(lookback) || lookback < 0)
      throw broken('a whole number of candles as lookback', String(lookback));
    const shown = this.#play(this.#candles);
    const first = shown.findIndex((numbers) => numbers.some((number) => !Number.isNaN(number)));
    const all = shown.findIndex((numbers) => numbers.every((number) => !Number.isNaN(number)));
    if (first === lookback && all === lookback) return;
    throw broken(
      `its first values with candle ${String(lookback + 1)}`,
      all < 0 ? 'none' : `values with candle ${String(first + 1)} to ${String(all + 1)}`,
    );
  }

  isFinite(): void {
    const still = Array.from({ length: this.#settled + 10 }, () => ({ close: 100, volume: 0 }));
    this.#requireNumbers(this.#candles, '');
    this.#requireNumbers(candlesOf(still), ' of a still market');
  }

  #requireNumbers(candles: readonly Candle[], where: string): void {
    const place = this.#play(candles).findIndex(
      (numbers, at) => at >= this.#lookback && !numbers.every(Number.isFinite),
    );
    if (place < 0) return;
    throw broken('finite numbers', `others with candle ${String(place + 1)}${where}`);
  }

  isAlone(): void {
    const expected = this.#play(this.#candles);
    const [one, other] = [this.#create(), this.#create()];
    const apart = candlesOf(walk({ length: this.#candles.length, seed: 2, start: 5_000 }));
    for (const [at, candle] of this.#candles.entries()) {
      one.update(candle);
      other.update(apart[at] ?? candle);
      const [shown, alone = []] = [this.#values(one), expected[at]];
      if (!shown.every((number, index) => Object.is(number, alone[index])))
        throw broken(
          `[${alone.join(', ')}] with candle ${String(at + 1)}, as alone`,
          `[${shown.join(', ')}] beside another one`,
        );
    }
  }

  leavesCandles(): void {
    try {
      this.#play(this.#candles.map((candle) => Object.freeze({ ...candle })));
    } catch (error: unknown) {
      throw broken('an update that does not change the candle', String(error));
    }
  }

  forgets(): void {
    const convergence = this.#convergence;
    if (!(convergence >= 0)) throw broken('at least 0 candles as convergence', String(convergence));
    if (convergence === Number.POSITIVE_INFINITY || this.#candles.length < this.#settled) return;
    const begun = { length: this.#lookback + 20, start: 1_000, step: 0.02 };
    const common = walk({ length: this.#settled + 2, seed: 7, start: 1_000 });
    const [one = [], other = []] = [1, 3].map(
      (seed) => this.#play(candlesOf([...walk({ ...begun, seed }), ...common])).at(-1) ?? [],
    );
    const distance = Math.max(
      ...one.map((number, index) => Math.abs(number - (other[index] ?? Number.NaN))),
    );
    if (distance <= SAME * Math.max(1, ...one.map(Math.abs))) return;
    throw broken(
      `equal values after ${String(this.#settled)} candles in common`,
      `values that differ by ${String(distance)}`,
    );
  }
}

/** The `value` of an indicator and of each field that is a line. */
function shownBy(indicator: AnyIndicator): readonly number[] {
  return [indicator, ...(Object.values(indicator) as unknown[])].flatMap((line) =>
    typeof line === 'object' && line !== null && 'value' in line && typeof line.value === 'number'
      ? [line.value]
      : [],
  );
}

function candlesOf(shapes: readonly CandleShape[]): readonly Candle[] {
  let before: number | undefined;
  return shapes.map((shape, index) => {
    const openTime = START + index * HOUR_MS;
    const { open, high, low, close, volume } = completeShape(shape, before, openTime);
    before = close;
    return {
      instrumentId: parseInstrumentId('spot:BTCUSDT'),
      interval: '1h',
      ...{ openTime, closeTime: openTime + HOUR_MS, open, high, low, close, volume },
    };
  });
}
