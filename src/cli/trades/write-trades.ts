import path from 'node:path';
import type { TableColumn } from '../../archive/index.js';
import { UsageError } from '../../domain/index.js';
import type { Result, Trade } from '../../report/index.js';
import type { CliContext } from '../cli-context.js';
import { writeOutput } from '../write-output.js';

/** Endings of files of trades. */
const ENDS = ['.csv', '.arrow', '.feather'];

/**
 * Checks before a long run that trades can be written to a file of that name.
 *
 * @throws {UsageError} `E_USAGE` for another kind of file.
 */
export function checkTradesFile(file: string): void {
  if (ENDS.includes(path.extname(file).toLowerCase())) return;
  throw new UsageError(
    'E_USAGE',
    `--trades: expected a file that ends in ${ENDS.join(', ')}, received "${file}"; --json has trades as JSON`,
  );
}

/** Writes the trades of a result as a table, one row per trade, as CSV or Arrow according to the ending of the file. */
export async function writeTrades(
  file: string,
  result: Result,
  context: CliContext,
): Promise<void> {
  const columns = tradeFileColumns(result);
  if (path.extname(file).toLowerCase() === '.csv') {
    await writeOutput(file, csvLines(columns), context);
    return;
  }
  const { encodeTable, writeFileAtomically } = await import('../../archive/index.js');
  const pieces = await encodeTable(columns);
  await writeFileAtomically(path.resolve(context.cwd, file), pieces, { signal: context.signal });
}

/** The columns in their order in the file. */
function tradeFileColumns({ trades = [], equity }: Result): readonly TableColumn[] {
  const text = (name: string, of: (trade: Trade) => string | null): TableColumn => ({
    ...{ name, kind: 'text', values: trades.map(of) },
  });
  const amount = (name: string, of: (trade: Trade) => string | null): TableColumn => ({
    ...{ name, kind: 'amount', values: trades.map(of) },
  });
  const time = (name: string, of: (trade: Trade) => number | null): TableColumn => ({
    ...{ name, kind: 'time', values: trades.map(of) },
  });
  const number = (name: string, of: (trade: Trade) => number | null): TableColumn => ({
    ...{ name, kind: 'number', values: trades.map(of) },
  });
  return [
    text('instrument', ({ instrument }) => instrument),
    text('side', ({ side }) => side),
    text('state', ({ open }) => (open ? 'open' : 'closed')),
    time('entry_time', ({ entry }) => entry.time),
    amount('entry_price', ({ entry }) => entry.price),
    amount('entry_quantity', ({ entry }) => entry.quantity),
    number('entry_fills', ({ entry }) => entry.fills.length),
    text('entry_label', ({ entry }) => entry.label),
    text('entry_cause', ({ entry }) => entry.cause),
    time('exit_time', ({ exit }) => exit?.time ?? null),
    amount('exit_price', ({ exit }) => exit?.price ?? null),
    amount('exit_quantity', ({ exit }) => exit?.quantity ?? null),
    number('exit_fills', ({ exit }) => exit?.fills.length ?? 0),
    text('exit_label', ({ exit }) => exit?.label ?? null),
    text('exit_cause', ({ exit }) => exit?.cause ?? null),
    number('duration_ms', ({ duration }) => duration),
    text('currency', () => equity.currency),
    amount('gross', ({ gross }) => gross),
    amount('fees', ({ fees }) => fees),
    amount('funding', ({ funding }) => funding),
    amount('interest', ({ interest }) => interest),
    amount('profit', ({ profit }) => profit),
    number('return', (trade) => trade.return),
    amount('mae', ({ mae }) => mae),
    amount('mfe', ({ mfe }) => mfe),
    amount('arrival', ({ arrival }) => arrival),
    amount('shortfall', ({ shortfall }) => shortfall),
    text('intents', ({ intents }) => intents.join(' ')),
  ];
}

function* csvLines(columns: readonly TableColumn[]): Generator<string, void, undefined> {
  const names = columns.map(({ name, kind }) => (kind === 'time' ? `${name}_ms` : name));
  yield `${names.join(',')}\n`;
  const rows = columns[0]?.values.length ?? 0;
  for (let row = 0; row < rows; row += 1)
    yield `${columns.map(({ values }) => csvText(values[row] ?? null)).join(',')}\n`;
}

/** Quotes a cell if needed: a label may hold any text. */
function csvText(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
