import {
  formatFixed,
  maxFixed,
  minFixed,
  nounOf,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import { countText } from './figure-text.js';
import type { Result } from '../result/result-schema.js';
import type { RunRecord } from '../run-record.js';

type Ribbon = NonNullable<Result['bounds']['ribbon']>;

/** Lowest and highest equity at each day end over runs of the same inputs on different paths. */
export class EquityRibbon {
  readonly #days = new Map<EpochMs, { low: Fixed; high: Fixed }>();
  #runs = 0;

  add({ run, initialEquity, dayEquity }: RunRecord): void {
    this.#runs += 1;
    this.#widen(run.from, initialEquity);
    for (const [index, equity] of dayEquity.equity.entries())
      this.#widen(dayEquity.time[index] as EpochMs, equity);
  }

  #widen(time: EpochMs, equity: Fixed): void {
    const day = this.#days.get(time);
    if (day === undefined) this.#days.set(time, { low: equity, high: equity });
    else {
      day.low = minFixed(day.low, equity);
      day.high = maxFixed(day.high, equity);
    }
  }

  /** Undefined without runs. */
  finish(): Ribbon | undefined {
    if (this.#runs === 0) return undefined;
    const points = [...this.#days].sort(([a], [b]) => a - b);
    return {
      text: `The lowest and highest equity at each day end of ${countText(this.#runs)} ${nounOf(this.#runs, 'run')} that went to their end; runs that came to where another had been ended there.`,
      points: points.map(
        ([time, { low, high }]) => [time, formatFixed(low), formatFixed(high)] as const,
      ),
    };
  }
}
