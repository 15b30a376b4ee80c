import type { SessionConfig } from '../../../config/index.js';
import {
  formatFixed,
  RULE_LIMITS,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
} from '../../../domain/index.js';
import { contractDifferences, readListings, type NamedInstrument } from '../../../live/index.js';
import type { Listing, MarketDataSource } from '../../../venue/index.js';
import type { MarketTerms } from '../../market/load-terms.js';

/** Differences between the venue's listings and the rules of a bot's tests. */
export interface ListingDifferences {
  /** Instruments that are not listed, or not tradable now. This may be temporary. */
  readonly closed: readonly ListingDifference[];
  /** Differences in rules and in the properties of contracts. */
  readonly rules: readonly ListingDifference[];
}

export interface ListingDifference {
  readonly instrumentId: InstrumentId;
  /** The source of the tested value: the rules of the instrument, or its entry in the configuration. */
  readonly saidBy: 'rules' | 'instruments';
  readonly text: string;
}

/** The names of a configuration's instruments at the venue. */
export function namedInstruments({
  instruments,
}: Pick<SessionConfig, 'instruments'>): readonly NamedInstrument[] {
  return instruments.map(({ instrumentId: id, kind, symbol }) => ({ id, kind, symbol }));
}

/**
 * Compares the rules and contract properties of a bot's tests with the venue's own records. Returns one line for each difference: with other rounding or
 * other refusals of its orders, the bot is not the one that was tested.
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

/** Makes the same comparison with records that are already read. `listed` contains the instruments that the venue lists. */
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
    for (const what of contractDifferences(instrument, listing))
      rules.push(differs('instruments', what));
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
    // The configuration may set a limit that the venue does not state.
    if (other === undefined || one === other) continue;
    const text = one === undefined ? 'without' : `with ${formatFixed(one)} as`;
    differences.push(`tested ${text} ${name}, has ${formatFixed(other)}`);
  }
  return differences;
}
