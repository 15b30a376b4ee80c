import { formatUtc, type EpochMs } from '../../domain/index.js';
import type { InstrumentConfig } from '../../config/index.js';
import type { MarketTerms } from './load-terms.js';

/** Notices for a result about stored rules that are used for candles from before the rules were seen, one line for each instrument. */
export function noticeEarlyRules(
  instruments: readonly Pick<InstrumentConfig, 'instrumentId' | 'symbol'>[],
  { stored }: Pick<MarketTerms, 'stored'>,
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
): readonly string[] {
  return instruments.flatMap(({ instrumentId, symbol }) => {
    const rules = stored.get(instrumentId)?.rules ?? [];
    if (rules.length === 0) return [];
    const seen = Math.min(...rules.map((entry) => entry.from));
    if (seen <= from) return [];
    const until = Math.min(seen, to);
    // For a part of one day, dates alone would say nothing.
    const named = dayOf(from) === dayOf(until) ? formatUtc : dayOf;
    return [
      `rules of ${symbol} are those seen on ${named(seen)}; used for ${named(from)} to ${named(until)}`,
    ];
  });
}

const dayOf = (time: EpochMs): string => formatUtc(time).slice(0, 10);
