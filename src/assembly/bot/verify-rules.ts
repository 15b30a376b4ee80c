import {
  formatFixed,
  RULE_LIMITS,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
} from '../../domain/index.js';
import { readListings, type NamedInstrument } from '../../live/index.js';
import type { Listing, MarketDataSource } from '../../venue/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { MarketTerms } from '../market/load-terms.js';

/** How what a bot was tested with differs from what the venue lists. */
export interface ListingDifferences {
  /** Instruments that are not listed, or not tradable now: that may pass. */
  readonly closed: readonly ListingDifference[];
  /** Rules, and what contracts are. */
  readonly rules: readonly ListingDifference[];
}

export interface ListingDifference {
  readonly instrumentId: InstrumentId;
  /** What was tested is said by the rules of the instrument, or by its entry in the configuration. */
  readonly saidBy: 'rules' | 'instruments';
  readonly text: string;
}

/** What names the instruments of a configuration at the venue. */
export function namedInstruments({
  instruments,
}: Pick<SessionConfig, 'instruments'>): readonly NamedInstrument[] {
  return instruments.map(({ instrumentId: id, kind, symbol }) => ({ id, kind, symbol }));
}

/**
 * Compares the rules a bot was tested with, and what its contracts are, with the venue's own records. Returns each difference as a line:
 * a bot whose orders would be rounded or refused otherwise is not the one that was tested.
 *
 * @throws errors of the source.
 */
export async function findRuleDifferences(
  config: SessionConfig,
  terms: Pick<MarketTerms, 'rules'>,
  {
    source,
    now,
    signal,
  }: {
    readonly source: Pick<MarketDataSource, 'listings'>;
    readonly now: EpochMs;
    readonly signal: AbortSignal;
  },
): Promise<readonly string[]> {
  const listed = await readListings(namedInstruments(config), (product) =>
    source.listings(product, { signal }),
  );
  const { closed, rules } = compareListings(config, terms, { listed, now });
  return [...closed, ...rules].map(({ text }) => text);
}

/** The same of what was read: `listed` has the venue's records of the instruments that it lists. */
export function compareListings(
  config: SessionConfig,
  terms: Pick<MarketTerms, 'rules'>,
  { listed, now }: { readonly listed: ReadonlyMap<InstrumentId, Listing>; readonly now: EpochMs },
): ListingDifferences {
  const closed: ListingDifference[] = [];
  const rules: ListingDifference[] = [];
  for (const instrument of config.instruments) {
    const { symbol, instrumentId } = instrument;
    const differs = (saidBy: ListingDifference['saidBy'], what: string): ListingDifference => ({
      instrumentId,
      saidBy,
      text: `${symbol}: ${what}`,
    });
    const listing = listed.get(instrumentId);
    if (listing === undefined) {
      closed.push(differs('instruments', 'the venue does not list it'));
      continue;
    }
    const tested = terms.rules.at(instrumentId, now);
    if (tested !== undefined) {
      if (!listing.rules.tradable) closed.push(differs('instruments', 'is not tradable now'));
      for (const what of compareRules(tested, listing.rules)) rules.push(differs('rules', what));
    }
    if (instrument.kind === 'futures' && listing.kind === 'futures') {
      if (instrument.contract !== listing.contract)
        rules.push(
          differs('instruments', `tested as ${instrument.contract}, is ${listing.contract}`),
        );
      if (instrument.multiplier !== listing.multiplier)
        rules.push(
          differs(
            'instruments',
            `tested with a multiplier of ${formatFixed(instrument.multiplier)}, has ${formatFixed(listing.multiplier)}`,
          ),
        );
    }
  }
  return { closed, rules };
}

function compareRules(tested: InstrumentRules, actual: InstrumentRules): readonly string[] {
  const differences: string[] = [];
  for (const name of ['pricePrecision', 'quantityPrecision'] as const)
    if (tested[name] !== actual[name])
      differences.push(`tested with ${name} ${String(tested[name])}, has ${String(actual[name])}`);
  for (const name of RULE_LIMITS) {
    const [one, other] = [tested[name], actual[name]];
    // What the venue does not state may still be asked of orders by the configuration.
    if (other === undefined || one === other) continue;
    const text = one === undefined ? 'without' : `with ${formatFixed(one)} as`;
    differences.push(`tested ${text} ${name}, has ${formatFixed(other)}`);
  }
  return differences;
}
