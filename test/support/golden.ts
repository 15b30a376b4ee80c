import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { countRefusals, type Result } from '../../src/report/index.js';

const FOLDER = resolve(import.meta.dirname, '../../backtest/golden');

/** The part of a result that a golden file pins: a hash of the trades, and the figures. It has no hash of code or configuration. */
export function goldenOf({
  run,
  equity,
  statistics,
  bounds,
  accounting,
  orders,
  fills,
  refusals,
  hash,
}: Result): string {
  const { totalReturn, cagr, sharpe, maxDrawdown, trades, winRate, profitFactor, fees } =
    statistics;
  const golden = {
    dataHash: run.dataHash,
    candles: run.candles,
    orders: orders.length,
    fills: fills.length,
    refusals: countRefusals(refusals),
    undecidedCandles: bounds.undecidedCandles,
    equity,
    statistics: { totalReturn, cagr, sharpe, maxDrawdown, trades, winRate, profitFactor, fees },
    residual: accounting.residual,
    hash,
  };
  return `${JSON.stringify(golden, null, 2)}\n`;
}

export function readGolden(name: string): string {
  return readFileSync(fileOf(name), 'utf8');
}

/** Writes the present result of a scenario as the golden file. A build server never does. */
export function writeGolden(name: string, golden: string): void {
  if (process.env['CI'] === 'true') throw new Error('golden files are not written in CI');
  writeFileSync(fileOf(name), golden);
}

/** Whether golden files are to be written instead of compared: see backtest/README.md. */
export function isWritingGolden(): boolean {
  return process.env['EVENKEEL_WRITE_GOLDEN'] === '1';
}

function fileOf(name: string): string {
  return resolve(FOLDER, `${name}.json`);
}
