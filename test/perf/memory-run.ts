/** One run of the memory benchmark, in a process of its own: `STRATEGY FOLDER SYMBOLS YEARS`. Says its peak resident memory as JSON. */
import { setImmediate as nextTurn } from 'node:timers/promises';

import { openArchive } from '../../src/archive/index.js';
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { DAY_MS, parseFixed, type Candle } from '../../src/domain/index.js';
import { buildResult, resultPieces } from '../../src/report/index.js';
import { CandleStrategy } from '../../src/strategy/index.js';
import { aBacktestConfig } from '../support/backtest-config.js';
import { symbolsOf, type Extent } from './memory-archive.js';
import { NeverTrades } from './reference-work.js';

/** Buys a little of a symbol every other day, and sells it the day after. */
class FewFills extends CandleStrategy({}) {
  override onCandle({ openTime, instrumentId }: Candle): void {
    if (openTime % DAY_MS !== 0) return;
    if ((openTime / DAY_MS) % 2 === 0)
      this.enterLong({ quantity: '0.01' }, { instrument: instrumentId });
    else this.exit({ instrument: instrumentId });
  }
}

const [strategy = 'nothing', folder = '', symbols, years] = process.argv.slice(2);
let says = 'the modules alone';
if (strategy !== 'nothing') {
  const start = performance.now();
  const record = await runBacktest({
    config: configOf({ symbols: Number(symbols), years: Number(years) }),
    archive: openArchive(folder),
    strategyClass: strategy === 'idle' ? NeverTrades : FewFills,
    sourceHash: 'memory',
    breathe: () => nextTurn(),
  });
  let characters = 0;
  for (const piece of resultPieces(buildResult(record))) characters += piece.length;
  const seconds = (performance.now() - start) / 1_000;
  says = `${String(record.run.candles)} candles, ${String(record.fills.length)} fills, a result of ${(characters / 1e6).toFixed(1)} MB, ${(record.run.candles / seconds / 1e6).toFixed(2)} M candles/s`;
}
const peakMiB = process.resourceUsage().maxRSS / 1_024;
console.log(JSON.stringify({ peakMiB, says }));

function configOf(extent: Extent): BacktestConfig {
  const ids = symbolsOf(extent);
  const [first] = ids;
  if (first === undefined) throw new Error('expected symbols');
  const config = aBacktestConfig({
    instrumentId: first,
    interval: '1min',
    simulation: {
      balances: { spot: new Map([['USDT', parseFixed('10000000')]]) },
      rules: new Map(
        ids.map((id) => [id, { tradable: true, pricePrecision: 2, quantityPrecision: 5 }]),
      ),
    },
  });
  return {
    ...config,
    instruments: ids.map((instrumentId) => {
      const symbol = instrumentId.replace('spot:', '');
      const base = symbol.replace('USDT', '');
      return { kind: 'spot', instrumentId, symbol, base, quote: 'USDT', intervals: ['1min'] };
    }),
  };
}
