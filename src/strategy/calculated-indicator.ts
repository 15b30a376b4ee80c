import type { Candle } from '../domain/index.js';
import type { Recipe } from './calculation.js';
import { IndicatorFeed } from './indicator-feed.js';
import { Indicator, type AnyIndicator } from './indicator.js';

/** Which feed an indicator shows the values of. Kept beside them: from an indicator itself nothing leads to its feed, which knows what is yet to come. */
const FEEDS = new WeakMap<AnyIndicator, IndicatorFeed>();

/**
 * An indicator whose values the engine may look up instead of having them computed. Not for plugins. It shows its present and its previous
 * value, and holds nothing else that can be read.
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

  /** Not asked: {@link update} does it all. */
  protected override next(): number {
    return this.value;
  }
}

/** The feed of one of our indicators; undefined of others. */
export function feedOf(indicator: AnyIndicator): IndicatorFeed | undefined {
  return FEEDS.get(indicator);
}
