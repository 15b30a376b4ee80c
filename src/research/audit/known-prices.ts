import { nounOf } from '../../domain/index.js';
import type { SnapshotSeries } from '../trials/market-snapshot.js';

/** A file of a plugin, with the name that the user knows. */
export interface PluginText {
  readonly file: string;
  readonly text: string;
}

/** Fewer matching closes of one series may be chance. */
const LEAST_CLOSES = 20;
/** A number with fewer digits may equal a price by chance. */
const LEAST_DIGITS = 4;
const NUMBER = /(?<![\w.])\d+(?:\.\d+)?/g;

/**
 * Finds files of a plugin that contain closes of the market on which it is tested. Such a strategy may know the future. Runs with another future do not show
 * it, because the prices in the file do not change.
 */
export function findKnownPrices(
  texts: readonly PluginText[],
  series: readonly SnapshotSeries[],
): readonly string[] {
  return texts.flatMap(({ file, text }) => {
    const numbers = numbersIn(text);
    if (numbers.size < LEAST_CLOSES) return [];
    return series.flatMap(({ info, columns }) => {
      const known = new Set(columns.close.filter((close) => numbers.has(close))).size;
      if (known < LEAST_CLOSES || known < numbers.size / 4) return [];
      return [
        `${file} holds ${String(known)} ${nounOf(known, 'close')} of ${info.instrumentId} ${info.interval}: with these it may know what comes, whatever future it is shown (E_AUDIT_PRICES)`,
      ];
    });
  });
}

function numbersIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [number] of text.matchAll(NUMBER))
    if (number.replace('.', '').length >= LEAST_DIGITS) found.add(Number(number));
  return found;
}
