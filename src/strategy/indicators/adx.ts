import type { Candle } from '../../domain/index.js';
import { Indicator } from '../indicator.js';
import { convergenceOf, wilderWeight } from './convergence.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { SmoothedAverage } from './smoothed-average.js';
import { trueRange } from './true-range.js';

/** Its value is the average directional index, 0 to 100: how strong the trend is, whichever its direction. */
export interface DirectionalMovement extends Indicator {
  /** Share of upward movement in the true range, in percent. */
  readonly plusDi: IndicatorLine;
  /** Share of downward movement in the true range, in percent. */
  readonly minusDi: IndicatorLine;
}

class AverageDirectionalIndex extends Indicator implements DirectionalMovement {
  readonly lookback: number;
  override readonly convergence: number;
  readonly plusDi = new OutputLine();
  readonly minusDi = new OutputLine();
  readonly #range = trueRange();
  readonly #averageUp: SmoothedAverage;
  readonly #averageDown: SmoothedAverage;
  readonly #averageRange: SmoothedAverage;
  readonly #averageIndex: SmoothedAverage;
  readonly #period: number;
  #count = 0;
  #high = Number.NaN;
  #low = Number.NaN;

  constructor(period: number) {
    super();
    this.#averageUp = SmoothedAverage.wilder(period);
    this.#averageDown = SmoothedAverage.wilder(period);
    this.#averageRange = SmoothedAverage.wilder(period);
    this.#averageIndex = SmoothedAverage.wilder(period);
    this.#period = period;
    this.lookback = 2 * period - 1;
    this.convergence = convergenceOf(wilderWeight(period), wilderWeight(period));
  }

  protected override next(candle: Candle): number {
    const up = candle.high - this.#high;
    const down = this.#low - candle.low;
    this.#high = candle.high;
    this.#low = candle.low;
    this.#range.update(candle);
    // The first candle has no move and no true range. It counts as 0 of each, because TA-Lib starts from period - 1 candles.
    const averageUp = this.#averageUp.next(up > 0 && up > down ? up : 0);
    const averageDown = this.#averageDown.next(down > 0 && down > up ? down : 0);
    const averageRange = this.#averageRange.next(this.#range.isReady ? this.#range.value : 0);
    if (this.#count < this.#period) {
      this.#count += 1;
      return this.#show(Number.NaN, Number.NaN, Number.NaN);
    }
    const plusDi = averageRange === 0 ? 0 : (100 * averageUp) / averageRange;
    const minusDi = averageRange === 0 ? 0 : (100 * averageDown) / averageRange;
    return this.#show(this.#strength(plusDi, minusDi), plusDi, minusDi);
  }

  #strength(plusDi: number, minusDi: number): number {
    const sum = plusDi + minusDi;
    // Without any movement there is no direction to measure, and the strength stays what it was.
    if (sum === 0 && this.isReady) return this.value;
    return this.#averageIndex.next(sum === 0 ? 0 : (100 * Math.abs(plusDi - minusDi)) / sum);
  }

  #show(strength: number, plusDi: number, minusDi: number): number {
    const isReady = !Number.isNaN(strength);
    this.plusDi.push(isReady ? plusDi : Number.NaN);
    this.minusDi.push(isReady ? minusDi : Number.NaN);
    return strength;
  }
}

/**
 * Wilder's average directional index with its two directional indicators; all start together, with the index.
 *
 * Equals TA-Lib's ADX, PLUS_DI and MINUS_DI from the first value of ADX. Own code, because trading-signals counts the first candle's
 * range too and starts one candle earlier.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function adx(period = 14): DirectionalMovement {
  return new AverageDirectionalIndex(period);
}
