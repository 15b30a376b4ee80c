import { DomainError, suggestWord, type Candle } from '../../domain/index.js';
import type { PriceSource } from '../indicator.js';
import { TickWindow } from './tick-window.js';

const PARTS: Readonly<Record<PriceSource, number>> = {
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  hl2: 2,
  hlc3: 3,
  ohlc4: 4,
  volume: 1,
};

/**
 * How many numbers of a candle a source averages.
 *
 * @throws {DomainError} `E_INDICATOR_OPTION` for a source that does not exist, because its values would be NaN for ever: a run does not check types.
 */
export function partsOf(source: PriceSource): number {
  if (Object.hasOwn(PARTS, source)) return PARTS[source];
  const sources = Object.keys(PARTS);
  const said: unknown = source;
  const meant = suggestWord(String(said), sources);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  throw new DomainError(
    'E_INDICATOR_OPTION',
    `expected a source among ${sources.join(', ')}, received "${String(said)}"${hint}`,
  );
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
