import type { Candle } from '../../domain/index.js';
import type { PriceSource } from '../indicator.js';
import { TickWindow } from './tick-window.js';

/** How many numbers of a candle a source averages. */
export function partsOf(source: PriceSource): number {
  switch (source) {
    case 'hl2':
      return 2;
    case 'hlc3':
      return 3;
    case 'ohlc4':
      return 4;
    case 'open':
    case 'high':
    case 'low':
    case 'close':
    case 'volume':
      return 1;
  }
}

/** Pushes the numbers of a candle that a source averages. */
export function pushSource(window: TickWindow, candle: Candle, source: PriceSource): void {
  switch (source) {
    case 'hl2':
    case 'hlc3':
      window.push(candle.high);
      window.push(candle.low);
      if (source === 'hlc3') window.push(candle.close);
      break;
    case 'ohlc4':
      window.push(candle.open);
      window.push(candle.high);
      window.push(candle.low);
      window.push(candle.close);
      break;
    case 'open':
    case 'high':
    case 'low':
    case 'close':
    case 'volume':
      window.push(readNumber(candle, source));
  }
}

/** Reads the input of an indicator from a candle. Means of prices are exact, so that equal means are equal numbers. */
export class SourceReader {
  readonly #source: PriceSource;
  readonly #parts: TickWindow;
  readonly #isMean: boolean;

  constructor(source: PriceSource) {
    this.#source = source;
    this.#parts = new TickWindow(partsOf(source));
    this.#isMean = partsOf(source) > 1;
  }

  /** See {@link TickWindow.strays}. */
  get strays(): number {
    return this.#parts.strays;
  }

  read(candle: Candle): number {
    if (!this.#isMean) return readNumber(candle, this.#source);
    pushSource(this.#parts, candle, this.#source);
    return this.#parts.mean();
  }
}

function readNumber(candle: Candle, source: PriceSource): number {
  // Close first, for speed: nearly all indicators read it, with every candle.
  return source === 'close' ? candle.close : candle[source as 'open' | 'high' | 'low' | 'volume'];
}
