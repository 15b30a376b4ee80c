/**
 * Candles per second of the whole path (engine, averages, risk, venue, ledgers, equity) on the reference work, on spot and on a contract
 * with marks and funding, in candle style and by three operators of RxJS, with many fills and with few, and of a strategy that never
 * trades; each beside a loop by hand that does the same work, with the same fills, in the same run. Medians of rounds taken in turn.
 *
 * Each kind of run has a process of its own, as a backtest has: what the compiler has learned of a contract makes a run on spot slower.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { present, type CandleColumns, type FundingColumns } from '../../src/domain/index.js';
import { buildResult, type RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { measure, milliseconds, millionsPerSecond } from './measure.js';
import {
  CONTRACT_ID,
  createContractConfig,
  createReferenceCandles,
  createReferenceConfig,
  createReferenceFunding,
  createReferenceMarks,
  idleByHand,
  LongContractsWhileAbove,
  LongWhileAbove,
  LongWhileAboveStreamed,
  NeverTrades,
  REFERENCE_ID,
  runByHand,
  runContractsByHand,
  SeldomLongContractsWhileAbove,
  SeldomLongWhileAbove,
  type HandResult,
  type HandWork,
} from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const RATE = { unit: 'M candles/s', better: 'more' } as const;

/** What a run replays. */
interface History {
  readonly columns: CandleColumns;
  readonly marks: CandleColumns;
  readonly funding: FundingColumns;
}

const OFTEN: HandWork = { fast: 10, slow: 30 };
const SELDOM: HandWork = { ...OFTEN, every: 1_000 };

function ofPair(work: HandWork): (history: History) => HandResult {
  return ({ columns }) => runByHand(columns, work);
}

function ofContract(work: HandWork, trades = true): (history: History) => HandResult {
  return ({ columns, marks, funding }) => runContractsByHand(columns, marks, funding, work, trades);
}

const spot = createReferenceConfig();
const contract = createContractConfig();
const KINDS: ReadonlyMap<
  string,
  {
    readonly config: BacktestConfig;
    readonly strategyClass: StrategyClass;
    readonly byHand: (history: History) => HandResult;
  }
> = new Map([
  ['spot', { config: spot, strategyClass: LongWhileAbove, byHand: ofPair(OFTEN) }],
  [
    'spot, three operators',
    { config: spot, strategyClass: LongWhileAboveStreamed, byHand: ofPair(OFTEN) },
  ],
  [
    'spot, few fills',
    { config: spot, strategyClass: SeldomLongWhileAbove, byHand: ofPair(SELDOM) },
  ],
  [
    'futures',
    { config: contract, strategyClass: LongContractsWhileAbove, byHand: ofContract(OFTEN) },
  ],
  [
    'futures, few fills',
    { config: contract, strategyClass: SeldomLongContractsWhileAbove, byHand: ofContract(SELDOM) },
  ],
  [
    'spot idle',
    { config: spot, strategyClass: NeverTrades, byHand: ({ columns }) => idleByHand(columns) },
  ],
  [
    'futures idle',
    { config: contract, strategyClass: NeverTrades, byHand: ofContract(OFTEN, false) },
  ],
]);

const [chosen] = process.argv.slice(2);
if (chosen === undefined) for (const kind of KINDS.keys()) measureApart(kind);
else await measureKind(chosen);

function measureApart(kind: string): void {
  if (!kind.includes(process.env['CASE'] ?? '')) return;
  const script = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [...process.execArgv, script, kind], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}

async function measureKind(kind: string): Promise<void> {
  const { config, strategyClass, byHand: workByHand } = present(KINDS.get(kind), kind);
  const columns = createReferenceCandles(ROWS);
  const marks = createReferenceMarks(columns);
  const history = { columns, marks, funding: createReferenceFunding(columns) };
  const archive = createArchive(history);
  const byHand = `${kind}, by hand`;
  let handFills = 0;
  let record: RunRecord | undefined;
  const run = async (): Promise<void> => {
    // A run has no other's record beside it, as in a process of its own.
    record = undefined;
    record = await runBacktest({ config, archive, strategyClass, sourceHash: 'reference' });
  };
  const runByHandOnce = (): void => {
    handFills = workByHand(history).fills;
  };
  await measure(
    [
      { ...RATE, name: byHand, run: () => millionsPerSecond(ROWS, runByHandOnce) },
      { ...RATE, name: kind, reference: byHand, run: () => millionsPerSecond(ROWS, run) },
    ],
    // As the rates of others were taken: warm. What a first run takes in its process, cold-process.bench.ts tells.
    { rounds: 7, warmups: 3 },
  );
  // By itself, because the garbage of results is collected in the time of the run after them.
  await measure(
    [
      {
        name: `${kind}, result`,
        unit: 'ms',
        better: 'less',
        run: () => milliseconds(() => buildResult(present(record, kind))),
      },
    ],
    { rounds: 7 },
  );
  const { fills, residual } = present(record, kind);
  console.log(
    `${kind}: ${String(fills.length)} fills, residual ${String(residual)}; by hand ${String(handFills)} fills\n`,
  );
}

function createArchive({
  columns,
  marks,
  funding,
}: History): ReturnType<typeof createMemoryArchive> {
  const interval = '1min';
  return createMemoryArchive(
    [REFERENCE_ID, CONTRACT_ID].map((instrumentId) => ({ instrumentId, interval, columns })),
    {
      marks: [{ instrumentId: CONTRACT_ID, interval, columns: marks }],
      funding: new Map([[CONTRACT_ID, funding]]),
    },
  );
}
