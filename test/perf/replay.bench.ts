/**
 * Candles per second of the whole path (engine, averages, risk, venue, ledgers, equity) on the reference work, on spot and on a contract
 * with marks and funding, and of a strategy that never trades; beside the same work by hand in the same run. Medians of rounds taken in
 * turn. `CASE` names the cases to run, by a part of their name.
 */
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { buildResult, type RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import {
  CONTRACT_ID,
  createContractConfig,
  createReferenceCandles,
  createReferenceConfig,
  createReferenceFunding,
  createReferenceMarks,
  LongContractsWhileAbove,
  LongWhileAbove,
  NeverTrades,
  REFERENCE_ID,
  runByHand,
} from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
const CASE = process.env['CASE'] ?? '';

interface Case {
  readonly name: string;
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  readonly times: number[];
  readonly reported: number[];
  last: RunRecord | undefined;
}

function aCase(name: string, config: BacktestConfig, strategyClass: StrategyClass): Case {
  return { name, config, strategyClass, times: [], reported: [], last: undefined };
}

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
const cases = [
  aCase('spot', spot, LongWhileAbove),
  aCase('futures', contract, LongContractsWhileAbove),
  aCase('spot idle', spot, NeverTrades),
  aCase('futures idle', contract, NeverTrades),
].filter(({ name }) => name.includes(CASE));
const byHand: number[] = [];
let handFills = 0;

// The first round warms the compiler up.
for (let round = 0; round <= ROUNDS; round += 1) {
  const start = performance.now();
  handFills = runByHand(columns).fills;
  if (round > 0) byHand.push(performance.now() - start);
  for (const one of cases) await play(one, round > 0);
}

async function play(one: Case, isCounted: boolean): Promise<void> {
  const { config, strategyClass } = one;
  const start = performance.now();
  one.last = await runBacktest({ config, archive, strategyClass, sourceHash: 'reference' });
  const replayed = performance.now();
  buildResult(one.last);
  if (!isCounted) return;
  one.times.push(replayed - start);
  one.reported.push(performance.now() - start);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const rate = (values: readonly number[]): string =>
  `${(ROWS / median(values) / 1_000).toFixed(2)} M candles/s`;
console.log(`${String(ROWS)} candles, ${String(ROUNDS)} rounds, node ${process.version}`);
console.log(`by hand        ${rate(byHand)}, ${String(handFills)} fills`);
for (const { name, times, reported, last } of cases) {
  const perCandle = (median(times) * 1e6) / ROWS;
  const ratio = median(times) / median(byHand);
  console.log(
    `${name.padEnd(14)} ${rate(times)}, ${perCandle.toFixed(0)} ns each, 1/${ratio.toFixed(0)} of by hand; with the result ${rate(reported)}; ${String(last?.fills.length)} fills, residual ${String(last?.residual)}`,
  );
}
console.log(`peak memory    ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`);
