/**
 * Kinds of runs, each beside a loop by hand that does the same work, in the same process, in turn. Each kind has its own process, as a
 * backtest has: after runs on contracts, the compiled code makes a run on spot slower.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Archive } from '../../src/archive/index.js';
import { replayBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { fixedToNumber, present } from '../../src/domain/index.js';
import { buildResult, countRefusals, type RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { measure, milliseconds, type Case } from './measure.js';
import type { HandResult } from './reference-by-hand.js';

export interface Kind {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  /** Makes the archive to replay, in the process that measures. */
  readonly prepare: () => Prepared;
  readonly figure: RunFigure;
}

export interface Prepared {
  readonly archive: Archive;
  /** Number of candles of the execution interval, of all instruments. */
  readonly candles: number;
  readonly byHand: () => HandResult;
  /** Further work by hand to print beside the run, the same for several kinds, with its name. */
  readonly beside?: { readonly name: string; readonly work: () => HandResult };
}

/** The figure to print for a run, from its candles and milliseconds. */
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
/** For runs in which each candle has one measured item, such as an order or a refusal. */
export const MICROSECONDS_EACH: RunFigure = {
  unit: 'µs each',
  better: 'less',
  of: (candles, ms) => (ms * 1e3) / candles,
};

export type Kinds = ReadonlyMap<string, Kind>;

/** Measures the kinds whose names contain CASE. Each runs in its own process: the same script with the name of the kind. */
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
    // Frees the record of the run before, so that memory is as in a process with one run.
    record = undefined;
    record = await replayBacktest({ config, archive, strategyClass, sourceHash: 'reference' });
  };
  const ofHand = `${name}, by hand`;
  const cases = [
    aCase(ofHand, () => {
      hand = byHand();
    }),
    aCase(name, run, ofHand),
  ];
  if (beside !== undefined) cases.push(aCase(`${name}, ${beside.name}`, beside.work));
  // Warm, as the rates of others were taken. cold-process.bench.ts measures the first run of a process.
  const [, own, other] = await measure(cases, { rounds: 7, warmups: 3, seconds: 12 });
  // A call of its own: otherwise the garbage of results is collected during the next run.
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

/** Prints the fills of both, and the equity if the loop by hand keeps it. They must agree: a ratio to other work would have no meaning. */
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
