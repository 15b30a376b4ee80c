/**
 * Kinds of runs, each beside a loop by hand that does the same work, in the same process, in turn. Each kind has a process of its own, as a
 * backtest has: what the compiler has learned of a contract makes a run on spot slower.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Archive } from '../../src/archive/index.js';
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { fixedToNumber, present } from '../../src/domain/index.js';
import { buildResult, countRefusals, type RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { measure, milliseconds, type Case } from './measure.js';
import type { HandResult } from './reference-by-hand.js';

/** One kind of run. */
export interface Kind {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  /** Makes what is replayed, in the process that measures. */
  readonly prepare: () => Prepared;
  readonly figure: RunFigure;
}

export interface Prepared {
  readonly archive: Archive;
  /** Candles of all instruments, those of the execution interval. */
  readonly candles: number;
  readonly byHand: () => HandResult;
  /** Also told beside: work by hand that is the same for several kinds, by its name. */
  readonly beside?: { readonly name: string; readonly work: () => HandResult };
}

/** What is told of a run that took so many milliseconds for so many candles. */
export interface RunFigure {
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly of: (candles: number, ms: number) => number;
}

export const CANDLES_PER_SECOND: RunFigure = {
  unit: 'M candles/s',
  better: 'more',
  of: (candles, ms) => candles / 1_000 / ms,
};
export const NANOSECONDS_PER_CANDLE: RunFigure = {
  unit: 'ns per candle',
  better: 'less',
  of: (candles, ms) => (ms * 1e6) / candles,
};
/** Where each candle has one of what is measured. */
export const MICROSECONDS_EACH: RunFigure = {
  unit: 'µs each',
  better: 'less',
  of: (candles, ms) => (ms * 1e3) / candles,
};

export type Kinds = ReadonlyMap<string, Kind>;

/** Measures kinds, those whose names contain CASE, each in a process of its own: the same script with the kind's name. */
export async function measureKinds(scriptUrl: string, kinds: Kinds): Promise<void> {
  const [chosen] = process.argv.slice(2);
  if (chosen !== undefined) {
    await measureKind(chosen, present(kinds.get(chosen), chosen));
    return;
  }
  for (const name of kinds.keys()) {
    if (!name.includes(process.env['CASE'] ?? '')) continue;
    const { status } = spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(scriptUrl), name],
      { stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
  }
}

async function measureKind(name: string, kind: Kind): Promise<void> {
  const { config, strategyClass, figure } = kind;
  const { archive, candles, byHand, beside } = kind.prepare();
  let hand: HandResult | undefined;
  let record: RunRecord | undefined;
  const aCase = (told: string, work: () => unknown, reference?: string): Case => ({
    name: told,
    unit: figure.unit,
    better: figure.better,
    reference,
    run: async () => figure.of(candles, await milliseconds(work)),
  });
  const run = async (): Promise<void> => {
    // A run has no other's record beside it, as in a process of its own.
    record = undefined;
    record = await runBacktest({ config, archive, strategyClass, sourceHash: 'reference' });
  };
  const ofHand = `${name}, by hand`;
  const cases = [
    aCase(ofHand, () => {
      hand = byHand();
    }),
    aCase(name, run, ofHand),
  ];
  if (beside !== undefined) cases.push(aCase(`${name}, ${beside.name}`, beside.work));
  // As the rates of others were taken: warm. What a first run takes in its process, cold-process.bench.ts tells.
  const [, own, other] = await measure(cases, { rounds: 7, warmups: 3, seconds: 12 });
  // By itself, because the garbage of results is collected in the time of the run after them.
  await measure(
    [
      {
        name: `${name}, result`,
        unit: 'ms',
        better: 'less',
        run: () => milliseconds(() => buildResult(present(record, name))),
      },
    ],
    { rounds: 7, seconds: 5 },
  );
  tellWork(name, present(record, name), present(hand, ofHand));
  if (own !== undefined && other !== undefined)
    console.log(
      `${name}: 1/${(other.median / own.median).toFixed(1)} of ${beside?.name ?? other.name}`,
    );
  console.log();
}

/** The same work is the same fills, and where the loop by hand keeps equity, the same money: a ratio to other work would say nothing. */
function tellWork(name: string, record: RunRecord, hand: HandResult): void {
  const { fills, refusals, orders, finalEquity, residual } = record;
  const said = [`${name}: ${String(fills.length)} fills`, `residual ${String(residual)}`];
  const refused = countRefusals(refusals);
  if (refused > 0) said.push(`${String(refused)} refusals`);
  if (orders.length !== fills.length) said.push(`${String(orders.length)} orders`);
  const byHand = [`by hand ${String(hand.fills)} fills`];
  if (hand.refusals !== undefined) byHand.push(`${String(hand.refusals)} refusals`);
  if (hand.orders !== undefined) byHand.push(`${String(hand.orders)} orders`);
  if (hand.equity !== undefined) {
    said.push(`equity ${fixedToNumber(finalEquity).toFixed(2)}`);
    byHand.push(`equity ${hand.equity.toFixed(2)}`);
    const isSame =
      fills.length === hand.fills && Math.abs(fixedToNumber(finalEquity) - hand.equity) < 0.01;
    if (!isSame) process.exitCode = 1;
  }
  console.log(`${said.join(', ')}; ${byHand.join(', ')}`);
}
