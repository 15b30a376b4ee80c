import { openArchive, type Archive, type SeriesKey } from '../../archive/index.js';
import type { BacktestConfig } from '../../assembly/backtest/index.js';
import type { InstrumentId } from '../../domain/index.js';

const SOURCE = 'bundle';

/**
 * Copies the data of a run from an archive into a new one: candles, marks, funding, rules and tiers of its instruments. It copies whole series: the id of a run
 * covers all stored data of them, not only its range.
 */
export async function copyMarket(
  from: Archive,
  folder: string,
  config: Pick<BacktestConfig, 'instruments' | 'simulation'>,
): Promise<void> {
  const into = openArchive(folder);
  const stored = (await from.list()).map(({ key }) => key);
  for (const { instrumentId, intervals } of config.instruments) {
    const own = stored.filter((key) => key.instrumentId === instrumentId);
    // Candles that are made from finer ones, and a path through finer ones, may read any stored interval.
    const readsFiner =
      config.simulation.path === 'finer' ||
      intervals.some((interval) => !own.some((key) => key.interval === interval));
    for (const key of own)
      if (readsFiner || intervals.includes(key.interval)) await copySeries(from, into, key);
    await copyTermsOf(from, into, instrumentId);
  }
}

/** Copies marks, funding, rules and tiers like {@link copyMarket}, but no candles. */
export async function copyTerms(
  from: Archive,
  folder: string,
  { instruments }: Pick<BacktestConfig, 'instruments'>,
): Promise<void> {
  const into = openArchive(folder);
  for (const { instrumentId } of instruments) await copyTermsOf(from, into, instrumentId);
}

async function copySeries(
  from: Archive,
  into: Archive,
  { instrumentId, interval }: SeriesKey,
): Promise<void> {
  const { volumeUnit } = await from.info(instrumentId, interval);
  const columns = await from.read(instrumentId, interval);
  await into.merge({ instrumentId, interval, columns }, { source: SOURCE, volumeUnit });
}

async function copyTermsOf(from: Archive, into: Archive, id: InstrumentId): Promise<void> {
  const source = { source: SOURCE };
  for (const interval of await from.markIntervals(id)) {
    const columns = await from.marks(id, interval);
    if (columns !== undefined && columns.openTime.length > 0)
      await into.mergeMarks({ instrumentId: id, interval, columns }, source);
  }
  const funding = await from.funding(id);
  if (funding !== undefined && funding.time.length > 0)
    await into.mergeFunding(id, funding, source);
  const rules = await from.rules(id);
  if (rules.length > 0) await into.mergeRules(id, rules, source);
  const tiers = await from.tiers(id);
  if (tiers.length > 0) await into.mergeTiers(id, tiers, source);
}
