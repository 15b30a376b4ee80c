import { feedOf } from './calculated-indicator.js';
import type { IndicatorFeed } from './indicator-feed.js';
import type { AnyIndicator } from '../indicator.js';
import type { IndicatorSeries } from './stored-series.js';

/** The parts of our composite indicators. Kept outside the indicators, so that a plugin cannot pretend to be one and receive a feed. */
const PARTS = new WeakMap<AnyIndicator, readonly AnyIndicator[]>();

/** Declares the parts of one of our indicators. The indicator must give each part every candle once. */
export function declareParts(indicator: AnyIndicator, parts: readonly AnyIndicator[]): void {
  PARTS.set(indicator, parts);
}

/** An indicator whose feed may show values by row. */
export interface Follower {
  readonly indicator: AnyIndicator;
  readonly feed: IndicatorFeed;
}

/** Announces to indicators all candles that they will probably receive, before the first one. Indicators without a feed are left out. */
export function precomputeSeries(
  indicators: readonly AnyIndicator[],
  series: IndicatorSeries,
): void {
  for (const feed of indicators.flatMap(feedsIn)) feed.follow(series);
}

/** Returns the indicators whose feed may show values by row. Parts of composite indicators do not count: they receive candles from the composite. */
export function followersAmong(indicators: readonly AnyIndicator[]): readonly Follower[] {
  return indicators.flatMap((indicator) => {
    const feed = feedOf(indicator);
    return feed?.mayLookUp === true ? [{ indicator, feed }] : [];
  });
}

/** Whether any of the indicators has received a number on no tick grid, so that its averages are not exact. */
export function hasStrays(indicators: readonly AnyIndicator[]): boolean {
  return indicators.flatMap(feedsIn).some((feed) => feed.hasStrays);
}

function feedsIn(indicator: AnyIndicator): readonly IndicatorFeed[] {
  const feed = feedOf(indicator);
  return feed === undefined ? (PARTS.get(indicator) ?? []).flatMap(feedsIn) : [feed];
}
