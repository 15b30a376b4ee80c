import type { Archive } from '../../archive/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { loadMarket, type LoadedSeries } from './load-market.js';
import { loadTerms, type MarketTerms } from './load-terms.js';
import { countSeries, SeriesFiles } from './series-files.js';

/** What a run replays. */
export interface LoadedMarket {
  readonly series: readonly LoadedSeries[];
  readonly terms: MarketTerms;
  /** Closes the files of the series. */
  close(): Promise<void>;
}

/**
 * Opens what the runs of a configuration replay, whatever their parameters. To be closed when the last of them has ended.
 *
 * @throws {ConfigError}, {DataError} and {DataGapError} from configuration and archive.
 */
export async function prepareMarket(
  config: BacktestConfig,
  archive: Archive,
): Promise<LoadedMarket> {
  const files = new SeriesFiles(archive, countSeries(config));
  try {
    const series = await loadMarket(config, files);
    const terms = await loadTerms(config, archive, files);
    return { series, terms, close: () => files.close() };
  } catch (error) {
    await files.close();
    throw error;
  }
}
