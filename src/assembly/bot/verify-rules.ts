import {
  formatFixed,
  RULE_LIMITS,
  type EpochMs,
  type InstrumentRules,
} from '../../domain/index.js';
import type { Listing, MarketDataSource } from '../../venue/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { MarketTerms } from '../market/load-terms.js';

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
  const differences: string[] = [];
  const kinds = new Set(config.instruments.map(({ kind }) => kind));
  const listed = new Map<string, Listing>();
  for (const kind of kinds)
    for (const listing of (await source.listings(kind, { signal })).listings)
      listed.set(`${kind} ${listing.symbol}`, listing);
  for (const instrument of config.instruments) {
    const { kind, symbol, instrumentId } = instrument;
    const listing = listed.get(`${kind} ${symbol}`);
    const tested = terms.rules.at(instrumentId, now);
    if (listing === undefined) differences.push(`${symbol}: the venue does not list it`);
    else {
      if (tested !== undefined) differences.push(...compareRules(symbol, tested, listing.rules));
      if (instrument.kind === 'futures' && listing.kind === 'futures') {
        if (instrument.contract !== listing.contract)
          differences.push(`${symbol}: tested as ${instrument.contract}, is ${listing.contract}`);
        if (instrument.multiplier !== listing.multiplier)
          differences.push(
            `${symbol}: tested with a multiplier of ${formatFixed(instrument.multiplier)}, has ${formatFixed(listing.multiplier)}`,
          );
      }
    }
  }
  return differences;
}

function compareRules(
  symbol: string,
  tested: InstrumentRules,
  actual: InstrumentRules,
): readonly string[] {
  const differences: string[] = [];
  if (!actual.tradable) differences.push(`${symbol}: is not tradable now`);
  for (const name of ['pricePrecision', 'quantityPrecision'] as const)
    if (tested[name] !== actual[name])
      differences.push(
        `${symbol}: tested with ${name} ${String(tested[name])}, has ${String(actual[name])}`,
      );
  for (const name of RULE_LIMITS) {
    const [one, other] = [tested[name], actual[name]];
    // What the venue does not state may still be asked of orders by the configuration.
    if (other === undefined || one === other) continue;
    const text = one === undefined ? 'without' : `with ${formatFixed(one)} as`;
    differences.push(`${symbol}: tested ${text} ${name}, has ${formatFixed(other)}`);
  }
  return differences;
}
