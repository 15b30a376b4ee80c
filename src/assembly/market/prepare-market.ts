import type { Archive } from '../../archive/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { loadMarket, type LoadedSeries } from './load-market.js';
import { loadTerms, type MarketTerms } from './load-terms.js';
import { countSeries, SeriesFiles } from './series-files.js';

/** The data that a run replays. */
export interface LoadedMarket {
  readonly series: readonly LoadedSeries[];
  readonly terms: MarketTerms;
  /** Closes the files of the series. */
  close(): Promise<void>;
}

/**
 * Opens the data for all runs of a configuration, whatever their parameters. Close it when the last run has ended.
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
