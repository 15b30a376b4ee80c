import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataError, formatUtc, TradingError } from '../../domain/index.js';
import {
  amountText,
  instantText,
  percentText,
  ratioText,
  readResult,
  type Result,
} from '../../report/index.js';
import type { CliContext } from '../cli-context.js';
import { formatTable } from '../data/text-table.js';
import { readHashPrefix } from '../read-hash-prefix.js';
import { checkOutput, writeOutput } from '../write-output.js';

/** Options of `runs` as commander parses them. */
export interface RunsFlags {
  readonly find?: string;
  readonly json?: string;
}

interface ListedRun {
  readonly file: string;
  /** When the file was written; UTC milliseconds. */
  readonly written: number;
  readonly id: string;
  readonly strategy: string;
  readonly parameters: Result['run']['parameters'];
  readonly instruments: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly finalEquity: string;
  readonly currency: string;
  readonly totalReturn: number | null;
  readonly sharpe: number | null;
  readonly maxDrawdown: number | null;
  readonly trades: number;
  readonly hashes: readonly string[];
}

const HASH_DIGITS = 12;

/** Runs `runs`. Files that are no results are left out, and said to be. */
export async function runRuns(
  folder: string,
  flags: RunsFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const prefix = readHashPrefix('--find', flags.find ?? '');
  const { runs, others } = await readFolder(folder, context);
  const found = runs.filter(({ hashes }) => hashes.some((hash) => hash.startsWith(prefix)));
  if (flags.find !== undefined && found.length === 0)
    throw new DataError(
      'E_RUN_UNKNOWN',
      `no result in ${folder} has a hash that begins with ${prefix}`,
    );
  if (flags.json !== undefined)
    await writeOutput(flags.json, `${JSON.stringify(found, null, 2)}\n`, context);
  if (flags.json === '-') return;
  context.stdout.write(found.length === 0 ? `no results in ${folder}\n` : describe(found));
  if (others > 0)
    context.stderr.write(`${String(others)} other JSON in ${folder}: no result of a backtest\n`);
}

async function readFolder(
  folder: string,
  { cwd }: CliContext,
): Promise<{ readonly runs: readonly ListedRun[]; readonly others: number }> {
  const directory = path.resolve(cwd, folder);
  const names = await readdir(directory).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('E_RESULT_READ', `cannot read ${folder}: ${why}`, { cause });
  });
  const runs: ListedRun[] = [];
  let others = 0;
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = path.join(directory, name);
    const run = await readRun(file, path.join(folder, name));
    if (run === undefined) others += 1;
    else runs.push(run);
  }
  return { runs: runs.sort((a, b) => b.written - a.written || (a.file < b.file ? -1 : 1)), others };
}

async function readRun(file: string, shown: string): Promise<ListedRun | undefined> {
  try {
    const result = readResult(await readFile(file, 'utf8'), shown);
    const { run, equity, statistics, hash } = result;
    return {
      file: shown,
      written: (await stat(file)).mtimeMs,
      id: run.id,
      strategy: run.strategy,
      parameters: run.parameters,
      instruments: run.instruments,
      from: run.from,
      to: run.to,
      finalEquity: equity.final,
      currency: equity.currency,
      totalReturn: statistics.totalReturn,
      sharpe: statistics.sharpe,
      maxDrawdown: statistics.maxDrawdown,
      trades: statistics.trades,
      hashes: [run.id, hash.orders, hash.fills, run.dataHash, run.configHash],
    };
  } catch (error: unknown) {
    if (error instanceof TradingError) return undefined;
    throw error;
  }
}

function describe(runs: readonly ListedRun[]): string {
  const left = ['File', 'Written (UTC)', 'Run', 'Strategy', 'Parameters', 'Range'];
  const right = ['Final equity', 'Return', 'Sharpe', 'Drawdown', 'Trades'];
  const rows = runs.map((run) => [
    run.file,
    formatUtc(Math.floor(run.written / 1_000) * 1_000)
      .slice(0, 16)
      .replace('T', ' '),
    run.id.slice(0, HASH_DIGITS),
    `${run.strategy} on ${run.instruments.join(', ')}`,
    Object.entries(run.parameters)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
    `${instantText(run.from)} to ${instantText(run.to)}`,
    `${amountText(run.finalEquity)} ${run.currency}`,
    percentText(run.totalReturn),
    ratioText(run.sharpe),
    percentText(run.maxDrawdown),
    String(run.trades),
  ]);
  return formatTable(
    [
      ...left.map((head) => ({ head, align: 'left' as const })),
      ...right.map((head) => ({ head, align: 'right' as const })),
    ],
    rows,
  );
}
