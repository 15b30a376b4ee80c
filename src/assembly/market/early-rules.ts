import { formatUtc, type EpochMs } from '../../domain/index.js';
import type { InstrumentConfig } from '../../config/index.js';
import type { MarketTerms } from './load-terms.js';

/** What a result says of stored rules that serve candles from before the instant at which they were seen, one line for each instrument. */
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
    return [
      `rules of ${symbol} are those seen on ${dayOf(seen)}; used for ${dayOf(from)} to ${dayOf(Math.min(seen, to))}`,
    ];
  });
}

const dayOf = (time: EpochMs): string => formatUtc(time).slice(0, 10);
