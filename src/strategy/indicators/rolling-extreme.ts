import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type PriceSource } from '../indicator.js';
import { SlidingExtreme } from './sliding-extreme.js';

/** What {@link highest} and {@link lowest} share. */
export class RollingExtreme extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #extreme: SlidingExtreme;
  readonly #source: PriceSource;

  constructor(period: number, kind: 'largest' | 'smallest', source: PriceSource) {
    super({
      name: `${kind} ${String(period)} ${source}`,
      isWindowed: true,
      isOfClose: source === 'close',
      create: () => new RollingExtreme(period, kind, source),
    });
    this.#extreme = new SlidingExtreme(period, kind);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    return this.#extreme.next(readSource(candle, this.#source));
  }
}
