import { UsageError, type Interval } from '../../../domain/index.js';
import { parseFileInterval } from '../options.js';
import type { DataSource, DumpKind, DumpSeries } from './data-source.js';
import { DATA_SOURCES } from './data-sources.js';

/** What `data fetch` was asked for. */
export interface AskedRows {
  readonly source: string;
  readonly symbol: string;
  readonly interval: string | undefined;
  readonly kind: DumpKind;
}

/**
 * Finds what is meant.
 *
 * @throws {UsageError} `E_USAGE` naming what the source does not publish, and what it does.
 */
export function readAsked(asked: AskedRows): {
  readonly source: DataSource;
  readonly series: DumpSeries;
} {
  const source = findSource(asked);
  const { kind } = asked;
  if (!source.kinds.includes(kind)) {
    throw new UsageError(
      'E_USAGE',
      `--kind: expected one that ${source.name} publishes (${source.kinds.join(', ')}), received ${kind}`,
    );
  }
  const symbol = symbolOf(asked, source);
  if (kind !== 'funding')
    return { source, series: { kind, symbol, interval: intervalOf(asked, source) } };
  if (asked.interval === undefined) return { source, series: { kind, symbol } };
  throw new UsageError(
    'E_USAGE',
    `interval: expected none with --kind funding, received ${asked.interval}`,
  );
}

function findSource({ source }: AskedRows): DataSource {
  const found = DATA_SOURCES.find(({ name }) => name === source);
  if (found !== undefined) return found;
  const names = DATA_SOURCES.map(({ name }) => name).join(', ');
  throw new UsageError('E_USAGE', `source: expected one of ${names}, received "${source}"`);
}

function intervalOf({ interval, kind }: AskedRows, { name, intervals }: DataSource): Interval {
  const expected = `interval: expected one that ${name} publishes (${intervals.join(' ')})`;
  if (interval === undefined)
    throw new UsageError('E_USAGE', `${expected}, received none; --kind ${kind} needs it`);
  const parsed = parseFileInterval(interval);
  if (intervals.includes(parsed)) return parsed;
  throw new UsageError(
    'E_USAGE',
    `${expected}, received ${parsed}; longer ones are made of these when they are read`,
  );
}

function symbolOf({ symbol }: AskedRows, { name, symbols, example }: DataSource): string {
  if (symbols.test(symbol)) return symbol;
  throw new UsageError(
    'E_USAGE',
    `symbol: expected one as ${name} writes them, ${example}, received "${symbol}"`,
  );
}
