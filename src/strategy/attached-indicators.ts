import { DomainError } from '../domain/index.js';
import type { StrategyContext, StreamReference } from './context.js';
import { DerivedIndicator, type ValueSource } from './derived-indicator.js';
import { convergenceOfIndicator, Indicator, type AnyIndicator } from './indicator.js';
import { OutputLine, type IndicatorLine } from './indicators/output-line.js';
import { ValueRecorder } from './value-history.js';

/** What an indicator is fed with, and how much of it is kept. */
export interface IndicatorOptions extends StreamReference {
  /**
   * What it is computed of in place of prices: an indicator that this strategy has made with `this.indicator`, or a line of one. Its stream is that of
   * the other. @defaultValue the candles of the stream
   */
  readonly of?: IndicatorLine | undefined;
  /** How many values `at` can read, the newest included. @defaultValue 2 */
  readonly keep?: number | undefined;
}

type Line = Indicator | OutputLine;

interface Attached extends Pick<ValueSource, 'lookback' | 'convergence'> {
  readonly indicator: AnyIndicator;
  readonly stream: StreamReference;
}

/** The indicators that a strategy has made, in order: each is fed after those that it is computed of. */
export class AttachedIndicators {
  readonly #context: StrategyContext;
  readonly #attached: Attached[] = [];

  constructor(context: StrategyContext) {
    this.#context = context;
  }

  attach(indicator: AnyIndicator, { of, keep, ...named }: IndicatorOptions): void {
    const context = this.#context;
    let fed = indicator;
    let stream: StreamReference = named;
    if (of !== undefined) {
      const source = this.#sourceOf(of, named);
      fed = new DerivedIndicator(indicator, source);
      ({ stream } = source);
    }
    const { lookback } = fed;
    const convergence = convergenceOfIndicator(fed);
    // Made first: where it is refused, nothing is attached.
    const recorder =
      keep === undefined
        ? undefined
        : new ValueRecorder(linesOf(indicator), keep, { lookback, convergence });
    context.attachIndicator(fed, stream);
    if (recorder !== undefined) context.attachIndicator(recorder, stream);
    this.#attached.push({ indicator, lookback, convergence, stream });
  }

  #sourceOf(line: IndicatorLine, named: StreamReference): ValueSource & Pick<Attached, 'stream'> {
    const owner = this.#attached.find(({ indicator }) => linesOf(indicator).includes(line as Line));
    if (owner === undefined) {
      throw new DomainError(
        'E_INDICATOR_SOURCE',
        'expected `of` to be an indicator that this.indicator(…) has made before, or a line of one such as this.macd.signal',
      );
    }
    if (named.instrument !== undefined || named.interval !== undefined) {
      throw new DomainError(
        'E_INDICATOR_SOURCE',
        'expected `of` without instrument and interval: an indicator is fed by the stream of what it is computed of',
      );
    }
    const { lookback, convergence, stream } = owner;
    return { line, lookback, convergence, stream };
  }
}

/** The lines of an indicator: itself, and those that it shows as its members. */
function linesOf(indicator: AnyIndicator): readonly Line[] {
  return [indicator, ...(Object.values(indicator) as unknown[])].filter(isLine);
}

function isLine(value: unknown): value is Line {
  return value instanceof Indicator || value instanceof OutputLine;
}
