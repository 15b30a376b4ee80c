/**
 * The whole cold process, as a user starts it: `evenkeel backtest` on a million stored candles of the reference walk, from start to
 * exit, summary included; and the same with nothing to do (`--help`).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '../../src/archive/index.js';
import { createReferenceCandles, REFERENCE_ID } from './reference-work.js';

const ROWS = 1_000_000;
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  await openArchive(folder).merge(
    { instrumentId: REFERENCE_ID, interval: '1min', columns: createReferenceCandles(ROWS) },
    { source: 'reference walk', volumeUnit: 'base' },
  );
  writeFileSync(path.join(folder, 'long-while-above.strategy.ts'), strategySource());
  const config = path.join(folder, 'bot.yaml');
  writeFileSync(config, configSource());
  report('backtest of a million candles', ['backtest', config]);
  report('--help', ['--help']);
} finally {
  rmSync(folder, { recursive: true });
}

function report(name: string, args: readonly string[]): void {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
    times.push(performance.now() - start);
    if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1] ?? Number.NaN;
  console.log(
    `${name}: ${(median / 1_000).toFixed(2)} s median of ${String(ROUNDS)}, fastest ${((times[0] ?? 0) / 1_000).toFixed(2)} s`,
  );
}

function strategySource(): string {
  return `import { CandleStrategy, sma } from 'evenkeel';

export class LongWhileAbove extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}
`;
}

function configSource(): string {
  return `name: reference
strategy: { path: long-while-above.strategy.ts }
instruments: [{ product: spot, symbol: BTCUSDT, intervals: [1min] }]
simulation:
  archive: .
  balances: { USDT: "10000000" }
  fees: { maker: "0.001", taker: "0.001", paidIn: quote }
  participation: off
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5 }
`;
}
