/** A program that repeats a small backtest and prints by how many bytes its held memory has grown over the last thousand runs. */
import { runBacktest, type RunBacktestOptions } from '../../../src/run/index.js';
import { Crossing, DESCRIPTION, hourlyCandles } from './hourly-description.js';

/** Runs after which one-time objects exist and the code is compiled. */
const WARM = 1_000;
const RUNS = 1_000;

const options: RunBacktestOptions = {
  config: DESCRIPTION,
  strategy: Crossing,
  candles: [{ instrument: 'spot:BTCUSDT', interval: '1h', candles: hourlyCandles(400) }],
  // One signal for all runs: no run may leave a listener on it.
  signal: new AbortController().signal,
};

async function heldBytes(): Promise<number> {
  // Weakly held objects are released between two turns of the event loop.
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

for (let run = 0; run < WARM; run += 1) await runBacktest(options);
const before = await heldBytes();
for (let run = 0; run < RUNS; run += 1) await runBacktest(options);
console.log(String((await heldBytes()) - before));
