import { formatRules, formatTier } from '../../archive/index.js';
import { formatUtc, type DatedRules, type DatedTiers } from '../../domain/index.js';
import { stringify } from 'yaml';

/** Formats of exported rules and tiers. */
export type RecordFormat = 'yaml' | 'json';

/** Writes the rules of one symbol in the layout that `parseRulesLayout` reads. */
export function writeRulesLayout(
  symbol: string,
  entries: readonly DatedRules[],
  format: RecordFormat,
): string {
  const records = entries.map(({ from, rules }) => ({
    from: formatUtc(from),
    ...formatRules(rules),
  }));
  return writeText({ [symbol]: records }, format);
}

/** Writes the leverage tiers of one contract in the layout that `parseTiersLayout` reads. */
export function writeTiersLayout(
  symbol: string,
  entries: readonly DatedTiers[],
  format: RecordFormat,
): string {
  const records = entries.map(({ from, tiers }) => ({
    from: formatUtc(from),
    tiers: tiers.map(formatTier),
  }));
  return writeText({ [symbol]: records }, format);
}

function writeText(document: unknown, format: RecordFormat): string {
  return format === 'json' ? `${JSON.stringify(document, undefined, 2)}\n` : stringify(document);
}
