/**
 * The whole cold process, as a user starts it: `evenkeel backtest` on a million stored candles of the reference walk, from start to
 * exit, summary included; the same with nothing to do (`--help`); and Node without us.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '../../src/archive/index.js';
import { measure, milliseconds, type Case } from './measure.js';
import { createReferenceCandles, REFERENCE_ID } from './reference-work.js';

const ROWS = 1_000_000;
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
  const nothing = aProcess('node with nothing to do', ['-e', '']);
  await measure([
    nothing,
    { ...aProcess('--help', [MAIN, '--help']), reference: nothing.name },
    {
      ...aProcess('backtest of a million candles', [MAIN, 'backtest', config]),
      reference: nothing.name,
    },
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

/** From the start of a process to its exit. */
function aProcess(name: string, args: readonly string[]): Case {
  const run = (): void => {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
  };
  return { name, unit: 's', better: 'less', run: async () => (await milliseconds(run)) / 1_000 };
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
