import type { Candle } from '../../domain/index.js';
import type { Recipe } from './calculation.js';
import { IndicatorFeed } from './indicator-feed.js';
import { Indicator, type AnyIndicator } from '../indicator.js';

/** The feed of each indicator. Kept outside the indicators, so that a strategy cannot reach a feed: it knows values of future candles. */
const FEEDS = new WeakMap<AnyIndicator, IndicatorFeed>();

/**
 * An indicator whose values the engine may look up instead of computing them. Not for plugins. Only its current and its previous value can
 * be read.
 */
export class CalculatedIndicator extends Indicator {
  readonly lookback: number;
  override readonly convergence: number;
  readonly #feed: IndicatorFeed;

  constructor(recipe: Recipe) {
    super();
    this.lookback = recipe.lookback;
    this.convergence = recipe.convergence ?? 0;
    this.#feed = new IndicatorFeed(recipe);
    FEEDS.set(this, this.#feed);
  }

  override get value(): number {
    return this.#feed.value;
  }

  override get previous(): number {
    return this.#feed.previous;
  }

  override update(candle: Candle): void {
    this.#feed.take(candle);
  }

  /** Never called, because {@link update} is overridden. */
  protected override next(): number {
    return this.value;
  }
}

/** The feed of a {@link CalculatedIndicator}; undefined for other indicators. */
export function feedOf(indicator: AnyIndicator): IndicatorFeed | undefined {
  return FEEDS.get(indicator);
}
