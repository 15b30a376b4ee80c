import { DomainError, UsageError, type Interval } from '../../../domain/index.js';
import { parseFileInterval } from '../options.js';
import type { DataSource, DumpKind, DumpSeries } from '../../../archive/index.js';

/** The request of `data fetch`. */
export interface AskedRows {
  /** Name of a source, or path of a module. */
  readonly source: string;
  readonly symbol: string;
  readonly interval: string | undefined;
  readonly kind: DumpKind;
}

/**
 * Turns a request into a series of the source.
 *
 * @throws {UsageError} `E_USAGE` if the source does not publish it; the message lists what the source publishes.
 */
export function readAsked(asked: AskedRows, source: DataSource): DumpSeries {
  const { kind } = asked;
  if (!source.kinds.includes(kind)) {
    throw new UsageError(
      'E_USAGE',
      `--kind: expected one that ${source.name} publishes (${source.kinds.join(', ')}), received ${kind}`,
    );
  }
  const symbol = symbolOf(asked, source);
  if (kind !== 'funding') return { kind, symbol, interval: intervalOf(asked, source) };
  if (asked.interval === undefined) return { kind, symbol };
  throw new UsageError(
    'E_USAGE',
    `interval: expected none with --kind funding, received ${asked.interval}`,
  );
}

function intervalOf({ interval, kind }: AskedRows, { name, intervals }: DataSource): Interval {
  const expected = `interval: expected one that ${name} publishes (${intervals.join(' ')})`;
  if (interval === undefined)
    throw new UsageError('E_USAGE', `${expected}, received none; --kind ${kind} needs it`);
  const parsed = readInterval(interval, expected);
  if (intervals.includes(parsed)) return parsed;
  throw new UsageError('E_USAGE', `${expected}, received ${parsed}; longer ones are made of these`);
}

function readInterval(text: string, expected: string): Interval {
  try {
    return parseFileInterval(text);
  } catch (error: unknown) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError('E_USAGE', `${expected}, received "${text}"`, { cause: error });
  }
}

function symbolOf({ symbol }: AskedRows, { name, symbols, example }: DataSource): string {
  if (symbols.test(symbol)) return symbol;
  throw new UsageError(
    'E_USAGE',
    `symbol: expected one as ${name} writes them, ${example}, received "${symbol}"`,
  );
}
