/**
 * Candles per second of the whole path (engine, averages, risk, venue, ledgers, equity) on the reference work, beside the same work by
 * hand in the same run. Medians of rounds taken in turn.
 */
import { runBacktest } from '../../src/assembly/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { buildResult } from '../../src/report/index.js';
import {
  REFERENCE_ID,
  createReferenceCandles,
  createReferenceConfig,
  LongWhileAbove,
  runByHand,
} from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);

const columns = createReferenceCandles(ROWS);
const config = createReferenceConfig();
const archive = createMemoryArchive([{ instrumentId: REFERENCE_ID, interval: '1min', columns }]);
const byHand: number[] = [];
const engine: number[] = [];
const reported: number[] = [];
let summary = '';

for (let round = 0; round <= ROUNDS; round += 1) {
  let start = performance.now();
  const reference = runByHand(columns);
  const handMs = performance.now() - start;
  start = performance.now();
  const record = await runBacktest({
    config,
    archive,
    strategyClass: LongWhileAbove,
    sourceHash: 'reference',
  });
  const engineMs = performance.now() - start;
  buildResult(record);
  const reportedMs = performance.now() - start;
  summary = `${String(record.fills.length)} fills (by hand ${String(reference.fills)}), residual ${String(record.residual)}`;
  // The first round warms the compiler up.
  if (round === 0) continue;
  byHand.push(handMs);
  engine.push(engineMs);
  reported.push(reportedMs);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const rate = (values: readonly number[]): string =>
  `${(ROWS / median(values) / 1_000).toFixed(2)} M candles/s`;
console.log(
  `${String(ROWS)} candles, ${String(ROUNDS)} rounds, node ${process.version}: ${summary}`,
);
console.log(`by hand            ${rate(byHand)}`);
console.log(
  `backtest           ${rate(engine)}  (1/${(median(engine) / median(byHand)).toFixed(1)} of the loop by hand)`,
);
console.log(`backtest + result  ${rate(reported)}`);
console.log(`peak memory        ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`);
