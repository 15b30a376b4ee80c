import { feedOf } from './calculated-indicator.js';
import type { IndicatorFeed } from './indicator-feed.js';
import type { AnyIndicator } from './indicator.js';
import type { IndicatorSeries } from './stored-series.js';

/** What the composite ones of our indicators are made of. Beside them, not in them: a plugin must not pass for one and be handed a feed. */
const PARTS = new WeakMap<AnyIndicator, readonly AnyIndicator[]>();

/** Says which indicators one of ours is made of. It gives each of them every candle once. */
export function declareParts(indicator: AnyIndicator, parts: readonly AnyIndicator[]): void {
  PARTS.set(indicator, parts);
}

/** An indicator that may be shown rows by its feed. */
export interface Follower {
  readonly indicator: AnyIndicator;
  readonly feed: IndicatorFeed;
}

/** Tells indicators all candles that they will probably be given, before the first. Those that look nothing up do not hear it. */
export function precomputeSeries(
  indicators: readonly AnyIndicator[],
  series: IndicatorSeries,
): void {
  for (const feed of indicators.flatMap(feedsIn)) feed.follow(series);
}

/** Those that may be shown rows by their feed: not those that another indicator is made of, which gives them its candles. */
export function followersAmong(indicators: readonly AnyIndicator[]): readonly Follower[] {
  return indicators.flatMap((indicator) => {
    const feed = feedOf(indicator);
    return feed?.mayLookUp === true ? [{ indicator, feed }] : [];
  });
}

/** Whether any of the indicators has met numbers that lie on no tick grid, so that its averages are not exact. */
export function hasStrays(indicators: readonly AnyIndicator[]): boolean {
  return indicators.flatMap(feedsIn).some((feed) => feed.hasStrays);
}

function feedsIn(indicator: AnyIndicator): readonly IndicatorFeed[] {
  const feed = feedOf(indicator);
  return feed === undefined ? (PARTS.get(indicator) ?? []).flatMap(feedsIn) : [feed];
}
