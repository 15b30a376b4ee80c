/**
 * Candles per second of the whole path (engine, averages, risk, venue, ledgers, equity) on the reference work, on spot and on a contract
 * with marks and funding, in candle style and by three operators of RxJS, with many fills and with few, and of a strategy that never
 * trades; beside the same work by hand in the same run. Medians of rounds taken in turn.
 */
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { present } from '../../src/domain/index.js';
import { buildResult, type RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { measure, milliseconds, millionsPerSecond, type Case } from './measure.js';
import {
  CONTRACT_ID,
  createContractConfig,
  createReferenceCandles,
  createReferenceConfig,
  createReferenceFunding,
  createReferenceMarks,
  LongContractsWhileAbove,
  LongWhileAbove,
  LongWhileAboveStreamed,
  NeverTrades,
  REFERENCE_ID,
  runByHand,
  SeldomLongContractsWhileAbove,
  SeldomLongWhileAbove,
} from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const BY_HAND = 'by hand';
const RATE = { unit: 'M candles/s', better: 'more' } as const;

const columns = createReferenceCandles(ROWS);
const interval = '1min';
const archive = createMemoryArchive(
  [REFERENCE_ID, CONTRACT_ID].map((instrumentId) => ({ instrumentId, interval, columns })),
  {
    marks: [
      { instrumentId: CONTRACT_ID, interval: '1min', columns: createReferenceMarks(columns) },
    ],
    funding: new Map([[CONTRACT_ID, createReferenceFunding(columns)]]),
  },
);
const spot = createReferenceConfig();
const contract = createContractConfig();
const records = new Map<string, RunRecord>();

function aRun(name: string, config: BacktestConfig, strategyClass: StrategyClass): Case {
  const run = async (): Promise<void> => {
    records.set(
      name,
      await runBacktest({ config, archive, strategyClass, sourceHash: 'reference' }),
    );
  };
  return { ...RATE, name, reference: BY_HAND, run: () => millionsPerSecond(ROWS, run) };
}

/** What it takes to make the result of a run out of its record. */
function aResult(name: string): Case {
  const run = (): unknown => buildResult(present(records.get(name), name));
  return { name: `${name}, result`, unit: 'ms', better: 'less', run: () => milliseconds(run) };
}

let handFills = 0;
const byHand = (): void => {
  handFills = runByHand(columns).fills;
};
await measure(
  [
    { ...RATE, name: BY_HAND, run: () => millionsPerSecond(ROWS, byHand) },
    aRun('spot', spot, LongWhileAbove),
    aResult('spot'),
    aRun('spot, three operators', spot, LongWhileAboveStreamed),
    aRun('spot, few fills', spot, SeldomLongWhileAbove),
    aRun('futures', contract, LongContractsWhileAbove),
    aResult('futures'),
    aRun('futures, few fills', contract, SeldomLongContractsWhileAbove),
    aRun('spot idle', spot, NeverTrades),
    aRun('futures idle', contract, NeverTrades),
  ],
  { rounds: 7 },
);
console.log(`by hand ${String(handFills)} fills`);
for (const [name, { fills, residual }] of records)
  console.log(`${name} ${String(fills.length)} fills, residual ${String(residual)}`);
