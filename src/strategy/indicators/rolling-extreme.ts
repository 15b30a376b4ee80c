import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { SlidingExtreme, type ExtremeKind } from './sliding-extreme.js';
import { SourceReader } from './source-reader.js';

class RollingExtreme implements Calculation {
  readonly #extreme: SlidingExtreme;
  readonly #reader: SourceReader;

  constructor(period: number, kind: ExtremeKind, source: PriceSource) {
    this.#extreme = new SlidingExtreme(period, kind);
    this.#reader = new SourceReader(source);
  }

  get strays(): number {
    return this.#reader.strays;
  }

  next(candle: Candle): number {
    return this.#extreme.next(this.#reader.read(candle));
  }
}

/** The common implementation of {@link highest} and {@link lowest}. */
export function rollingExtreme(period: number, kind: ExtremeKind, source: PriceSource): Indicator {
  return new CalculatedIndicator({
    name: `${kind} ${String(period)} ${source}`,
    lookback: period - 1,
    isWindowed: true,
    isOfClose: source === 'close',
    create: () => new RollingExtreme(period, kind, source),
  });
}
