import type { Archive, SeriesInfo } from '../../archive/index.js';
import {
  DataError,
  editDistance,
  formatUtc,
  type ConfigError,
  type InstrumentId,
} from '../../domain/index.js';
import type { BacktestConfig, YamlDocument } from '../../config/index.js';

/**
 * Compares the data that a bot needs with the stored data, without reading candles. Returns every missing series and every empty range, each at the key
 * that asks for it.
 *
 * @throws {DataError} when the archive is damaged.
 */
export async function findMissingData(
  { config, document }: { readonly config: BacktestConfig; readonly document: YamlDocument },
  archive: Archive,
): Promise<readonly ConfigError[]> {
  const problems: ConfigError[] = [];
  for (const [index, { instrumentId, intervals }] of config.instruments.entries()) {
    for (const [position, interval] of intervals.entries()) {
      const place = ['instruments', index, 'intervals', position];
      const expected = `stored candles of ${instrumentId} ${interval}`;
      try {
        const info = await archive.info(instrumentId, interval);
        const key = emptyRange(info, config.simulation);
        if (key === undefined) continue;
        problems.push(
          document.problem('E_DATA_RANGE', ['simulation', key], {
            expected: `a range with ${expected}, which go from ${formatUtc(info.from)} to ${formatUtc(info.to)}`,
          }),
        );
      } catch (error: unknown) {
        if (!(error instanceof DataError)) throw error;
        if (error.code === 'E_DATA_ARCHIVE') {
          return [
            document.problem(error.code, ['simulation', 'archive'], {
              expected: 'a folder of stored candles',
              received: config.simulation.archive,
              suggestion:
                'there is no such folder: "data import" or "data synth" fill one, and --set simulation.archive=DIR names another',
            }),
          ];
        }
        if (error.code !== 'E_DATA_MISSING') throw error;
        const suggestion = await describeHoldings(archive, instrumentId);
        problems.push(
          document.problem(error.code, place, { expected, received: 'none', suggestion }),
        );
      }
    }
  }
  return problems;
}

function emptyRange(
  stored: SeriesInfo,
  { from, to }: BacktestConfig['simulation'],
): 'from' | 'to' | undefined {
  if (from !== undefined && from >= stored.to) return 'from';
  return to !== undefined && to <= stored.from ? 'to' : undefined;
}

async function describeHoldings(archive: Archive, wanted: InstrumentId): Promise<string> {
  const held = await archive.list();
  const names = held.map(({ key }) => `${key.instrumentId} ${key.interval}`);
  if (names.length === 0) return 'the archive is empty';
  // Symbols are short: a name with more than one wrong letter means another instrument.
  const meant = held.find(({ key }) => editDistance(key.instrumentId, wanted) === 1);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant.key.instrumentId}?`;
  return `the archive holds ${names.join(', ')}${suggestion}`;
}
