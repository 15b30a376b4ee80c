import { DomainError } from '../domain/index.js';
import type { StrategyContext, StreamReference } from './context.js';
import { DerivedIndicator, type ValueSource } from './derived-indicator.js';
import { convergenceOfIndicator, Indicator, type AnyIndicator } from './indicator.js';
import { OutputLine, type IndicatorLine } from './indicators/output-line.js';
import { reserveUpdates } from './engine-updates.js';
import { requireKeys, shownType } from './option-keys.js';
import { ValueRecorder } from './value-history.js';

/** The input of an indicator, and how many of its values are kept. */
export interface IndicatorOptions extends StreamReference {
  /**
   * The input instead of prices: an indicator that this strategy has made with `this.indicator`, or a line of one. The stream of that indicator is used
   * here too. @defaultValue the candles of the stream
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

/** The indicators of a strategy in the order of their creation: each is updated after the indicators that it reads. */
export class AttachedIndicators {
  readonly #context: StrategyContext;
  readonly #attached: Attached[] = [];

  constructor(context: StrategyContext) {
    this.#context = context;
  }

  attach(indicator: AnyIndicator, options: IndicatorOptions): void {
    requireIndicator(indicator);
    this.#requireUnfed(indicator);
    requireKeys('this.indicator', options, ['instrument', 'interval', 'of', 'keep']);
    const { of, keep, ...named } = options;
    const context = this.#context;
    reserveUpdates(indicator);
    let fed = indicator;
    let stream: StreamReference = named;
    if (of !== undefined) {
      const source = this.#sourceOf(of, named);
      fed = new DerivedIndicator(indicator, source);
      ({ stream } = source);
    }
    const { lookback } = fed;
    const convergence = convergenceOfIndicator(fed);
    // Made first: if its constructor throws, nothing is attached.
    const recorder =
      keep === undefined
        ? undefined
        : new ValueRecorder(linesOf(indicator), keep, { lookback, convergence });
    context.attachIndicator(fed, stream);
    if (recorder !== undefined) context.attachIndicator(recorder, stream);
    this.#attached.push({ indicator, lookback, convergence, stream });
  }

  /** @throws {DomainError} `E_INDICATOR_OPTION` for an indicator of this strategy, or a line of one: it would be updated twice with each candle. */
  #requireUnfed(given: AnyIndicator): void {
    const isFed = this.#attached.some(
      ({ indicator }) => indicator === given || linesOf(indicator).includes(given as Line),
    );
    if (!isFed) return;
    throw new DomainError(
      'E_INDICATOR_OPTION',
      'this.indicator: expected an indicator that is not fed yet, received one that this strategy has: each candle would count twice; make another',
    );
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

/** A plugin in JavaScript may pass something else, such as `sma` without its period. */
function requireIndicator(given: unknown): void {
  const isIndicator =
    typeof given === 'object' &&
    given !== null &&
    'update' in given &&
    typeof given.update === 'function';
  if (isIndicator) return;
  throw new DomainError(
    'E_INDICATOR_OPTION',
    `this.indicator: expected an indicator such as sma(20), received ${shownType(given)}`,
  );
}

/** The lines of an indicator: the indicator itself, if it has a value, and those of its members that are lines. */
function linesOf(indicator: AnyIndicator): readonly Line[] {
  return [indicator, ...(Object.values(indicator) as unknown[])].filter(isLine);
}

function isLine(value: unknown): value is Line {
  return value instanceof Indicator || value instanceof OutputLine;
}
